"""`limpet session send` and `screen`: the terminal of a named session, from any other shell."""

from __future__ import annotations

import asyncio
import os

import click

from limpet.model.codec import to_json
from limpet.model.keys import sent
from limpet.named.client import Named
from limpet.surfaces.cli.send import all_of, what_to_send


@click.command("send")
@click.argument("name")
@what_to_send
def send(name: str, text: str | None, keys: tuple[str, ...], *, eof: bool) -> int:
    """Have the command that runs in session NAME read TEXT as it is, then KEYS, then the end of its input.

    The session has a terminal, and the command is run with --attended, or at a terminal. TEXT has no Enter behind it:
    say --keys enter.
    """
    asyncio.run(Named(os.environ).send(name, sent(all_of(text, keys, eof=eof)), end=eof))
    return 0


@click.command("screen")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: lines, cursor (row and column), rows, columns.")
def screen(name: str, *, as_json: bool) -> int:
    """Show what is to be seen on the terminal of session NAME, as text."""
    shown = asyncio.run(Named(os.environ).screen(name))
    if as_json:
        size = shown.size
        told = {"lines": shown.lines(), "cursor": shown.cursor, "rows": size.rows, "columns": size.columns}
        click.echo(to_json(told))
    else:
        click.echo(shown.text())
    return 0
