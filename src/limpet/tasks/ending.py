"""Waiting for the end of a task, and bringing it about."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import time
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.kernel.identity import is_alive, pin
from limpet.model.result import Outcome
from limpet.model.task import TaskState
from limpet.tasks.record import End

if TYPE_CHECKING:
    from limpet.kernel.identity import Identity
    from limpet.tasks.folder import TaskFolder

_LOOK_EVERY = 0.02
_LOOK_SELDOM = 0.25
_PATIENCE = 15.0
_AFTER_KILL = 5.0
_NOT_ANSWERED = "its holder did not answer and was killed, and everything it had started was ended with it"


async def until_over(folder: TaskFolder, seconds: float | None) -> bool:
    """Sleep until nothing more will come of it; False when that takes longer. The kernel wakes us, nobody looks."""
    end = float("inf") if seconds is None else time.monotonic() + seconds
    while True:
        ended, standing = folder.over()
        if ended is not None:
            return True
        left = end - time.monotonic()
        if left <= 0:
            return False
        pidfd = None if standing is None else pin(standing.holder)
        if pidfd is not None:
            if folder.foreground:  # its holder may go on with another
                left = min(left, _LOOK_SELDOM)
            try:
                await _ready(pidfd, left)
            finally:
                os.close(pidfd)
        else:  # it is about to have a holder, has just lost it, or has one that cannot be seen from here
            await asyncio.sleep(min(left, _LOOK_EVERY if standing is None else _LOOK_SELDOM))


async def bring_about(folder: TaskFolder, *, now: bool, ladder: float) -> None:
    """End it; it is over when this returns. Raises LaunchError when that was not possible."""
    holder = await _holder(folder)
    if holder is None:
        return
    if is_alive(holder) is None:
        raise LaunchError(f"task {folder.id} is held in another pid namespace (a container?): stop it there")
    pidfd = pin(holder)
    if pidfd is None:
        folder.over()  # it has just gone
        return
    try:
        _signal(folder, pidfd, signal.SIGQUIT if now else signal.SIGTERM)
        if await _gone(pidfd, ladder + _PATIENCE):
            folder.over()
            return
        _signal(folder, pidfd, signal.SIGKILL)
        if not await _gone(pidfd, _AFTER_KILL):
            raise LaunchError(f"task {folder.id}: its holder {holder.pid} could not be killed")
    finally:
        os.close(pidfd)
    folder.settle(End(state=TaskState.STOPPED, outcome=Outcome.CANCELLED, finished_at=time.time(), error=_NOT_ANSWERED))


async def _holder(folder: TaskFolder) -> Identity | None:
    """Who holds it; None when it is over. One that starts has a holder in a moment."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        ended, standing = folder.over()
        if ended is not None:
            return None
        if standing is not None:
            return standing.holder
        await asyncio.sleep(_LOOK_EVERY)
    raise LaunchError(f"task {folder.id} has not started yet, and nobody says why; try again")


def _signal(folder: TaskFolder, pidfd: int, number: int) -> None:
    try:
        signal.pidfd_send_signal(pidfd, number)
        signal.pidfd_send_signal(pidfd, signal.SIGCONT)  # somebody may have stopped it
    except ProcessLookupError:
        pass
    except PermissionError:
        raise LaunchError(f"task {folder.id} belongs to another user, and may not be ended by this one") from None


async def _gone(pidfd: int, seconds: float) -> bool:
    await _ready(pidfd, seconds)
    return bool(select.select([pidfd], [], [], 0)[0])


async def _ready(pidfd: int, seconds: float) -> None:
    """Sleep until the process has ended, or for that long."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(pidfd, ended.set)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if seconds == float("inf") else seconds):
                await ended.wait()
    finally:
        loop.remove_reader(pidfd)
