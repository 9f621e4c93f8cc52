"""`limpet config show`: the settings in force, and where each came from."""

from __future__ import annotations

import os

import click
import msgspec

from limpet.config import resolve
from limpet.model.codec import to_json


@click.group("config", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> int:
    """Show the settings in force."""
    if context.invoked_subcommand is None:
        return int(context.invoke(show, workspace=".", origin=False, as_json=False))
    return 0


@command.command("show")
@click.option("--origin", is_flag=True, help="Say where each value came from.")
@click.option("--workspace", default=".", metavar="DIR", help="Whose project file counts.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(workspace: str, *, origin: bool, as_json: bool) -> int:
    """Print every setting."""
    resolved = resolve(workspace=os.path.realpath(workspace), environ=os.environ)
    values = _flat(msgspec.to_builtins(resolved.settings))
    if as_json:
        rows = {name: {"value": value, "origin": str(resolved.origin[name])} for name, value in values.items()}
        click.echo(to_json(rows if origin else values))
        return 0
    width = max(len(f"{name} = {_shown(value)}") for name, value in values.items())
    for name, value in values.items():
        line = f"{name} = {_shown(value)}"
        click.echo(f"{line:<{min(width, 60)}}  # {resolved.origin[name]}" if origin else line)
    return 0


def _flat(sections: dict[str, dict[str, object]]) -> dict[str, object]:
    return {f"{section}.{name}": value for section, values in sections.items() for name, value in values.items()}


def _shown(value: object) -> str:
    return '"none"' if value is None else to_json(value)
