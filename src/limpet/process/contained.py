"""A run behind walls: its first process stands for all of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.process import tree
from limpet.process.run import Run

if TYPE_CHECKING:
    from limpet.process.first import Behind
    from limpet.process.memory import MemoryWatch
    from limpet.process.wire import Message


class ContainedRun(Run):
    """One command from its start to the death of its last process, all of them behind walls."""

    def __init__(self, behind: Behind, *, memory: MemoryWatch | None) -> None:
        super().__init__(behind.pid, memory=memory)
        self.behind = behind
        self._shell_status: int | None = None

    def report(self) -> Message:
        """Where the first process was killed, so was the shell."""
        if self._shell_status is not None:
            self._status = self._shell_status
        return super().report()

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with status 0."""
        return self._shell_status == 0 and self._ending == "itself"

    def _reap_orphans(self) -> None:
        if self._shell_status is None:
            self._shell_status = self.behind.status()
            self._exited = self._shell_status is not None

    def _reap_all(self) -> None:
        if self._shell_status is None:
            self._shell_status = self.behind.status()
        super()._reap_all()

    def _kill_everything(self) -> None:
        self.behind.kill()

    def _living(self) -> list[tree.Proc]:
        return [proc for proc in tree.descendants(os.getpid()) if not proc.dead and proc.pid != self.pid]
