"""`limpet logs`: what a run or a task printed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from limpet.config import audit_path
from limpet.errors import StoreError
from limpet.history import History
from limpet.logs import Piece, StoredLog, follow, is_task, matching, tail_of
from limpet.model.codec import to_json
from limpet.render.live import VisibleStream
from limpet.surfaces.cli.found import tasks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Wanted(NamedTuple):
    """Which part of it."""

    run: str
    tail: int | None
    since: int
    grep: str | None
    stream: str | None


@click.command("logs")
@click.argument("run", metavar="ID")
@click.option("--tail", type=click.IntRange(0), metavar="N", help="The last N lines.")
@click.option("--since", type=click.IntRange(0), default=0, metavar="OFFSET", help="From this byte on.")
@click.option("-f", "--follow", "following", is_flag=True, help="Go on until it is over.")
@click.option("--grep", metavar="RE", help="Only lines that match this regular expression.")
@click.option("--stream", type=click.Choice(["stdout", "stderr"]), help="Only what went to this stream.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with the text.")
def command(
    run: str, tail: int | None, since: int, grep: str | None, stream: str | None, *, following: bool, as_json: bool
) -> int:
    """Show what the run or task ID printed, byte for byte.

    A task keeps the newest of its output; offsets count from its very first byte. Asked for bytes that are gone, it
    says how many those are.
    """
    if following and as_json:
        raise click.UsageError("--follow shows what comes as it comes: it has no JSON form")
    if is_task(run):
        run = tasks_of(None).task(run).id
    wanted = Wanted(run, tail, since, grep, stream)
    if as_json:
        click.echo(to_json(_object(wanted)))
    elif following:
        _write(_followed(wanted))
    else:
        _write(_stored(wanted))
    return 0


def _object(wanted: Wanted) -> dict[str, object]:
    try:
        with StoredLog(wanted.run).view() as view:  # before the text: what comes in between is read once more
            first, end = view.first, view.end
    except StoreError:
        first = end = 0
    text = b"".join(piece.data for piece in _stored(wanted)).decode("utf-8", "replace")
    return {"run": wanted.run, "text": text, "next_offset": end, "dropped_bytes": max(0, first - wanted.since)}


def _stored(wanted: Wanted) -> Iterator[Piece]:
    try:
        log = StoredLog(wanted.run)
    except StoreError:
        if is_task(wanted.run) or _printed_nothing(wanted.run):
            return
        raise
    if (gone := log.first - wanted.since) > 0 and wanted.tail is None:
        yield Piece(b"", gone)
    yield from (Piece(data) for data in _part(log, wanted))


def _part(log: StoredLog, wanted: Wanted) -> Iterator[bytes]:
    if wanted.grep is not None:
        found = log.grep(wanted.grep, since=wanted.since, stream=wanted.stream)
        return iter(list(found)[-wanted.tail :] if wanted.tail else [] if wanted.tail == 0 else found)
    if wanted.tail is not None:
        return iter([log.tail(wanted.tail, since=wanted.since, stream=wanted.stream)])
    return log.read(since=wanted.since, stream=wanted.stream)


def _followed(wanted: Wanted) -> Iterator[Piece]:
    since = wanted.since
    if wanted.tail is not None:
        try:
            with StoredLog(wanted.run).view() as view:
                found = b"".join(data for _, data in view.read(since, wanted.stream)) if wanted.grep else b""
                lines = [b"".join(matching(wanted.grep, [found]))] if wanted.grep else None
                yield Piece(tail_of(lines or view.backwards(since, wanted.stream), wanted.tail))
                since = view.end
        except StoreError:
            pass
    over = _task_over(wanted.run) if is_task(wanted.run) else lambda: _finished(wanted.run)
    pieces = follow(lambda: StoredLog(wanted.run), since=since, stream=wanted.stream, over=over)
    if wanted.grep is None:
        yield from pieces
    else:
        yield from (Piece(line) for line in matching(wanted.grep, _said(pieces)))


def _said(pieces: Iterable[Piece]) -> Iterator[bytes]:
    for piece in pieces:
        _own_up(piece.dropped)
        yield piece.data


def _task_over(run: str) -> Callable[[], bool]:
    task = tasks_of(None).task(run)
    return lambda: task.status().over


def _finished(run: str) -> bool:
    return any(entry.kind == "finished" for entry in History(audit_path(os.environ)).find(run))


def _printed_nothing(run: str) -> bool:
    entries = History(audit_path(os.environ)).find(run)
    return any(entry.kind == "finished" and not entry.output_file for entry in entries)


def _write(pieces: Iterator[Piece]) -> None:
    """A person's terminal gets text that can do nothing to it, everybody else the bytes."""
    visible = VisibleStream() if sys.stdout.isatty() else None
    for piece in pieces:
        _own_up(piece.dropped)
        if visible is None:
            sys.stdout.buffer.write(piece.data)
        else:
            sys.stdout.write(visible.feed(piece.data.decode("utf-8", "replace")))
        sys.stdout.flush()
    if visible is not None:
        sys.stdout.write(visible.finish())


def _own_up(dropped: int) -> None:
    if dropped:
        click.echo(f"limpet: {dropped:,} bytes before this are gone: only the newest are kept (tasks.output)", err=True)
