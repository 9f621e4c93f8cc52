"""`limpet undo`: take back what a transaction changed."""

from __future__ import annotations

import time

import click

from limpet.errors import ConflictError
from limpet.model.codec import to_json
from limpet.render import changes as shown
from limpet.render.paint import shorten
from limpet.surfaces.cli.colors import wants_color, width
from limpet.undoing import committed, undo

_CONFLICT = 1


@click.command("undo")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--list", "listing", is_flag=True, help="Show what can be undone, newest last; undo nothing.")
@click.option("--workspace", metavar="DIR", help="The workspace; else the current folder.")
@click.option("--overwrite", is_flag=True, help="Take it back even where the same paths were changed since.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, nothing else.")
def command(name: str | None, workspace: str | None, *, listing: bool, overwrite: bool, as_json: bool) -> int:
    """Take back what the transaction ID changed, and nothing else; the last one of the workspace without ID.

    Where the same paths were changed since, nothing is touched, and the status is 1.
    """
    if listing:
        return _list(workspace, as_json=as_json)
    try:
        undone = undo(name, workspace=workspace, overwrite=overwrite)
    except ConflictError as error:
        return _refused(error, as_json=as_json)
    if as_json:
        click.echo(to_json(undone))
    else:
        click.echo(f"limpet: undone: {len(undone.restored)} restored, {len(undone.deleted)} deleted", err=True)
    return 0


def _refused(error: ConflictError, *, as_json: bool) -> int:
    if as_json:
        click.echo(to_json({"ok": False, "error": str(error), "conflicts": error.conflicts}))
    else:
        click.echo(f"limpet: {error}", err=True)
        click.echo(shown.conflicts(error.conflicts, color=wants_color(2)), err=True, nl=False)
    return _CONFLICT


def _list(workspace: str | None, *, as_json: bool) -> int:
    found = committed(workspace=workspace or ".")
    if as_json:
        click.echo(to_json(found))
        return 0
    for one in found:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(one.at))
        line = f"{when}  {one.id}  {shown.counts(one.changes)}  "
        click.echo(line + shorten(one.label, max(20, width(1) - len(line))))
    if not found:
        click.echo("limpet: nothing can be undone here", err=True)
    return 0
