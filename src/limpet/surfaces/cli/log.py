"""`limpet log`: the audit trail."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import click

from limpet.config import audit_path
from limpet.history import History, Kind
from limpet.model.codec import to_json
from limpet.model.decision import Verdict
from limpet.model.result import Outcome
from limpet.render.paint import shorten
from limpet.undoing import undoable

if TYPE_CHECKING:
    from limpet.history import Entry

_TAMPERED = 1
_ROLLBACK = "rollback"
_RUNS = 20


@click.command("log")
@click.option("--jsonl", "--json", "as_jsonl", is_flag=True, help="An entry a line, as JSON.")
@click.option("--verify", is_flag=True, help="Check that nobody has edited, deleted or reordered anything.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="The newest N (20 runs; all entries as JSON).")
@click.option("--run", "run", metavar="ID", help="Only the entries of one run.")
def command(limit: int | None, run: str | None, *, as_jsonl: bool, verify: bool) -> int:
    """Show what was run, and what hooks judged, newest last: a line each for people, an entry a line as JSON."""
    history = History(_path())
    if verify:
        return _verify(history, as_json=as_jsonl)
    if as_jsonl:
        for entry in history.entries(limit=limit, operation_id=run):
            click.echo(to_json(entry))
        return 0
    runs = _runs(history, limit or _RUNS, run)
    undoable_ones = undoable(entry.operation_id for entry in runs)
    for entry in runs:
        click.echo(_line(entry, ", kept" if entry.operation_id in undoable_ones else ""))
    if not runs:
        click.echo(f"limpet: {'no run of that id' if run else 'nothing'} is recorded in {_path()}", err=True)
    return 0


def _runs(history: History, limit: int, run: str | None) -> list[Entry]:
    """One entry a run, the last one: a run has two at most."""
    last: dict[str, Entry] = {}
    for entry in history.entries(limit=2 * limit, operation_id=run):
        last.pop(entry.operation_id, None)
        last[entry.operation_id] = entry
    return list(last.values())[-limit:]


def _verify(history: History, *, as_json: bool) -> int:
    problems = history.verify()
    count = len(history.entries())
    if as_json:
        click.echo(to_json({"ok": not problems, "entries": count, "problems": problems}))
    else:
        for problem in problems:
            click.echo(problem)
        many = "s" if len(problems) > 1 else ""
        found = f"{len(problems)} problem{many}" if problems else "nothing was changed"
        click.echo(f"{count:,} entries in {_path()}: {found}")
    return _TAMPERED if problems else 0


def _line(entry: Entry, kept: str) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.time))
    seconds = "" if entry.duration_ms is None else f"{entry.duration_ms / 1000:.1f} s"
    return f"{when}  {entry.operation_id}  {_what(entry) + kept:<15}  {seconds:>7}  {shorten(entry.command, 80)}"


def _what(entry: Entry) -> str:
    """`started` stays for a run that goes on, or whose limpet was killed."""
    if entry.kind == Kind.JUDGED:
        told = "asked" if entry.verdict == Verdict.ASK else "allowed"
        return f"{entry.agent}: {entry.outcome or told}"
    dropped = ", undone" if entry.result == _ROLLBACK else ""
    if entry.outcome == Outcome.EXITED:
        return (f"exit {entry.exit_code}" if entry.exit_code else "ok") + dropped
    return (entry.outcome or "started").replace("_", " ") + dropped


def _path() -> str:
    return audit_path(os.environ)
