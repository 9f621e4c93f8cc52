"""`limpet send`: text and keys for the command of a background task."""

from __future__ import annotations

import click

from limpet.model.keys import typed
from limpet.surfaces.cli.found import tasks_of


@click.command("send")
@click.argument("task", metavar="ID")
@click.argument("text", required=False)
@click.option("--keys", multiple=True, metavar="KEYS", help="Keys by name, such as `enter` or `up up enter`.")
@click.option("--eof", is_flag=True, help="End the input.")
def command(task: str, text: str | None, keys: tuple[str, ...], *, eof: bool) -> int:
    """Have the command of task ID read TEXT as it is, then KEYS, then the end of its input.

    The task was started with --stdin or --terminal. TEXT has no Enter behind it: say --keys enter.
    """
    if text is None and not keys and not eof:
        raise click.UsageError("nothing to send: give TEXT, --keys or --eof")
    pressed = typed(*(key for words in keys for key in words.split()))
    with tasks_of(None).task(task).line() as line:
        line.send((text or "") + pressed)
        if eof:
            line.close_input()
    return 0
