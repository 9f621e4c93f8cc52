"""A workspace with settings, blocking."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Self

from limpet import shell
from limpet.engine.blocking import wait
from limpet.sync.session import Session
from limpet.sync.stream import Stream
from limpet.sync.task import Task
from limpet.sync.transaction import Transaction
from limpet.sync.twin import direct, giving, in_loop, waiting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from limpet.approval.later import Later
    from limpet.config import Resolved, Settings
    from limpet.tasks.task import Task as AsyncTask


def _twins(tasks: Iterable[AsyncTask]) -> list[Task]:
    return [Task(task) for task in tasks]


class Shell:
    """Blocking twin of `limpet.Shell`."""

    def __init__(self, inner: shell.Shell) -> None:
        self._inner = inner

    @property
    def workspace(self) -> str:
        """The folder commands run in, with symbolic links resolved."""
        return self._inner.workspace

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._inner.settings

    @property
    def resolved(self) -> Resolved:
        """The settings, with where each came from."""
        return self._inner.resolved

    @property
    def rule_files(self) -> tuple[str, ...]:
        """The files of rules that were read, or would have been had they been there."""
        return self._inner.rule_files

    @property
    def later(self) -> Later:
        """Who answers as `approver="later"`."""
        return self._inner.later

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wait(self._inner.__aexit__(kind, error, trace))

    run = waiting(shell.Shell.run)
    sequence = waiting(shell.Shell.sequence)
    run_blocks = waiting(shell.Shell.run_blocks)
    stream = giving(Stream, in_loop(shell.Shell.stream))
    check = direct(shell.Shell.check)
    ask = direct(shell.Shell.ask)
    transaction = giving(Transaction, direct(shell.Shell.transaction))
    set_env = direct(shell.Shell.set_env)
    clear_env = direct(shell.Shell.clear_env)
    running = in_loop(shell.Shell.running)
    stop_all = waiting(shell.Shell.stop_all)

    start = giving(Task, waiting(shell.Shell.start))
    task = giving(Task, direct(shell.Shell.task))
    tasks = giving(_twins, direct(shell.Shell.tasks))
    stop_tasks = waiting(shell.Shell.stop_tasks)

    session = giving(Session, in_loop(shell.Shell.session))
    capture = waiting(shell.Shell.capture)
    close_sessions = waiting(shell.Shell.close_sessions)

    @contextlib.contextmanager
    def finished_tasks(self, *, agent: str | None = None) -> Iterator[list[Task]]:
        """Tasks that have ended, and whose end nobody was told: each is told once. See `limpet.Shell`."""
        telling = self._inner.finished_tasks(agent=agent)
        tasks = wait(telling.__aenter__())
        try:
            yield _twins(tasks)
        except BaseException as error:
            wait(telling.__aexit__(type(error), error, error.__traceback__))
            raise
        wait(telling.__aexit__(None, None, None))
