"""What a shell can do with the tasks of its workspace."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from limpet.tasks.folder import TaskFolder
    from limpet.tasks.store import Tasks
    from limpet.tasks.task import Task


class TaskVerbs:
    """Part of `Shell`: tasks are found on disk, so any shell of a workspace has all of them."""

    def __init__(self, tasks: Tasks, workspace: str, agent: str = "") -> None:
        self._tasks = tasks
        self._workspace = workspace
        self._agent = agent

    def tasks(self, *, agent: str | None = None, everywhere: bool = False) -> list[Task]:
        """The background tasks of this workspace, oldest first, also those that are over; or those of one agent.

        `everywhere`: of all workspaces.
        """
        workspace = None if everywhere else self._workspace
        return [_task(folder) for folder in self._tasks.folders(workspace=workspace, agent=agent)]

    def task(self, name: str) -> Task:
        """The task with this id, whoever started it. Raises InvalidRequestError when there is none."""
        return _task(self._tasks.find(name))

    async def stop_tasks(self, *, agent: str | None = None, now: bool = False) -> int:
        """End the background tasks of this workspace, or of one agent in it, and wait for that; how many that were."""
        running = [task for task in self.tasks(agent=agent) if not task.status().over]
        await stop_all(running, now=now)
        return len(running)

    @contextlib.asynccontextmanager
    async def finished_tasks(self, *, agent: str | None = None) -> AsyncIterator[list[Task]]:
        """Tasks of this workspace and agent that have ended, and whose end nobody was told: each is told once.

        The agent is the shell's own (`limpet.open(agent=…)`) unless another is named.
        That holds over all processes, and over restarts: it is remembered beside the task. While the block runs nobody
        else is told of the same ones. Left in peace, they count as told; left by an exception, or by the death of this
        process, they are told again. So what the block does may be done twice, if it is killed between doing it and
        its end, but is never left out. `wait` tells the same and does not count. There are at most 64 at a time:
        look again until there are none.
        """
        with self._tasks.telling(self._workspace, self._agent if agent is None else agent) as folders:
            yield [_task(folder) for folder in folders]


def _task(folder: TaskFolder) -> Task:
    from limpet.tasks.task import Task  # noqa: PLC0415 - most shells have no tasks

    return Task(folder)


async def stop_all(tasks: list[Task], *, now: bool) -> None:
    """End them side by side. What one of them raises is raised when all were tried."""
    import asyncio  # noqa: PLC0415 - slow to import, and tasks are listed without it

    outcomes = await asyncio.gather(*(task.stop(now=now) for task in tasks), return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
