"""Shells that keepers start ahead for commands to come: each is used once."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING, NamedTuple

from limpet.process import wire
from limpet.process.prepared import Expected, Prepared, ReadyKey

if TYPE_CHECKING:
    from limpet.model.plan import Plan

_MOST_KINDS = 8
_REST = 0.0025
_REST_AMONG_MANY = 0.012


class Promise(NamedTuple):
    """Another shell, once the command is over."""

    key: ReadyKey
    linger: float | None
    """Seconds that it waits for a command; None: as long as there is a client."""
    rest: float
    """Seconds before it is started: first come the answer, and commands that run at the same time."""


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
        self._promised: dict[ReadyKey, int] = {}
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
                    expected.held.let_go()
                    self._shells[key].remove(expected)
                    continue
                if shell is not None:
                    self._shells[key].remove(expected)
                    return shell
        return None

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

    def grows(self, key: ReadyKey) -> bool:
        """Whether there is one, or about to be, whose keeper is new."""
        with self._lock:
            return any(not expected.held.jobs for expected in self._shells.get(key, ()))

    def put_back(self, expected: Expected) -> None:
        """Nobody waits for it any more."""
        with self._lock:
            self._shells.setdefault(expected.key, []).insert(0, expected)

    def promise(self, plan: Plan, key: ReadyKey) -> Promise | None:
        """What the keeper of this command is to do afterwards: start another shell. To be kept or broken."""
        with self._lock:
            promised = self._promised.get(key, 0)
            count = len(self._shells.get(key, ())) + promised
            if count >= plan.ready + self._more.get(key, 0):
                return None
            self._promised[key] = promised + 1
            linger = wire.LINGER if count >= plan.ready else None
            return Promise(key, linger, _REST_AMONG_MANY if promised else _REST)

    def missed(self, plan: Plan, key: ReadyKey) -> None:
        """There was none, nor is one to come: for a while more are kept, up to twice as many."""
        with self._lock:
            self._more[key] = min(plan.ready, self._more.get(key, 0) + 1)

    def expect(self, expected: Expected) -> None:
        """One that was promised is being started."""
        self.break_promise(expected.key)
        with self._lock:
            self._shells.setdefault(expected.key, []).append(expected)
            dropped = self._surplus()
        for old in dropped:
            old.held.let_go()

    def keep(self, shell: Prepared, promise: Promise) -> bool:
        """The command of a shell whose keeper made a promise is over: another will come, unless the keeper is worn."""
        if shell.held.retire():
            self.break_promise(shell.key)
            return False
        shell.held.lingers(promise.linger)
        self.expect(Expected(shell.held, shell.key, shell.folder))
        return True

    def break_promise(self, key: ReadyKey) -> None:
        """None will come of it."""
        with self._lock, contextlib.suppress(KeyError):
            self._promised[key] -= 1
            if self._promised[key] <= 0:
                del self._promised[key]

    def rest(self) -> None:
        """End all that wait."""
        with self._lock:
            shells = [shell for waiting in self._shells.values() for shell in waiting]
            self._shells = {}
        for shell in shells:
            shell.held.let_go()

    def waiting(self) -> int:
        """How many are there, or about to be."""
        with self._lock:
            return sum(map(len, self._shells.values()))

    def _surplus(self) -> list[Expected]:
        """Shells of the kind that was not asked for longest, when there are too many kinds."""
        self._shells = {key: waiting for key, waiting in self._shells.items() if waiting}
        self._more = {key: more for key, more in self._more.items() if key in self._shells}
        return self._shells.pop(next(iter(self._shells))) if len(self._shells) > _MOST_KINDS else []

    def _after_fork(self) -> None:
        """In a forked child: they are its parent's, and go on waiting for it."""
        for shell in [shell for waiting in self._shells.values() for shell in waiting]:
            shell.held.sock.close()
        self._forget()
