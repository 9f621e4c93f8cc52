"""`limpet log`: the audit trail."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import click

from limpet.history import History
from limpet.model.codec import to_json
from limpet.render.paint import shorten
from limpet.wiring import audit_path

if TYPE_CHECKING:
    from limpet.history import Entry

_TAMPERED = 1


@click.command("log")
@click.option("--jsonl", "--json", "as_jsonl", is_flag=True, help="An entry a line, as JSON.")
@click.option("--verify", is_flag=True, help="Check that nobody has edited, deleted or reordered anything.")
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="The newest N entries (20 for people, all for JSON)."
)
@click.option("--run", "run", metavar="ID", help="Only the entries of one run.")
def command(limit: int | None, run: str | None, *, as_jsonl: bool, verify: bool) -> int:
    """Show what was run, newest last."""
    history = History(audit_path(os.environ))
    if verify:
        return _verify(history, as_json=as_jsonl)
    entries = history.entries(limit=limit or (None if as_jsonl else 20), operation_id=run)
    for entry in entries:
        click.echo(to_json(entry) if as_jsonl else _line(entry))
    return 0


def _verify(history: History, *, as_json: bool) -> int:
    problems = history.verify()
    count = len(history.entries())
    if as_json:
        click.echo(to_json({"ok": not problems, "entries": count, "problems": problems}))
    else:
        for problem in problems:
            click.echo(problem)
        click.echo(f"{count:,} entries, " + (f"{len(problems)} problems" if problems else "nothing was changed"))
    return _TAMPERED if problems else 0


def _line(entry: Entry) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.time))
    what = entry.result or "started"
    code = "" if entry.exit_code is None else f" {entry.exit_code}"
    return f"{when}  {entry.operation_id}  {what + code:<14}  {shorten(entry.command, 80)}"
