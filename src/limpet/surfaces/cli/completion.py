"""`limpet completion`: the script that teaches a shell to complete limpet's words."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> int:
    """Print the completion script for SHELL (bash, zsh, fish); source it, or save it where your shell looks."""
    found = get_completion_class(shell)
    assert found is not None, shell
    click.echo(found(context.find_root().command, {}, "limpet", "_LIMPET_COMPLETE").source())
    return 0
