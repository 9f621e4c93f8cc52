"""For how long a run is waited for, until it goes on as a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.engine.cancel import CancelToken
from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.tasks.task import Task

_YEAR = 365 * 86_400.0


class Patience:
    """As `yield_after`, for one run: `task` is there while it is waited for, and `end` has the call come back at once.

    Raises InvalidRequestError for what is no number of seconds.
    """

    def __init__(self, seconds: float) -> None:
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds <= _YEAR:
            raise InvalidRequestError(f"yield_after must be a number of seconds, not {seconds!r}", field="yield_after")
        self.seconds = float(seconds)
        self.task: Task | None = None
        """What is waited for, once it runs."""
        self._over = CancelToken()

    def end(self) -> None:
        """Wait no longer: the command goes on by itself. For any thread."""
        self._over.cancel()

    def add_listener(self, listener: Callable[[], None]) -> None:
        """Have `listener` called at the end; at once where that has come."""
        self._over.add_listener(listener)

    def remove_listener(self, listener: Callable[[], None]) -> None:
        """Forget it."""
        self._over.remove_listener(listener)
