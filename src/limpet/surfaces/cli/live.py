"""A run, shown to a person as it happens: its bytes to stdout and stderr, limpet's own words to stderr."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import TYPE_CHECKING

from limpet.model.event import Output, Prepared
from limpet.render import ansi
from limpet.render.live import VisibleStream
from limpet.render.paint import shorten
from limpet.surfaces.cli.colors import wants_color

if TYPE_CHECKING:
    from limpet import CancelToken
    from limpet.model.options import RunOptions
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.shell import Shell

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FDS = {"stdout": 1, "stderr": 2}


async def watch(shell: Shell, command: str, cancel: CancelToken, options: RunOptions) -> Result:
    """Run it and show everything; nothing is left out, however slow the reader."""
    screen = Screen()
    async with shell.stream(command, lossless=True, cancel=cancel, **options) as run:
        async for event in run:
            if isinstance(event, Prepared):
                screen.open(event.request)
            elif isinstance(event, Output):
                await screen.print(event)
        result = await run.result()
    await screen.close(result)
    return result


class Screen:
    """Where the output goes. A terminal gets it made safe, and a spinner while nothing comes; a pipe gets the bytes."""

    def __init__(self) -> None:
        self._person = sys.stderr.isatty()
        self._color = wants_color(sys.stderr)
        self._visible = {name: VisibleStream() for name, fd in _FDS.items() if os.isatty(fd)}
        self._spinner = Spinner() if self._person and os.isatty(2) and self._color else None

    def open(self, request: Request) -> None:
        """Say what is about to run."""
        if self._person:
            text = ansi.opening(
                request.command, request.description, request.cwd, request.timeout, color=self._color
            )  # fmt: skip
            _say(text)
        if self._spinner is not None:
            self._spinner.start(request.description)

    async def print(self, event: Output) -> None:
        """Pass on a piece, without blocking the event loop: the reader may be slow, and signals must be heard."""
        visible = self._visible.get(event.stream)
        data = event.data if visible is None else visible.feed(event.text).encode("utf-8", "replace")
        if data:
            if self._spinner is not None:
                self._spinner.clear(at_line_start=data.endswith(b"\n"))
            await asyncio.to_thread(_write, _FDS[event.stream], data)

    async def close(self, result: Result) -> None:
        """Say how it ended. In a pipe only what is not to be expected is said."""
        if self._spinner is not None:
            self._spinner.stop()
        for name, visible in self._visible.items():
            if rest := visible.finish().encode("utf-8", "replace"):
                await asyncio.to_thread(_write, _FDS[name], rest)
        if result.decision_refused:
            _say(ansi.blocked(result, color=self._color))
        elif self._person:
            _say(ansi.closing(result, color=self._color))
        elif result.error:
            _say(f"limpet: {result.error}")


class Spinner:
    """A sign of life on stderr while a command is silent."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._shown = False
        self._at_line_start = True

    def start(self, description: str) -> None:
        """Begin to turn."""
        self._task = asyncio.ensure_future(self._turn(description or "running"))

    def clear(self, *, at_line_start: bool) -> None:
        """Make room for output; it turns again once that has ended a line."""
        if self._shown:
            _put("\r\x1b[2K")
        self._shown, self._at_line_start = False, at_line_start

    def stop(self) -> None:
        """Leave nothing behind."""
        if self._task is not None:
            self._task.cancel()
        self.clear(at_line_start=True)

    async def _turn(self, description: str) -> None:
        began = time.monotonic()
        while True:
            await asyncio.sleep(0.1)
            elapsed = time.monotonic() - began
            if self._at_line_start and elapsed > 0.5:
                frame = _FRAMES[int(elapsed * 10) % len(_FRAMES)]
                _put(f"\r\x1b[2K{frame} {shorten(description, 60)} {elapsed:.0f} s")
                self._shown = True


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _say(text: str) -> None:
    sys.stderr.write(text if text.endswith("\n") else text + "\n")
    sys.stderr.flush()


def _put(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
