"""`limpet tasks`: what runs in the background, and what became of it."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import click

from limpet.errors import StoreError
from limpet.model.codec import to_json
from limpet.render.live import VisibleStream
from limpet.render.tasks import details, table
from limpet.surfaces.cli.colors import is_screen, wants_color, width
from limpet.surfaces.cli.found import stored_tasks, tasks_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.task import TaskStatus

_TICK = 0.5
_LAST_LINES = 10
_AROUND = 4
"""Lines of a screen that are not tasks."""


@click.group("tasks", invoke_without_command=True)
@click.option("--all", "everywhere", is_flag=True, help="Of all workspaces.")
@click.option("--agent", metavar="NAME", help="Only those of one agent.")
@click.option("--running", is_flag=True, help="Only those that are not over.")
@click.option("--workspace", metavar="DIR", help="The workspace; else the current folder.")
@click.option("--once", is_flag=True, help="On a terminal: print the table and leave.")
@click.option("--json", "as_json", is_flag=True, help="A JSON list of objects.")
@click.pass_context
def command(
    context: click.Context,
    workspace: str | None,
    agent: str | None,
    *,
    everywhere: bool,
    running: bool,
    once: bool,
    as_json: bool,
) -> int:
    """List background tasks, oldest first; on a terminal as a table that lives as long as one of them runs."""
    if context.invoked_subcommand is not None:
        return 0

    def look() -> list[TaskStatus]:
        here = None if everywhere else os.path.realpath(workspace or ".")
        found = stored_tasks().folders(workspace=here, agent=agent)
        return [status for folder in found if not ((status := folder.status()).over and running)]

    tasks = look()
    if as_json:
        click.echo(to_json(tasks))
    elif not tasks:
        click.echo(f"limpet: no background tasks{'' if everywhere else ' here; --all looks everywhere'}", err=True)
    elif once or not is_screen(1) or all(task.over for task in tasks):
        click.echo(table(tasks, width=_width(), color=wants_color(1), everywhere=everywhere), nl=False)
    else:
        _live(look, everywhere=everywhere)
    return 0


@command.command("show")
@click.argument("task")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(task: str, *, as_json: bool) -> int:
    """Show all there is to know of one task, and the last lines it printed."""
    found = tasks_of(None).task(task)
    status = found.status()
    if as_json:
        click.echo(to_json(status))
        return 0
    click.echo(details(status, color=wants_color(1)), nl=False)
    try:
        last = found.output(tail=_LAST_LINES)
    except StoreError as error:
        last = f"({error})"
    if last:
        visible = VisibleStream()
        click.echo("\n" + (visible.feed(last) + visible.finish()).rstrip("\n"))
    return 0


def _width() -> int:
    """In a pipe nothing is cut off."""
    return width(1) if os.isatty(1) else 10_000


def _live(look: Callable[[], list[TaskStatus]], *, everywhere: bool) -> None:
    """Draw the table again and again, in the same place, until nothing runs any more or Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    drawn = 0
    try:
        while True:
            tasks = look()
            going_on = not all(task.over for task in tasks)
            text = _screen(tasks, everywhere=everywhere, going_on=going_on)
            sys.stdout.write((f"\x1b[{drawn}F\x1b[J" if drawn else "") + text)
            sys.stdout.flush()
            drawn = text.count("\n")
            if not going_on:
                return
            time.sleep(_TICK)
    except KeyboardInterrupt:
        sys.stdout.write("\r\x1b[2K")
        sys.stdout.flush()


def _screen(tasks: list[TaskStatus], *, everywhere: bool, going_on: bool) -> str:
    """As many as there is room for: those that run, then the newest."""
    room = max(1, os.get_terminal_size(1).lines - _AROUND)
    first = sorted(range(len(tasks)), key=lambda at: (tasks[at].over, -at))[:room]
    text = table([tasks[at] for at in sorted(first)], width=_width(), color=wants_color(1), everywhere=everywhere)
    hidden = len(tasks) - len(first)
    running = sum(not task.over for task in tasks)
    more = f"; {hidden} older ones are not shown" if hidden else ""
    return text + (f"{running} running{more}; Ctrl-C leaves, and they go on\n" if going_on else "")
