"""A command that a call waits for, and that goes on as a task where this takes too long."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import anyio

from limpet import Patience
from limpet.model.task import TaskState
from limpet.surfaces.mcp import texts

if TYPE_CHECKING:
    from limpet.model.result import Result
    from limpet.shell import Shell
    from limpet.surfaces.mcp.arguments import Command
    from limpet.surfaces.mcp.talk import Talk
    from limpet.tasks.task import Task

LOOK_EVERY = 0.2
TELL_EVERY = 1.0


async def run(talk: Talk, shell: Shell, wanted: Command) -> Result:
    """Its result; RUNNING where it goes on. Whoever calls the call off, or leaves, ends the command."""
    patience = Patience(wanted.patience)
    work = asyncio.ensure_future(shell.run(wanted.text, yield_after=patience, **wanted.options))
    looker = Looker(talk)
    try:
        while not (await asyncio.wait([work], timeout=LOOK_EVERY))[0]:
            if patience.task is not None and await looker.asks(patience.task):
                patience.end()
    except BaseException:
        work.cancel()
        with anyio.CancelScope(shield=True):  # called off, every await is called off again
            await asyncio.wait([work])
        raise
    return work.result()


class Looker:
    """Somebody who waits for a task, and is told now and then how it stands."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._told = time.monotonic()

    async def until(self, task: Task, seconds: float) -> None:
        """Its end, a question that it asks, or the time: whatever comes first."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            await task.wait(min(left, LOOK_EVERY))
            if task.status().over or await self.asks(task):
                return

    async def asks(self, task: Task) -> bool:
        """Whether it waits for input."""
        status = task.status()
        if time.monotonic() - self._told >= TELL_EVERY:
            self._told = time.monotonic()
            await self._talk.progress((status.duration_ms or 0) / 1000, texts.progress_of(task, status))
        return status.status is TaskState.WAITING
