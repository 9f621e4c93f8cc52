"""A cancel token's call -> the right thing for the place a run has come to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.protocols import Running


class Stopper:
    """Stops one run, from any thread: what runs is ended, first with grace, then without; what waits is called off."""

    def __init__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._loop = task.get_loop()
        self._running: Running | None = None
        self._calls = 0
        self._interrupted = False
        self._retired = False

    def __call__(self) -> None:
        """The token was cancelled."""
        self._loop.call_soon_threadsafe(self._act)

    def watch(self, running: Running) -> None:
        """From now on there is something to end."""
        self._running = running
        if self._calls:
            running.stop()

    def let_go(self) -> None:
        """What was watched has ended, and somebody is asked about it: from now on that is called off."""
        self._running = None
        if self._calls:
            self._interrupt()

    def retire(self) -> None:
        """The run is over: a call that is still on its way must not reach what the task does next."""
        self._retired = True

    def took_back_its_cancel(self) -> bool:
        """Whether the cancellation that the task sees is this stopper's own, and nobody else's as well."""
        return self._interrupted and self._task.uncancel() == 0

    def _act(self) -> None:
        self._calls += 1
        if self._running is not None:
            self._running.stop(now=self._calls > 1)
        else:
            self._interrupt()

    def _interrupt(self) -> None:
        if not (self._interrupted or self._retired):
            self._interrupted = True
            self._task.cancel()
