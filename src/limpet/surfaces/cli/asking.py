"""A line that a person types, or Ctrl-C: heard whenever it comes."""

from __future__ import annotations

import asyncio
import os
import signal

import click

_LONGEST = 4096


async def typed_line(question: str) -> str:
    """The answer to a question, up to the end of the line; empty at the end of input. Raises click.Abort on Ctrl-C.

    Not `input`: a Ctrl-C that comes just before it begins to read would be heard only with the next key.
    """
    loop = asyncio.get_running_loop()
    said: asyncio.Future[str] = loop.create_future()
    typed = bytearray()

    def read() -> None:
        data = os.read(0, _LONGEST)
        typed.extend(data)
        if (not data or b"\n" in data) and not said.done():
            said.set_result(bytes(typed).partition(b"\n")[0].decode("utf-8", "replace"))

    def interrupted() -> None:
        if not said.done():
            said.set_exception(click.Abort())

    loop.add_reader(0, read)
    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        click.echo(question, err=True, nl=False)
        return await said
    finally:
        loop.remove_reader(0)
        loop.remove_signal_handler(signal.SIGINT)
