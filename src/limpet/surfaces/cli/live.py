"""A run, shown to a person as it happens: its bytes to stdout and stderr, limpet's own words to stderr."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING

from limpet.model.event import Output, Prepared, Waiting
from limpet.render import ansi
from limpet.render.live import VisibleStream
from limpet.render.paint import Span, paint
from limpet.render.viewport import Highlighter
from limpet.surfaces.cli.colors import is_screen, wants_color, width
from limpet.surfaces.cli.interactive import passed_on
from limpet.surfaces.cli.statusline import StatusLine
from limpet.surfaces.cli.writing import write

if TYPE_CHECKING:
    from limpet import CancelToken
    from limpet.model.options import RunOptions
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.shell import Shell
    from limpet.transaction import Transaction

_FDS = {"stdout": 1, "stderr": 2}


async def watch(
    shell: Shell | Transaction,
    command: str,
    cancel: CancelToken,
    options: RunOptions,
    *,
    pass_stdin: bool = False,
) -> Result:
    """Run it and show everything; nothing is left out, however slow the reader.

    With `pass_stdin`, what comes on our standard input is typed at the terminal that the command has.
    """
    screen = Screen(cancel, typing=options.get("stdin") is not None and os.isatty(0))
    async with shell.stream(command, lossless=True, attended=pass_stdin, cancel=cancel, **options) as run:
        with passed_on(run) if pass_stdin else contextlib.nullcontext():
            async for event in run:
                if isinstance(event, Prepared):
                    screen.open(event.request)
                elif isinstance(event, Output):
                    await screen.print(event)
                elif isinstance(event, Waiting):
                    screen.waits(event)
        result = await run.result()
    await screen.close(result)
    return result


class Screen:
    """Where the output goes. A terminal gets it made safe, and a pipe gets the bytes.

    Heading, status and all that is for people is there when both streams are a terminal: otherwise somebody else reads.
    """

    def __init__(self, cancel: CancelToken, *, typing: bool = False) -> None:
        self._cancel = cancel
        self._person = all(os.isatty(fd) for fd in _FDS.values())
        self._streams = {name: LiveStream(fd) for name, fd in _FDS.items()}
        drawn = self._person and not typing and all(is_screen(fd) for fd in _FDS.values())
        self._status = StatusLine(self._redrawn) if drawn else None
        self._torn = False
        """Whether our words would continue a line of the command's."""
        self._deaf: set[int] = set()
        """Descriptors whose reader takes nothing any more."""

    def open(self, request: Request) -> None:
        """Say what is about to run."""
        if self._person:
            words = ansi.opening(
                request.command, request.description, request.cwd, request.timeout,
                color=wants_color(2), width=width(2),
            )  # fmt: skip
            write(2, words.encode("utf-8", "replace"), self._nobody_waits)
        if self._status is not None:
            self._status.start(request.description)

    def waits(self, event: Waiting) -> None:
        """Say that it waits for input, or no longer."""
        if self._status is not None:
            self._status.say(f"waits for input: {event.prompt}".rstrip(": ") if event.waiting else "")

    async def print(self, event: Output) -> None:
        """Pass on a piece, without blocking the event loop: the reader may be slow, and signals must be heard."""
        await self._put(self._streams[event.stream], event.data, event.text)

    async def close(self, result: Result) -> None:
        """Say how it ended. In a pipe only what is not to be expected is said."""
        for stream in self._streams.values():
            await self._put(stream, b"", "", final=True)
        if self._status is not None:
            await self._status.stop()
        if words := self._last_words(result):
            await self._write(2, ("\n" * self._torn + words).encode("utf-8", "replace"))

    def _last_words(self, result: Result) -> str:
        color = wants_color(2)
        if not self._person:
            return ansi.notice(result)
        if result.decision_refused:
            return ansi.blocked(result, color=color, width=width(2))
        out, err = (self._streams[name].lines for name in _FDS)
        return ansi.closing(result, lines=(out, err), color=color, width=width(2))

    async def _put(self, stream: LiveStream, data: bytes, text: str, *, final: bool = False) -> None:
        data, shown = stream.shown(data, text, final=final)
        if not data:
            return
        if self._status is not None:
            self._status.make_room()
        await self._write(stream.fd, data)
        if self._person or stream.fd == 2:
            self._torn = stream.torn
        if self._status is not None:
            self._status.settle(shown)

    async def _write(self, fd: int, data: bytes) -> None:
        if fd not in self._deaf and not await asyncio.to_thread(write, fd, data, self._nobody_waits):
            self._deaf.add(fd)

    def _nobody_waits(self) -> bool:
        return self._cancel.cancelled

    def _redrawn(self) -> str:
        return next((text for stream in self._streams.values() if (text := stream.redrawn)), "")


class LiveStream:
    """One of the two streams on its way to where it goes."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.lines = 0
        """Line ends that came."""
        self.torn = False
        """Whether the last line lacks its end."""
        self._visible = VisibleStream() if os.isatty(fd) else None
        self._color = wants_color(fd)
        self._highlighter = Highlighter()

    @property
    def redrawn(self) -> str:
        """The present state of a line that the command draws again and again."""
        return "" if self._visible is None else self._visible.held

    def shown(self, data: bytes, text: str, *, final: bool) -> tuple[bytes, str]:
        """What to write of a piece, and the same as plain text."""
        if self._visible is not None:
            text = self._visible.finish() if final else self._visible.feed(text)
            data = text.encode("utf-8", "replace")
        if data:
            self.lines += data.count(b"\n")
            self.torn = not data.endswith(b"\n")
        if final:
            self.lines += self.torn
        return (self._painted(text).encode("utf-8", "replace") if self._color else data), text

    def _painted(self, text: str) -> str:
        spans = [Span(text, "red")] if self.fd == 2 else self._highlighter.feed(text)
        return paint(spans, color=True)
