"""A run behind walls: its first process stands for all of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.process import tree
from limpet.process.run import Run

if TYPE_CHECKING:
    from limpet.process.first import Behind
    from limpet.process.memory import MemoryWatch


class ContainedRun(Run):
    """One command from its start to the death of its last process, all of them behind walls."""

    def __init__(self, behind: Behind, *, memory: MemoryWatch | None) -> None:
        super().__init__(behind.pid, memory=memory)
        self.behind = behind
        self._empty = False

    def over(self) -> bool:
        """As soon as the first process is alone: how long the kernel takes to clear it away is nobody's concern."""
        self._listen()
        return self._empty or super().over()

    def _listen(self) -> None:
        word = self.behind.last_word()
        if word is None:
            return
        if word.status >= 0:
            self._status, self._exited = word.status, True
        if word.empty:
            self._empty = True
            self._cpu_user, self._cpu_system, self._max_rss = word.user, word.system, word.rss

    def _reap_orphans(self) -> None:
        """All that comes to the keeper is the first process itself."""

    def _reap(self, which: int) -> bool:
        """The shell's own end is known by word; where there was none, it ended with the first process."""
        self._listen()
        known = self._status
        reaped = super()._reap(which)
        if known is not None:
            self._status = known
        return reaped

    def _kill_everything(self) -> None:
        self.behind.kill()

    def _living(self) -> list[tree.Proc]:
        return [proc for proc in tree.descendants(os.getpid()) if not proc.dead and proc.pid != self.pid]
