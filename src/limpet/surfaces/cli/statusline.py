"""What runs and for how long, or the line that the command draws again and again: the last line of a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from typing import TYPE_CHECKING

from limpet.render.paint import columns, shorten
from limpet.surfaces.cli.colors import width

if TYPE_CHECKING:
    from collections.abc import Callable

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FD = 2
_TICK = 0.1
_AFTER = 0.5
"""Seconds of silence before it turns: most commands are over by then."""
_ERASE = "\r\x1b[2K"


class StatusLine:
    """A sign of life; it makes room for output and comes back after it."""

    def __init__(self, redrawn: Callable[[], str]) -> None:
        """`redrawn` gives the present state of a line that the command itself draws again, if it does."""
        self._redrawn = redrawn
        self._task: asyncio.Task[None] | None = None
        self._line = ""
        """What the command has on the last line of the terminal."""
        self._shown = False
        self._output_comes = False
        self._words = ""

    def start(self, description: str) -> None:
        """Begin to turn."""
        self._task = asyncio.ensure_future(self._turn(description or "running"))

    def say(self, words: str) -> None:
        """Say this instead of what runs, until there is nothing to say."""
        self._words = words

    def make_room(self) -> None:
        """Output comes: until `settle` is called nothing is drawn."""
        self._output_comes = True
        self._erase()

    def settle(self, shown: str) -> None:
        """Output has come; it may be drawn below it now."""
        self._line = (self._line + shown).rpartition("\n")[2][-4096:]
        self._output_comes = False

    async def stop(self) -> None:
        """Leave nothing behind."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._erase()

    async def _turn(self, description: str) -> None:
        began = time.monotonic()
        while True:
            await asyncio.sleep(_TICK)
            seconds = time.monotonic() - began
            if seconds > _AFTER and not self._output_comes and (text := self._text(description, seconds)):
                _put(_ERASE + text)
                self._shown = True

    def _text(self, description: str, seconds: float) -> str:
        room = width(_FD) - 1
        if redrawn := self._redrawn():
            return shorten(redrawn, room) if columns(self._line) <= room else ""
        if self._line:  # a question without a line end must stay readable
            return ""
        elapsed = f" {seconds:.0f} s"
        frame = _FRAMES[int(seconds / _TICK) % len(_FRAMES)]
        return f"{frame} {shorten(self._words or description, room - 2 - len(elapsed))}{elapsed}"

    def _erase(self) -> None:
        if self._shown:
            _put(_ERASE + self._line)
        self._shown = False


def _put(text: str) -> None:
    with contextlib.suppress(OSError):  # the terminal is gone: nobody to show anything to
        os.write(_FD, text.encode("utf-8", "replace"))
