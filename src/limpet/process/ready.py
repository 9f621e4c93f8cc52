"""Shells that keepers start ahead for commands to come: each is used once."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import msgspec

from limpet.process import wire
from limpet.process.expected import Expected
from limpet.process.prepared import ReadyKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.model.plan import Plan
    from limpet.process.prepared import Prepared

_MOST_KINDS = 8
_LASTING = 2
"""Shells that wait for as long as there is a client; more of them do so for a while."""
_REST = 0.0025
_REST_AMONG_MANY = 0.012


class Promise(msgspec.Struct, frozen=True, eq=False):
    """Another shell, once the command is over."""

    key: ReadyKey
    linger: float | None
    """Seconds that it waits for a command; None: as long as there is a client."""
    rest: float
    """Seconds before it is started: first come the answer, and commands that run at the same time if all have one."""


class ReadyShells:
    """The waiting shells of this process, oldest first, for any thread and any event loop.

    A keeper that is told so when it gets a command starts the next shell by itself as soon as that command is over:
    nobody waits for it, and nobody has to ask.
    """

    def __init__(self) -> None:
        self._forget()
        os.register_at_fork(after_in_child=self._after_fork)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._shells: dict[ReadyKey, list[Expected]] = {}
        self._promised: dict[ReadyKey, list[Promise]] = {}
        self._more: dict[ReadyKey, int] = {}
        """How many more than usual: so many commands came at once."""

    def take(self, plan: Plan, key: ReadyKey) -> Prepared | None:
        """A shell that was started for plans with this key; None when none has come yet."""
        with self._lock:
            waiting = self._shells.get(key, ())
            for expected in list(waiting):
                try:
                    if expected.held.worn():
                        raise ConnectionError("it has waited too long")
                    shell = expected.arrived(plan)
                except OSError:  # killed while it waited, or its folder was replaced
                    if expected.held.worn():
                        self._more[key] = max(0, self._more.get(key, 0) - 1)
                    self._drop(expected)
                    continue
                if shell is not None:
                    self._shells[key].remove(expected)
                    return shell
        return None

    def fetch(self, key: ReadyKey) -> None:
        """Take those in that have come, while nobody waits."""
        with self._lock:
            for expected in list(self._shells.get(key, ())):
                try:
                    expected.fetch()
                except OSError:
                    self._drop(expected)

    def next_to_come(self, key: ReadyKey) -> Expected | None:
        """The one that will come next: whoever asks waits for it, or puts it back.

        A keeper that has its walls already is quicker than one that is new.
        """
        with self._lock:
            waiting = self._shells.get(key)
            if not waiting:
                return None
            first = next((at for at, expected in enumerate(waiting) if expected.held.jobs), 0)
            return waiting.pop(first)

    def put_back(self, expected: Expected) -> None:
        """Nobody waits for it any more."""
        with self._lock:
            self._shells.setdefault(expected.key, []).insert(0, expected)

    def promise(self, plan: Plan, key: ReadyKey) -> Promise | None:
        """What the keeper of this command is to do afterwards: start another shell. To be kept or broken."""
        with self._lock:
            return self._promise(key, plan.ready + self._more.get(key, 0), lasting=min(plan.ready, _LASTING))

    def one_more(self, plan: Plan, key: ReadyKey) -> Promise | None:
        """What a new keeper is to do: start a shell; None when there are enough, or one of a new keeper is unused."""
        with self._lock:
            if any(not expected.held.jobs for expected in self._shells.get(key, ())):
                return None
            return self._promise(key, plan.ready, lasting=0)

    def _promise(self, key: ReadyKey, most: int, *, lasting: int) -> Promise | None:
        waiting, promised = self._shells.get(key, ()), self._promised.get(key, ())
        if len(waiting) + len(promised) >= most:
            return None
        linger = None if _lasting(waiting, promised) < lasting else wire.LINGER
        promise = Promise(key, linger, _REST_AMONG_MANY if promised and waiting else _REST)
        self._promised.setdefault(key, []).append(promise)
        return promise

    def missed(self, plan: Plan, key: ReadyKey) -> None:
        """There was none, nor is one to come: for a while more are kept, up to twice as many."""
        with self._lock:
            self._more[key] = min(plan.ready, self._more.get(key, 0) + 1)

    def expect(self, expected: Expected, promise: Promise) -> None:
        """One that was promised is being started."""
        expected.held.lingers(promise.linger)
        with self._lock:
            self._forget_promise(promise)
            self._shells.setdefault(expected.key, []).append(expected)
            dropped = self._surplus() if len(self._shells) > _MOST_KINDS else []
        for old in dropped:
            old.let_go()

    def keep(self, shell: Prepared, promise: Promise) -> bool:
        """The command of a shell whose keeper made a promise is over: another will come, unless the keeper is worn."""
        if shell.held.retire():
            self.break_promise(promise)
            return False
        self.expect(Expected(shell.held, shell.key, shell.folder), promise)
        return True

    def break_promise(self, promise: Promise) -> None:
        """None will come of it."""
        with self._lock:
            self._forget_promise(promise)

    def _forget_promise(self, promise: Promise) -> None:
        promised = self._promised.get(promise.key)
        if promised is not None and promise in promised:  # else this is after a fork
            promised.remove(promise)
            if not promised:
                del self._promised[promise.key]

    def rest(self) -> None:
        """End all that wait."""
        with self._lock:
            shells = [shell for waiting in self._shells.values() for shell in waiting]
            self._shells = {}
        for shell in shells:
            shell.let_go()

    def waiting(self) -> int:
        """How many are there, or about to be."""
        with self._lock:
            return sum(map(len, self._shells.values()))

    def _drop(self, expected: Expected) -> None:
        self._shells[expected.key].remove(expected)
        expected.let_go()

    def _surplus(self) -> list[Expected]:
        """Shells of the kind that was not asked for longest, when there are too many kinds."""
        self._shells = {key: waiting for key, waiting in self._shells.items() if waiting}
        self._more = {key: more for key, more in self._more.items() if key in self._shells}
        return self._shells.pop(next(iter(self._shells))) if len(self._shells) > _MOST_KINDS else []

    def _after_fork(self) -> None:
        """In a forked child: they are its parent's, and go on waiting for it."""
        for shell in [shell for waiting in self._shells.values() for shell in waiting]:
            shell.close()
            shell.held.sock.close()
        self._forget()


def _lasting(waiting: Sequence[Expected], promised: Sequence[Promise]) -> int:
    """How many do not end by themselves, of those that are there and of those to come."""
    last = 0
    for expected in waiting:
        last += expected.held.lasts
    for promise in promised:
        last += promise.linger is None
    return last
