"""`limpet stop`: end tasks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from limpet.model.codec import to_json
from limpet.render.tasks import sentence
from limpet.surfaces.cli.found import tasks_of
from limpet.tasks.verbs import stop_all

if TYPE_CHECKING:
    from limpet.model.task import TaskStatus
    from limpet.tasks.task import Task


@click.command("stop")
@click.argument("tasks", nargs=-1, metavar="TASK...")
@click.option("--agent", metavar="NAME", help="All that one agent runs in the workspace.")
@click.option("--all", "all_here", is_flag=True, help="All of the workspace.")
@click.option("--workspace", metavar="DIR", help="The workspace; else the current folder.")
@click.option("--now", is_flag=True, help="Without grace: SIGKILL at once.")
@click.option("--json", "as_json", is_flag=True, help="A JSON list with the state of each.")
def command(
    tasks: tuple[str, ...], agent: str | None, workspace: str | None, *, all_here: bool, now: bool, as_json: bool
) -> int:
    """End tasks with everything they started, and wait until that is done. One that is over stays as it is."""
    if not (tasks or agent is not None or all_here) or (tasks and (agent is not None or all_here)):
        raise click.UsageError("name tasks, or say --agent NAME or --all")
    here = tasks_of(workspace)
    found = [here.task(name) for name in tasks]
    if not tasks:
        found = [task for task in here.tasks(agent=agent) if not task.status().over]
    ended = asyncio.run(_stop(found, now=now))
    if as_json:
        click.echo(to_json(ended))
        return 0
    for status in ended:
        click.echo(f"limpet: {sentence(status)}", err=True)
    if not ended:
        click.echo("limpet: nothing runs that could be stopped", err=True)
    return 0


async def _stop(tasks: list[Task], *, now: bool) -> list[TaskStatus]:
    await stop_all(tasks, now=now)
    return [task.status() for task in tasks]
