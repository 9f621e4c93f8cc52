"""`limpet logs`: what a run printed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from limpet.config import audit_path
from limpet.errors import StoreError
from limpet.history import History
from limpet.logs import StoredLog
from limpet.model.codec import to_json
from limpet.render.live import VisibleStream

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("logs")
@click.argument("run")
@click.option("--tail", type=click.IntRange(0), metavar="N", help="The last N lines.")
@click.option("--since", type=click.IntRange(0), default=0, metavar="OFFSET", help="From this byte on.")
@click.option("--grep", metavar="RE", help="Only lines that match this regular expression.")
@click.option("--stream", type=click.Choice(["stdout", "stderr"]), help="Only what went to this stream.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with the text.")
def command(run: str, tail: int | None, since: int, grep: str | None, stream: str | None, *, as_json: bool) -> int:
    """Show what the run with the id RUN printed, byte for byte."""
    pieces = _pieces(run, tail, since, grep, stream)
    if as_json:
        text = b"".join(pieces).decode("utf-8", "replace")
        click.echo(to_json({"run": run, "text": text}))
    elif sys.stdout.isatty():
        _show(pieces)
    else:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
    return 0


def _pieces(run: str, tail: int | None, since: int, grep: str | None, stream: str | None) -> Iterator[bytes]:
    try:
        log = StoredLog(run)
    except StoreError:
        if _printed_nothing(run):
            return iter(())
        raise
    if grep is not None:
        found = log.grep(grep, since=since, stream=stream)
        return iter(list(found)[-tail:] if tail else [] if tail == 0 else found)
    if tail is not None:
        return iter([log.tail(tail, since=since, stream=stream)])
    return log.read(since=since, stream=stream)


def _printed_nothing(run: str) -> bool:
    entries = History(audit_path(os.environ)).find(run)
    return any(entry.kind == "finished" and not entry.output_file for entry in entries)


def _show(pieces: Iterator[bytes]) -> None:
    """A person's terminal gets text that can do nothing to it."""
    visible = VisibleStream()
    for piece in pieces:
        sys.stdout.write(visible.feed(piece.decode("utf-8", "replace")))
    sys.stdout.write(visible.finish())
