"""`limpet recover`: finish or drop what a crash left half done."""

from __future__ import annotations

import click

from limpet.model.codec import to_json
from limpet.undoing import recover

_LEFT = 1


@click.command("recover")
@click.option("--roll-back", multiple=True, metavar="ID", help="Put back what this one changed: it ran on copies.")
@click.option("--leave", multiple=True, metavar="ID", help="Leave what this one changed as it is.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, nothing else.")
def command(roll_back: tuple[str, ...], leave: tuple[str, ...], *, as_json: bool) -> int:
    """Put right what a crash left half done: each commit and undo is then all there or not at all.

    This is done by itself whenever limpet starts. What ran on copies has changed the workspace itself; whether
    that is put back is for you to say. Status 1: something is left to be put right.
    """
    found = recover(roll_back=roll_back, leave=leave)
    if as_json:
        click.echo(to_json(found))
        return _LEFT if found.left else 0
    done = (
        ("rolled back, as they were not finished", found.rolled_back),
        ("kept, as their undo was not finished", found.kept),
        ("dropped, as nobody is there for them any more", found.dropped),
        ("left to be put right", found.left),
    )
    for what, names in done:
        if names:
            click.echo(f"{what}: {', '.join(names)}")
    if not any(names for _, names in done):
        click.echo("nothing was half done")
    return _LEFT if found.left else 0
