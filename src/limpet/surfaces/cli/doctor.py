"""`limpet doctor`: what this host can enforce, what is missing and how to get it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import click

from limpet.health import Health, examine
from limpet.model.codec import to_json

if TYPE_CHECKING:
    from limpet.health import Promise
    from limpet.model.guarantees import Guarantees


_CONTAINED = {
    "native": "behind walls of its own",
    "landlock": "held, without walls: no namespaces",
    "bubblewrap": "behind the walls of bubblewrap",
    "container": "in a container of its own",
    "bare": "not at all: commands have all the rights of this user",
}
_NOT_HONOURED = 1


@click.command("doctor")
@click.option("--workspace", default=".", metavar="DIR", help="Whose settings count.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(workspace: str, *, as_json: bool) -> int:
    """Say what this host can enforce, and what is missing.

    Exit status: 0, or 1 when a command cannot be run as the settings want it.
    """
    health = asyncio.run(examine(os.path.realpath(workspace)))
    if as_json:
        click.echo(to_json(health))
    else:
        for line in _lines(health):
            click.echo(line)
    return 0 if health.ok else _NOT_HONOURED


def _lines(health: Health) -> list[str]:
    lines = [line for fact in health.facts for line in _fact(fact.name, fact.found, fact.advice, ok=fact.ok)]
    lines += ["", f"The settings ask for sandbox {health.sandbox}, profile {health.profile}."]
    lines.append(f"A command was tried: {'it ran' if health.ok else f'it did not run: {health.error}'}.")
    if health.guarantees is not None:
        contained = _CONTAINED.get(health.level, "")
        lines += [f"It was contained: {health.level} ({contained}).", *_promises(health.guarantees, _undo(health))]
    lines += ["", "What each profile comes to here:", *(_profile(one, health.error) for one in health.profiles)]
    return [*lines, "", f"State is kept in {health.state_dir}"]


def _fact(name: str, found: str, advice: str, *, ok: bool) -> list[str]:
    line = f"{'ok' if ok else 'NO':<3} {name:<16} {found}"
    return [line, f"{'':<20} {'lacks' if ok else 'to do'}: {advice}"] if advice else [line]


def _profile(promise: Promise, told: str | None) -> str:
    if promise.refused:
        return f"  {promise.profile:<10} runs nothing{'' if promise.refused == told else f': {promise.refused}'}"
    judged = "judged as contained" if promise.containment == "full" else "judged as if nothing held them"
    return f"  {promise.profile:<10} {promise.level}; commands are {judged}"


def _undo(health: Health) -> str:
    """How what a command changes is taken back, where that is asked for."""
    layered = health.level == "native" and any(fact.ok for fact in health.facts if fact.name == "overlay")
    return "on a layer above the workspace" if layered else "from copies of the workspace"


def _promises(held: Guarantees, undo: str) -> list[str]:
    limits = ", ".join(held.limits) or "none set"
    return [
        f"  {'yes' if held.tree_owned else 'no ':3}  every process is ended with its command",
        f"  {'yes' if held.limits else 'no ':3}  limits in force: {limits}",
        f"  {'yes' if held.files_written_only_in is not None else 'no ':3}  writes confined to the workspace",
        f"  {'yes' if held.secrets_hidden else 'no ':3}  secret files hidden",
        f"  {'yes' if held.network != 'open' else 'no ':3}  network closed",
        f"  yes  changes can be undone, where asked for (--transaction, limpet try): {undo}",
        *(f"  note: {note}" for note in held.notes),
    ]
