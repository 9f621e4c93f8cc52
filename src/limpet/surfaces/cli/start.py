"""`limpet start`: a command in the background."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from limpet.errors import CommandDeniedError
from limpet.model.codec import to_json
from limpet.model.options import INHERIT, OPEN, Inherit, Open
from limpet.opening import open as open_shell
from limpet.render import ansi
from limpet.render.tasks import started
from limpet.surfaces.cli.colors import wants_color, width
from limpet.surfaces.cli.exits import exit_status
from limpet.surfaces.cli.options import approver, command_text, options_from, run_options, workspace

if TYPE_CHECKING:
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.model.task import TaskStatus

_MOST_TYPED = 1 << 20


@click.command("start", context_settings={"allow_interspersed_args": False})
@run_options
@click.option("--agent", metavar="NAME", help="Whose task it is, for `limpet tasks --agent` and `limpet stop --agent`.")
def command(**given: Any) -> int:
    """Start COMMAND in the background, where it goes on when this call and its terminal are gone.

    Its output is stored as it comes; `limpet logs -f ID` follows it, `limpet wait ID` waits for its end, `limpet stop
    ID` ends it, `limpet tasks` lists all. It has no time limit unless one is set. It reads nothing, or with --stdin
    what is piped in, also when this call is gone; at a terminal, with --stdin, what `limpet send` sends. Exit status:
    0, 125 limpet failed, 126 denied, 2 wrong usage.
    """
    text = command_text(given["command"], given["file"])
    options = options_from(given)
    if given["pass_stdin"]:
        options["stdin"] = _input(terminal=given["terminal"])
    if given["agent"] is not None:
        options["agent"] = given["agent"]
    try:
        task = asyncio.run(_start(text, options, given))
    except CommandDeniedError as denied:
        return _refused(denied.result, as_json=given["as_json"])
    _tell(task, as_json=given["as_json"])
    return 0


def _input(*, terminal: bool) -> bytes | Inherit | Open | None:
    """What comes on our stdin: the task has it for itself; typed where it has a terminal. From ours, it is sent."""
    if os.isatty(0):
        return None if terminal else OPEN
    if not terminal:
        return INHERIT
    data = sys.stdin.buffer.read(_MOST_TYPED + 1)
    if len(data) > _MOST_TYPED:
        raise click.UsageError(
            f"--stdin has more than {_MOST_TYPED:,} bytes, which is too much to be typed: leave out --terminal, or "
            "send it with `limpet send`"
        )
    return data


async def _start(text: str, options: RunOptions, given: dict[str, Any]) -> TaskStatus:
    shell = open_shell(workspace(given), surface="cli", approver=approver(given))
    if given["cwd"] is not None and given["workspace"] is not None:
        options["cwd"] = given["cwd"]
    return (await shell.start(text, **options)).status()


def _tell(task: TaskStatus, *, as_json: bool) -> None:
    if as_json:
        click.echo(to_json({"task_id": task.task_id, "output_file": task.output_file, "pid": task.pid}))
    elif os.isatty(1):
        click.echo(started(task, width=width(1), color=wants_color(1)), nl=False)
    else:
        click.echo(f"{task.task_id}\n{task.output_file}")


def _refused(result: Result, *, as_json: bool) -> int:
    if as_json:
        click.echo(to_json(result))
    elif os.isatty(1) and os.isatty(2):
        click.echo(ansi.blocked(result, color=wants_color(2), width=width(2)), err=True, nl=False)
    else:
        click.echo(ansi.notice(result), err=True, nl=False)
    return exit_status(result)
