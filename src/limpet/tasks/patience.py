"""For how long a run is waited for, until it goes on as a task; and what holds for it there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.config.settings import OnTimeout
from limpet.engine.cancel import CancelToken
from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.config import Settings
    from limpet.model.request import Request
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


def task_settings(settings: Settings) -> Settings:
    """What a request for the background is admitted by: its own time limit, and room for its output."""
    run = msgspec.structs.replace(settings.run, timeout=settings.tasks.timeout, max_timeout=_YEAR)
    output = msgspec.structs.replace(settings.output, disk=settings.tasks.output)
    return msgspec.structs.replace(settings, run=run, output=output)


def patience(request: Request, yield_after: float | Patience | None, settings: Settings) -> Patience | None:
    """For how long the call waits for the end; None when it always does."""
    if yield_after is None and settings.run.on_timeout is OnTimeout.BACKGROUND:
        yield_after = request.timeout
    return yield_after if yield_after is None or isinstance(yield_after, Patience) else Patience(yield_after)


def unlimited(request: Request, after: Patience, settings: Settings) -> Request:
    """Where the time limit means the background, the command has the limit of a task instead."""
    in_background = settings.run.on_timeout is OnTimeout.BACKGROUND
    if not in_background or request.timeout is None or after.seconds < request.timeout:
        return request
    return msgspec.structs.replace(request, timeout=settings.tasks.timeout)
