"""Settings -> when a call comes back without the end of its command, and what holds for one in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.config.settings import OnTimeout
from limpet.tasks.patience import Patience

if TYPE_CHECKING:
    from limpet.config import Settings
    from limpet.model.request import Request

_YEAR = 365 * 86_400.0


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
