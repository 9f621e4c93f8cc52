"""Runs and tasks that were begun before -> read, typed into, ended, listed."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import anyio

from limpet.errors import InvalidRequestError, ScreenUnavailableError, StoreError
from limpet.logs import StoredLog, is_task
from limpet.model.keys import typed
from limpet.render.screen import Screen
from limpet.surfaces.mcp import arguments, texts
from limpet.surfaces.mcp.answers import Answers, said, tail_of
from limpet.surfaces.mcp.held import TELL_EVERY, Looker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import mcp_types as types

    from limpet.shell import Shell
    from limpet.surfaces.mcp.runs import Run, Runs
    from limpet.surfaces.mcp.talk import Talk
    from limpet.tasks.task import Task

_SETTLE = 1.0
"""Seconds that a command gets to answer what was typed, or to ask the next: that is seen after half a second."""
_LINES = 40
_TASKS = 20
"""Of those that are over, so many are listed."""


class Afterwards:
    """What can be done with a command that goes on, or is over."""

    def __init__(self, runs: Runs, answers: Answers, *, patience: float) -> None:
        self._runs = runs
        self._patience = patience
        self._answers = answers

    async def output(self, talk: Talk, shell: Shell, given: Mapping[str, Any]) -> types.CallToolResult:
        """What it printed."""
        wanted = arguments.reading(given, patience=self._patience)
        if is_task(wanted.id):
            return await self._of_task(talk, _task(shell, wanted.id), wanted)
        run = self._run(wanted.id)
        if run is not None and wanted.wait:
            await look_on(talk, run, wanted.wait)
        if wanted.screen:
            return await _screen(self._runs.find(wanted.id))
        text, end = _read(wanted, known=run is not None)
        return said(_page(f"Run {wanted.id}: {'over' if run is None else texts.status(run)}", end, text))

    async def type(self, talk: Talk, shell: Shell, given: Mapping[str, Any]) -> types.CallToolResult:
        """Into its terminal."""
        wanted = arguments.typing(given)
        text = wanted.text + typed(*wanted.keys)
        if is_task(wanted.id):
            task = _task(shell, wanted.id)
            await task.send(text)
            return await self._of_task(talk, task, arguments.Reading(task.id, _LINES, 0, None, _SETTLE, wanted.screen))
        run = self._runs.find(wanted.id)
        run.type(text)
        await look_on(talk, run, _SETTLE)
        return await _screen(run) if wanted.screen and run.result is None else self._answers.of(run)

    async def stop(self, shell: Shell, given: Mapping[str, Any]) -> types.CallToolResult:
        """With everything it started."""
        name = arguments.name(given)
        with anyio.CancelScope(shield=True):  # once begun, it is brought to its end
            if is_task(name):
                return self._answers.ended(await _task(shell, name).stop())
            run = self._runs.find(name)
            await run.stop()
        return self._answers.of(run)

    def list(self, shell: Shell, given: Mapping[str, Any]) -> types.CallToolResult:
        """All that run, and some that are over."""
        arguments.nothing(given)
        tasks = [task.status() for task in shell.tasks()]
        over = [task for task in tasks if task.over][-_TASKS:]
        return said(texts.listed(self._runs.all(), [*over, *(task for task in tasks if not task.over)]))

    async def _of_task(self, talk: Talk, task: Task, wanted: arguments.Reading) -> types.CallToolResult:
        if wanted.wait:
            await Looker(talk).until(task, wanted.wait)
        status = f"Task {task.id}: {texts.status_of(task.status())}"
        if wanted.screen:
            return await _shown(status, task.screen, task.id)
        try:
            part = task.read(since=wanted.since, tail=wanted.tail, grep=wanted.grep)
        except StoreError:
            return said(_page(status, 0, ""))
        gone = f"[{part.dropped_bytes:,} bytes before this are gone]\n" if part.dropped_bytes else ""
        return said(_page(status, part.next_offset, gone + part.text))

    def _run(self, name: str) -> Run | None:
        """A run of this server; else the stored output has to do."""
        with contextlib.suppress(InvalidRequestError):
            return self._runs.find(name)
        return None


async def look_on(talk: Talk, run: Run, seconds: float) -> None:
    """Until it is over, asks something, or the time has passed, telling what is seen meanwhile.

    Called off, it leaves the command alone: whoever owns it ends it.
    """
    waiting = asyncio.ensure_future(run.until(seconds))
    try:
        while not (await asyncio.wait([waiting], timeout=TELL_EVERY))[0]:
            await talk.progress(run.seconds, texts.progress(run))
    finally:
        waiting.cancel()


async def _screen(run: Run) -> types.CallToolResult:
    size, data = run.drawn()

    def draw() -> Screen:
        screen = Screen(rows=size.rows, columns=size.columns)
        screen.feed(data)
        return screen

    return await _shown(f"Run {run.id}: {texts.status(run)}", draw, run.id)


async def _shown(status: str, draw: Callable[[], Screen], name: str) -> types.CallToolResult:
    """The screen; the last lines where nothing is there to draw it with."""
    try:
        return said(f"{status}\n{texts.screen(await asyncio.to_thread(draw))}")
    except ScreenUnavailableError:
        return said(f"{status}\n(no screen: limpet[screen] is not installed; the last lines)\n\n{tail_of(name)}")


def _task(shell: Shell, name: str) -> Task:
    """One of this workspace: a client has no business with those of others."""
    with contextlib.suppress(InvalidRequestError):
        task = shell.task(name)
        if task.status().workspace == shell.workspace:
            return task
    raise InvalidRequestError(f"there is no task {name!r} in this workspace; bash_tasks lists them", field="id")


def _page(status: str, end: int, text: str) -> str:
    shown = texts.bounded(text, what="narrow it with tail, since or grep").strip("\n")
    return f"{status}\nNext offset: {end}\n\n{shown or '(nothing)'}"


def _read(wanted: arguments.Reading, *, known: bool) -> tuple[str, int]:
    """What is wanted of the stored output, and where that ends now; a run that is known may have printed nothing."""
    try:
        log = StoredLog(wanted.id)
    except StoreError:
        if known:
            return "", 0
        raise
    return log.part(since=wanted.since, tail=wanted.tail, grep=wanted.grep)
