"""`limpet attach`: a person at the terminal of a background task."""

from __future__ import annotations

import asyncio
import codecs
import time
from typing import TYPE_CHECKING

import click

from limpet.errors import StoreError, limpetError
from limpet.model.task import TaskInput
from limpet.render.tasks import sentence
from limpet.surfaces.cli.exits import exit_status
from limpet.surfaces.cli.found import tasks_of
from limpet.surfaces.cli.options import screen_size
from limpet.surfaces.cli.run import Interrupt
from limpet.surfaces.cli.seat import LEAVE_NAME, Seat, at_the_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet import Task
    from limpet.model.task import TaskStatus
    from limpet.tasks.line import Line

_BEFORE = 256 * 1024
"""Bytes of what it printed before that are looked at: more than a screen takes."""
_ENTER, _LEFT = b"\x1b[?1049h", b"\x1b[?1049l"
_QUICK, _SLOW = 0.01, 0.1
"""Seconds between two looks for output: while somebody types or it prints, and when neither happens."""
_QUIET = 1.0
_OVER_EVERY = 0.1
_SOON = 2.0
"""A task whose line has gone is over in a moment, if that is why."""


@click.command("attach")
@click.argument("task", metavar="ID")
def command(task: str) -> int:
    """Sit down at the terminal of task ID: its screen is shown, every key goes to it; ctrl-] leaves it running.

    The task was started with --terminal. Several may be attached at once. Exit status: 0 when you left, else that of
    the task.
    """
    found = tasks_of(None).task(task)
    status = found.status()
    if status.over:
        click.echo(f"limpet: {sentence(status)}", err=True)
        return exit_status(found.result())
    _check(status)
    return asyncio.run(_attached(found))


def _check(status: TaskStatus) -> None:
    name = status.task_id
    if status.input is TaskInput.NONE:
        raise click.UsageError(
            f"task {name} has no terminal: start it with --terminal; limpet logs -f {name} follows it"
        )
    if status.input is TaskInput.PIPE:
        raise click.UsageError(f"task {name} has no terminal: limpet logs -f {name}, and limpet send {name} TEXT")
    if not at_the_terminal():
        raise click.UsageError(f"attach needs a terminal: limpet logs -f {name}, and limpet send {name} TEXT")


def last_screen(data: bytes, rows: int) -> int:
    """Where to begin to draw: where a program took the whole screen that it still has, else some lines from the end."""
    if (entered := data.rfind(_ENTER)) > data.rfind(_LEFT):
        return entered
    at = len(data)
    for _ in range(rows):
        at = data.rfind(b"\n", 0, at)
        if at < 0:
            return 0
    return at + 1


async def _attached(task: Task) -> int:
    interrupt = Interrupt()
    try:
        with task.line() as line:
            click.echo(f"attached to {task.id}; every key goes to it; {LEAVE_NAME} leaves it running", err=True)
            await Visit(task, line, interrupt).stay()
    except limpetError:
        await task.wait(_SOON)
        if not task.status().over:  # else it ended under our hands
            raise
    finally:
        interrupt.close()
    status = task.status()
    if not status.over:
        click.echo(f"left task {task.id}; it goes on: limpet attach {task.id}", err=True)
        return interrupt.status
    click.echo(f"limpet: {sentence(status)}", err=True)
    return exit_status(task.result())


class Visit:
    """From sitting down to leaving, or to the end of the task."""

    def __init__(self, task: Task, line: Line, interrupt: Interrupt) -> None:
        self._task, self._line = task, line
        self._token = interrupt.token
        self._trouble: limpetError | None = None
        self._seat = Seat(self._press, self._resize, self._token.cancel, lambda: self._token.cancelled)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._busy = time.monotonic()
        self._at = 0

    async def stay(self) -> None:
        """Until the task is over or the person has left. Raises limpetError when the line breaks."""
        try:
            self._seat.take()
            self._at = self._start()
            await self._draw()
            self._redraw()
            await self._follow()
        finally:
            self._seat.give_back()
        click.echo("\n" * self._seat.torn, err=True, nl=False)
        if self._trouble is not None:
            raise self._trouble

    async def _follow(self) -> None:
        looked, over = 0.0, False
        while not (over or self._token.cancelled):
            if time.monotonic() - looked > _OVER_EVERY:  # asked first: what was printed before the end is drawn
                looked, over = time.monotonic(), self._task.status().over
            await self._draw()
            await asyncio.sleep(_QUICK if time.monotonic() - self._busy < _QUIET else _SLOW)

    def _start(self) -> int:
        try:
            log = self._task.log()
            base = max(log.first, log.size - _BEFORE)
            return base + last_screen(b"".join(log.read(since=base)), screen_size().rows)
        except StoreError:
            return 0

    async def _draw(self) -> None:
        try:
            with self._task.log().view() as view:
                pieces = [data for _, data in view.read(self._at, None)]
                self._at = max(self._at, view.end)
        except StoreError:  # nothing printed so far
            return
        if pieces:
            self._busy = time.monotonic()
            await self._seat.draw("".join([self._decoder.decode(data) for data in pieces]))

    def _press(self, keys: bytes) -> None:
        self._busy = time.monotonic()
        self._said(lambda: self._line.send(keys))

    def _resize(self, rows: int, columns: int) -> None:
        self._said(lambda: self._line.resize(rows, columns))

    def _redraw(self) -> None:
        """A program that fills the screen draws it anew when its size changes, and only then."""
        size = screen_size()
        if size.rows > 1:
            self._resize(size.rows - 1, size.columns)
        self._resize(size.rows, size.columns)

    def _said(self, say: Callable[[], None]) -> None:
        try:
            say()
        except limpetError as error:
            self._trouble = error
            self._token.cancel()
