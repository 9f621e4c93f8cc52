"""A holder started ahead: the next task need not wait until a Python has been started and has read everything."""

from __future__ import annotations

import contextlib
import functools
import os
import threading

from limpet.errors import LaunchError
from limpet.process import detached

_ENTRY = "limpet.tasks.entry"


class Spare:
    """At most one holder that waits for a task, and ends with this process as long as it has none."""

    def __init__(self) -> None:
        self._forget()
        os.register_at_fork(after_in_child=self._after_fork)  # there is one of these in a process, for good

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._waiting: detached.Detached | None = None

    def take(self) -> detached.Detached:
        """The one that waits, or a new one. Raises LaunchError."""
        with self._lock:
            taken, self._waiting = self._waiting, None
        return taken or detached.start(_ENTRY)

    def new(self) -> detached.Detached:
        """One that was surely not killed while it waited. Raises LaunchError."""
        return detached.start(_ENTRY)

    def begin(self) -> None:
        """Have one start that will wait for the next task; where it cannot be started, the task says why."""
        with self._lock, contextlib.suppress(LaunchError):
            if self._waiting is None:
                self._waiting = detached.start(_ENTRY)

    def prepare(self) -> None:
        """The same, and wait for a moment: until it is nobody's child."""
        self.begin()
        with self._lock:
            if self._waiting is not None:
                self._waiting.reap()

    def keep(self, holder: detached.Detached) -> bool:
        """Have one wait that has done its work; False when there is one already."""
        with self._lock:
            if self._waiting is not None:
                return False
            self._waiting = holder
            return True

    def rest(self) -> None:
        """Let it go."""
        with self._lock:
            if self._waiting is not None:
                self._waiting.close()
                self._waiting = None

    def _after_fork(self) -> None:
        """It is the parent's."""
        if self._waiting is not None:
            self._waiting.sock.close()
        self._forget()


@functools.cache
def spare() -> Spare:
    """The one of this process."""
    return Spare()
