"""Work that must not be left half done, whoever cancels the task it runs in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

T = TypeVar("T")


async def to_the_end(work: Coroutine[Any, Any, T], *, again: Callable[[], object] | None = None) -> T:
    """Wait for `work` through any number of cancellations; `again` is called for each.

    The caller has been cancelled or is about to leave anyway: what it waits for is bounded by the stop ladder.
    """
    task = asyncio.ensure_future(work)
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise
            if again is not None:
                again()
        except BaseException:  # noqa: BLE001, S110 - it is the task's own, and raised below
            pass
    return task.result()
