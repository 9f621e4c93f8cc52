"""Settings -> when a call comes back without the end of its command, and what holds for one in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.config.settings import OnTimeout
from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from limpet.config import Settings
    from limpet.model.request import Request

_YEAR = 365 * 86_400.0


def task_settings(settings: Settings) -> Settings:
    """What a request for the background is admitted by: its own time limit, and room for its output."""
    run = msgspec.structs.replace(settings.run, timeout=settings.tasks.timeout, max_timeout=_YEAR)
    output = msgspec.structs.replace(settings.output, disk=settings.tasks.output)
    return msgspec.structs.replace(settings, run=run, output=output)


def patience(request: Request, yield_after: float | None, settings: Settings) -> float | None:
    """After how many seconds the call comes back without the end; None when it never does."""
    if yield_after is None:
        return request.timeout if settings.run.on_timeout is OnTimeout.BACKGROUND else None
    if isinstance(yield_after, bool) or not isinstance(yield_after, (int, float)) or not 0 <= yield_after <= _YEAR:
        raise InvalidRequestError(f"yield_after must be a number of seconds, not {yield_after!r}", field="yield_after")
    return float(yield_after)


def unlimited(request: Request, after: float, settings: Settings) -> Request:
    """Where the time limit means the background, the command has the limit of a task instead."""
    if settings.run.on_timeout is not OnTimeout.BACKGROUND or request.timeout is None or after < request.timeout:
        return request
    return msgspec.structs.replace(request, timeout=settings.tasks.timeout)
