"""Shells that were started ahead and wait for their commands: each is used once."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.process.prepared import Prepared, ReadyKey, can_wait, prepare, ready_key

if TYPE_CHECKING:
    from limpet.model.plan import Plan
    from limpet.process.keepers import Held, Keepers

_MOST = 8


class ReadyShells:
    """The waiting shells of this process, oldest first, for any thread and any event loop."""

    def __init__(self, keepers: Keepers) -> None:
        self._keepers = keepers
        self._lock = threading.Lock()
        self._owner = os.getpid()
        os.register_at_fork(after_in_child=self._forget)
        self._shells: dict[ReadyKey, list[Prepared]] = {}

    def start(self, plan: Plan) -> Prepared | None:
        """Hand the plan's command to a shell that was started for plans like it; None when there is none."""
        if not can_wait(plan):
            return None
        while (shell := self._take(ready_key(plan))) is not None:
            try:
                if shell.fits(plan):
                    shell.start(plan, announce=plan.announce)
                    return shell
            except OSError:  # it was killed while it waited
                pass
            shell.discard()
        return None

    def wants(self, plan: Plan) -> bool:
        """Whether another shell like the plan's should be started."""
        with self._lock:
            return can_wait(plan) and self._count(ready_key(plan)) < plan.ready and self._owner == os.getpid()

    def add(self, plan: Plan, held: Held) -> None:
        """Start one, in the hands of a keeper that has nothing to do."""
        if held.retire():
            return
        try:
            shell = prepare(plan, self._keepers, held)
        except LaunchError:  # the next command will tell why
            return
        with self._lock:
            self._shells.setdefault(shell.key, []).append(shell)
            dropped = self._surplus()
        for old in dropped:
            old.discard()

    def _forget(self) -> None:
        """In a forked child: they are its parent's, and go on waiting for it."""
        for shell in [shell for waiting in self._shells.values() for shell in waiting]:
            shell.close()
        self._lock, self._owner, self._shells = threading.Lock(), os.getpid(), {}

    def rest(self) -> None:
        """End all that wait."""
        with self._lock:
            shells = [shell for waiting in self._shells.values() for shell in waiting]
            self._shells = {}
        for shell in shells:
            shell.discard()

    def _take(self, key: ReadyKey) -> Prepared | None:
        with self._lock:
            waiting = self._shells.get(key)
            return waiting.pop(0) if waiting else None

    def _count(self, key: ReadyKey) -> int:
        return len(self._shells.get(key, ()))

    def _surplus(self) -> list[Prepared]:
        """Shells of other kinds that have waited longest, when there are too many in all."""
        dropped = []
        while sum(map(len, self._shells.values())) > _MOST:
            oldest = next(key for key, waiting in self._shells.items() if waiting)
            dropped.append(self._shells[oldest].pop(0))
        self._shells = {key: waiting for key, waiting in self._shells.items() if waiting}
        return dropped
