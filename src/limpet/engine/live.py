"""The runs that are under way in one shell."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from limpet.engine.cancel import CancelToken
from limpet.model.running import RunningCommand

if TYPE_CHECKING:
    from limpet.model.request import Request


class LiveRuns:
    """Who runs now, and how to end it."""

    def __init__(self) -> None:
        self._runs: dict[str, _Live] = {}

    def entered(self, request: Request, cancel: CancelToken | None) -> _Live:
        """A run, from here to the end of the block; the token that ends it, which `cancel` does, too."""
        return _Live(request, cancel, self._runs)

    def lines(self) -> list[RunningCommand]:
        """What runs now."""
        return [live.line() for live in self._runs.values()]

    async def stop(self, *, agent: str | None) -> int:
        """End all, or those of one agent, and wait for that; how many that were."""
        runs = [live for live in self._runs.values() if agent in (None, live.request.origin.agent)]
        for live in runs:
            live.token.cancel()
        for live in runs:
            await live.over()
        return len(runs)


class _Live:
    """A run under way."""

    def __init__(self, request: Request, cancel: CancelToken | None, runs: dict[str, _Live]) -> None:
        self.request = request
        self.token = CancelToken()
        self._over: asyncio.Event | None = None
        self._cancel = cancel
        self._runs = runs
        self._since = time.monotonic()

    def __enter__(self) -> CancelToken:
        self._runs[self.request.id] = self
        if self._cancel is not None:
            self._cancel.add_listener(self.token.cancel)
        return self.token

    def __exit__(self, *_: object) -> None:
        if self._cancel is not None:
            self._cancel.remove_listener(self.token.cancel)
        del self._runs[self.request.id]
        if self._over is not None:
            self._over.set()

    async def over(self) -> None:
        """Wait until it is."""
        if self.request.id in self._runs:
            self._over = self._over or asyncio.Event()
            await self._over.wait()

    def line(self) -> RunningCommand:
        request = self.request
        return RunningCommand(
            operation_id=request.id,
            command=request.command,
            description=request.description,
            agent=request.origin.agent,
            seconds=time.monotonic() - self._since,
        )
