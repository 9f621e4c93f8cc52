"""`limpet wait`: until tasks are over."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from limpet.model.codec import to_json
from limpet.model.result import Outcome
from limpet.render.tasks import sentence
from limpet.surfaces.cli.exits import exit_status
from limpet.surfaces.cli.found import tasks_of

if TYPE_CHECKING:
    from limpet.model.result import Result
    from limpet.tasks.task import Task


@click.command("wait")
@click.argument("tasks", nargs=-1, required=True, metavar="TASK...")
@click.option("--timeout", type=click.FloatRange(0), metavar="SECONDS", help="Wait no longer; the task goes on.")
@click.option("--json", "as_json", is_flag=True, help="The result of each as a JSON object, on a line of its own.")
def command(tasks: tuple[str, ...], timeout: float | None, *, as_json: bool) -> int:
    """Wait until the tasks are over.

    Exit status: that of the task, as `run` has it; of several, the first that is not 0. 124 also when it goes on after
    SECONDS: what is said tells which.
    """
    here = tasks_of(None)
    found = [here.task(name) for name in tasks]
    results = asyncio.run(_all(found, timeout))
    for task, result in zip(found, results, strict=True):
        if as_json:
            click.echo(to_json(result))
        elif result.outcome is Outcome.RUNNING:
            click.echo(f"limpet: task {task.id} goes on: it was not over after {timeout:g} s", err=True)
        else:
            click.echo(f"limpet: {sentence(task.status())}", err=True)
    return next((status for result in results if (status := exit_status(result))), 0)


async def _all(tasks: list[Task], timeout: float | None) -> list[Result]:  # noqa: ASYNC109 - it ends in answers
    return list(await asyncio.gather(*(task.wait(timeout) for task in tasks)))
