"""One run, seen and answered while it happens."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Self

from limpet.engine.patience import to_the_end
from limpet.model.keys import typed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from types import TracebackType
    from typing import Any

    from limpet.engine.feed import Feed
    from limpet.engine.handle import Handle
    from limpet.model.event import Event
    from limpet.model.result import Result


class Stream:
    """One run, seen as it happens: `async with shell.stream(...) as run: async for event in run`."""

    def __init__(self, feed: Feed, handle: Handle, execute: Callable[[], Coroutine[Any, Any, Result]]) -> None:
        self._feed = feed
        self._handle = handle
        self._execute = execute
        self._task: asyncio.Task[Result] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.ensure_future(self._execute())
        self._task.add_done_callback(lambda _: self._feed.end())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        me = asyncio.current_task()
        calls = me.cancelling() if me is not None else 0
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await to_the_end(_outcome(self._task), again=self._task.cancel)
        if me is not None and me.cancelling() > calls:
            raise asyncio.CancelledError  # it came while we waited, and is the caller's
        if kind is None and not self._task.cancelled():
            self._task.result()  # what limpet could not do is not swallowed

    async def __aiter__(self) -> AsyncIterator[Event]:
        async for event in self._feed:
            yield event
        await self.result()

    def send(self, text: str | bytes) -> None:
        """Have the command read this: it has a terminal, or was started with `stdin=limpet.OPEN`."""
        self._handle.send(text)

    def send_keys(self, *keys: str) -> None:
        """Press keys of the command's terminal, by name: `enter`, `up`, `ctrl-c`, `f1`; single characters are text."""
        self._handle.send(typed(*keys))

    def close_input(self) -> None:
        """Nothing more will be sent."""
        self._handle.close_input()

    def resize(self, rows: int, columns: int) -> None:
        """The command's terminal is of another size now."""
        self._handle.resize(rows, columns)

    async def result(self) -> Result:
        """The result, once it is over."""
        assert self._task is not None, "enter the block first"
        return await asyncio.shield(self._task)


async def _outcome(task: asyncio.Task[Result]) -> None:
    await asyncio.wait([task])
