"""`limpet send`: text and keys for the command of a background task."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from limpet.model.keys import typed
from limpet.surfaces.cli.found import tasks_of

if TYPE_CHECKING:
    from collections.abc import Callable

_WHAT = [
    click.argument("text", required=False),
    click.option("--keys", multiple=True, metavar="KEYS", help="Keys by name, such as `enter` or `up up enter`."),
    click.option("--eof", is_flag=True, help="End the input."),
]


def what_to_send(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a subcommand what can be sent."""
    return functools.reduce(lambda wrapped, option: option(wrapped), reversed(_WHAT), function)


def all_of(text: str | None, keys: tuple[str, ...], *, eof: bool) -> str:
    """What is typed before the input ends."""
    if text is None and not keys and not eof:
        raise click.UsageError("nothing to send: give TEXT, --keys or --eof")
    return (text or "") + typed(*(key for words in keys for key in words.split()))


@click.command("send")
@click.argument("task", metavar="ID")
@what_to_send
def command(task: str, text: str | None, keys: tuple[str, ...], *, eof: bool) -> int:
    """Have the command of task ID read TEXT as it is, then KEYS, then the end of its input.

    The task was started with --stdin or --terminal. TEXT has no Enter behind it: say --keys enter.
    """
    wanted = all_of(text, keys, eof=eof)
    with tasks_of(None).task(task).line() as line:
        line.send(wanted)
        if eof:
            line.close_input()
    return 0
