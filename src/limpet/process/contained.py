"""A run behind walls: its shell is a child of the keeper, all others are its descendants or the first process's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.process import tree
from limpet.process.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.process.house import House
    from limpet.process.memory import MemoryWatch


class ContainedRun(Run):
    """One command from its start to the death of its last process, all of them behind walls."""

    def __init__(
        self, house: House, shell: int, let_go_of_walls: Callable[[], None], *, memory: MemoryWatch | None
    ) -> None:
        super().__init__(shell, memory=memory)
        self._house = house
        self._let_go_of_walls = let_go_of_walls
        self.end = self._end_of(shell)
        self._reaped = False

    def _end_of(self, shell: int) -> int:
        """A descriptor that becomes readable then. Raises OSError, and nothing is left of the shell."""
        try:
            return os.pidfd_open(shell)
        except OSError:
            self._house.end()
            self._let_go_of_walls()
            raise

    @property
    def first(self) -> int:
        """The first process behind the walls: limpet's own."""
        return self._house.pid

    @property
    def wakes(self) -> tuple[int, ...]:
        """When the shell has ended; when somebody has who had lost their parent, and nobody is left."""
        return self.end, self._house.report

    def hear(self, fd: int) -> bool:  # noqa: ARG002 - there is one beside the shell's end
        """What those have used who had lost their parent."""
        user, system = self._house.used()
        self._cpu_user += user
        self._cpu_system += system
        return True

    def let_go(self) -> None:
        """Its walls are not needed any more."""
        self._let_go_of_walls()
        os.close(self.end)

    def _all_ended(self) -> bool:
        if not self._reaped and self._reap(self.pid):
            self._exited = self._reaped = True
        if self._reaped and not self._killing and self._house.alone():
            return True
        # The house is gone only when all are who were in it.
        return self._reaped and self._house.ended()

    def _reap_all(self) -> None:
        """All that comes to the keeper is the shell."""
        self._all_ended()

    def _kill_everything(self) -> None:
        self._house.kill()

    def _living(self) -> list[tree.Proc]:
        return [proc for proc in tree.descendants(os.getpid()) if not proc.dead and proc.pid != self.first]
