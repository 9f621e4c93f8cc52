"""A switch that ends a run from anywhere: another task, another thread, a signal handler."""

from __future__ import annotations

import _thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class CancelToken:
    """Hand one to a run; `cancel()` ends that run, which then returns a Result with outcome CANCELLED."""

    def __init__(self) -> None:
        # Re-entrant: a signal handler may cancel while the same thread is registering a run.
        self._lock = _thread.RLock()
        self._cancelled = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """End every run that holds this token, now and later. A second call ends them without grace."""
        with self._lock:
            self._cancelled = True
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    def add_listener(self, listener: Callable[[], None]) -> None:
        """Have `listener` called on each cancel; at once if that has happened already."""
        with self._lock:
            self._listeners.append(listener)
            cancelled = self._cancelled
        if cancelled:
            listener()

    def remove_listener(self, listener: Callable[[], None]) -> None:
        """Forget a listener."""
        with self._lock:
            if listener in self._listeners:
                self._listeners.remove(listener)
