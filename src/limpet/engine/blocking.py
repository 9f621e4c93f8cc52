"""A coroutine -> its result, for code without an event loop: one loop runs in a thread of its own."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import os
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


def wait(work: Coroutine[Any, Any, T]) -> T:
    """Have the loop's thread do it. Ctrl-C here cancels it there, and waits until nothing of it is left."""
    loop = _loop(os.getpid())
    answer: concurrent.futures.Future[T] = concurrent.futures.Future()
    tasks: list[asyncio.Task[T]] = []

    def begin() -> None:
        tasks.append(loop.create_task(work))
        tasks[0].add_done_callback(lambda task: _hand_over(task, answer))

    loop.call_soon_threadsafe(begin)
    try:
        return answer.result()
    except BaseException:
        if not answer.done():
            loop.call_soon_threadsafe(tasks[0].cancel)
            concurrent.futures.wait([answer])
        raise


def _hand_over(task: asyncio.Task[T], answer: concurrent.futures.Future[T]) -> None:
    if task.cancelled():
        answer.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        answer.set_exception(error)
    else:
        answer.set_result(task.result())


@functools.lru_cache(maxsize=1)
def _loop(process: int) -> asyncio.AbstractEventLoop:  # noqa: ARG001 - a forked child needs a loop of its own
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="limpet", daemon=True).start()
    return loop
