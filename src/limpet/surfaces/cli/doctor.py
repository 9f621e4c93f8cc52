"""`limpet doctor`: what this host can enforce, what is missing and how to get it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import click

from limpet.health import Health, examine
from limpet.model.codec import to_json

if TYPE_CHECKING:
    from limpet.model.guarantees import Guarantees


@click.command("doctor")
@click.option("--workspace", default=".", metavar="DIR", help="Whose settings count.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(workspace: str, *, as_json: bool) -> int:
    """Say what this host can enforce, and what is missing."""
    health = asyncio.run(examine(os.path.realpath(workspace)))
    if as_json:
        click.echo(to_json(health))
    else:
        for line in _lines(health):
            click.echo(line)
    return 0 if health.ok else 125


def _lines(health: Health) -> list[str]:
    lines = [f"{'ok ' if fact.ok else 'NO '} {fact.name:<16} {fact.found}" for fact in health.facts]
    lines += [f"    {'':16} {fact.advice}" for fact in health.facts if fact.advice]
    lines += ["", f"a command was tried: {'it ran' if health.ok else health.error}"]
    if health.guarantees is not None:
        lines += [f"containment: {health.level}", *_promises(health.guarantees)]
    return [*lines, f"state: {health.state_dir}"]


def _promises(held: Guarantees) -> list[str]:
    limits = ", ".join(held.limits) or "none set"
    return [
        f"  {'yes' if held.tree_owned else 'no ':3}  every process is ended with its command",
        f"  {'yes' if held.limits else 'no ':3}  limits in force: {limits}",
        f"  {'yes' if held.files_written_only_in is not None else 'no ':3}  writes confined to the workspace",
        f"  {'yes' if held.secrets_hidden else 'no ':3}  secret files hidden",
        f"  {'yes' if held.network != 'open' else 'no ':3}  network closed",
        f"  {'yes' if held.undo else 'no ':3}  changes can be undone",
        *(f"  note: {note}" for note in held.notes),
    ]
