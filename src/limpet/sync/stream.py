"""One run, seen and answered while it happens, blocking."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Self

from limpet.engine import stream
from limpet.engine.blocking import wait
from limpet.sync.twin import called, in_loop, waiting

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from types import TracebackType

    from limpet.model.event import Event


class Stream:
    """Blocking twin of `limpet.Stream`: `with shell.stream(...) as run: for event in run`."""

    def __init__(self, inner: stream.Stream) -> None:
        self._inner = inner

    def __enter__(self) -> Self:
        wait(self._inner.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wait(self._inner.__aexit__(kind, error, trace))

    def __iter__(self) -> Iterator[Event]:
        events = wait(called(self._inner.__aiter__))
        with contextlib.suppress(StopAsyncIteration):
            while True:
                yield wait(_next(events))

    send = in_loop(stream.Stream.send)
    send_keys = in_loop(stream.Stream.send_keys)
    close_input = in_loop(stream.Stream.close_input)
    resize = in_loop(stream.Stream.resize)
    result = waiting(stream.Stream.result)


async def _next(events: AsyncIterator[Event]) -> Event:
    return await anext(events)
