"""One run, seen and answered while it happens, blocking."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Self, TypeVar

from limpet.engine.blocking import wait

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from types import TracebackType

    from limpet.engine.stream import Stream as _Stream
    from limpet.model.event import Event
    from limpet.model.result import Result

T = TypeVar("T")


class Stream:
    """Blocking twin of `limpet.Stream`: `with shell.stream(...) as run: for event in run`."""

    def __init__(self, inner: _Stream) -> None:
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

    def send(self, text: str | bytes) -> None:
        """Have the command read this: it has a terminal, or was started with `stdin=limpet.OPEN`."""
        wait(called(lambda: self._inner.send(text)))

    def send_keys(self, *keys: str) -> None:
        """Press keys of the command's terminal, by name: `enter`, `up`, `ctrl-c`, `f1`; single characters are text."""
        wait(called(lambda: self._inner.send_keys(*keys)))

    def close_input(self) -> None:
        """Nothing more will be sent."""
        wait(called(self._inner.close_input))

    def resize(self, rows: int, columns: int) -> None:
        """The command's terminal is of another size now."""
        wait(called(lambda: self._inner.resize(rows, columns)))

    def result(self) -> Result:
        """The result, once it is over."""
        return wait(self._inner.result())


async def called(function: Callable[[], T]) -> T:
    """Call inside the loop what needs one."""
    return function()


async def _next(events: AsyncIterator[Event]) -> Event:
    return await anext(events)
