"""`limpet run --terminal`: a person at their terminal talks to the command, or a pipe does."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import TYPE_CHECKING

import click

from limpet.model.event import Output, Prepared, Started
from limpet.render import ansi
from limpet.surfaces.cli.colors import wants_color, width
from limpet.surfaces.cli.seat import LEAVE_NAME, Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet import CancelToken, Stream
    from limpet.model.options import RunOptions
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.shell import Shell
    from limpet.transaction import Transaction

_AT_ONCE = 65536


async def converse(
    shell: Shell | Transaction, command: str, cancel: CancelToken, options: RunOptions, *, follow_size: bool
) -> Result:
    """Lend the terminal that we are on to the command; one key ends it whatever it does."""
    async with shell.stream(command, lossless=True, cancel=cancel, **options) as run:
        seat = Seat(run.send, run.resize if follow_size else None, cancel.cancel, lambda: cancel.cancelled)
        try:
            async for event in run:
                if isinstance(event, Prepared):
                    announce(event.request)
                elif isinstance(event, Started):
                    seat.take()
                elif isinstance(event, Output):
                    await seat.draw(event.text)
            result = await run.result()
        finally:
            seat.give_back()
    conclude(result, seat)
    return result


def announce(request: Request) -> None:
    """Say what begins, and how to leave it."""
    words = ansi.opening(
        request.command, request.description, request.cwd, request.timeout, color=wants_color(2), width=width(2)
    )
    click.echo(f"{words}  every key goes to the command; {LEAVE_NAME} ends it", err=True)


def conclude(result: Result, seat: Seat) -> None:
    """Say how it ended."""
    refused = result.decision_refused
    color = wants_color(2)
    words = (
        ansi.blocked(result, color=color, width=width(2))
        if refused
        else ansi.closing(result, lines=(seat.lines, 0), color=color, width=width(2))
    )
    click.echo("\n" * seat.torn + words, err=True, nl=False)


@contextlib.contextmanager
def passed_on(run: Stream) -> Iterator[None]:
    """Our standard input is typed at the command's terminal as it comes, and so is its end."""
    loop = asyncio.get_running_loop()

    def more() -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(0, _AT_ONCE)
            run.send(data)
            if not data:
                loop.remove_reader(0)
                run.close_input()

    try:
        loop.add_reader(0, more)
    except PermissionError:  # a file: it is all there
        run.send(sys.stdin.buffer.read())
        run.close_input()
        yield
        return
    try:
        yield
    finally:
        loop.remove_reader(0)
