"""A workspace with settings, blocking."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Self

from limpet.engine.blocking import wait
from limpet.sync.session import SessionVerbs
from limpet.sync.stream import Stream, called
from limpet.sync.task import Task
from limpet.sync.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType
    from typing import Unpack

    from limpet import shell as _shell
    from limpet.approval.later import Later, Pending
    from limpet.config import Resolved, Settings
    from limpet.engine.cancel import CancelToken
    from limpet.engine.sequence import Blocks
    from limpet.model.decision import Decision
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.model.running import RunningCommand
    from limpet.protocols import Approver
    from limpet.tasks.patience import Patience


class Shell(SessionVerbs):
    """Blocking twin of `limpet.Shell`."""

    def __init__(self, inner: _shell.Shell) -> None:
        self._inner = inner
        self._streams = Stream

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wait(self._inner.__aexit__(kind, error, trace))

    def run(
        self,
        command: str,
        *,
        check: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        yield_after: float | Patience | None = None,
        **options: Unpack[RunOptions],
    ) -> Result:
        """Run one command to its end. With `check`, anything but success raises CommandError."""
        return wait(
            self._inner.run(
                command, check=check, approver=approver, cancel=cancel, yield_after=yield_after, **options
            )
        )  # fmt: skip

    def start(self, command: str, *, approver: str | Approver | None = None, **options: Unpack[RunOptions]) -> Task:
        """Start a command in the background, where it goes on when this shell, or this process, has ended."""
        return Task(wait(self._inner.start(command, approver=approver, **options)))

    def tasks(self, *, agent: str | None = None, everywhere: bool = False) -> list[Task]:
        """The background tasks of this workspace, oldest first, also those that are over; or those of one agent."""
        return [Task(task) for task in self._inner.tasks(agent=agent, everywhere=everywhere)]

    def task(self, name: str) -> Task:
        """The task with this id, whoever started it. Raises InvalidRequestError when there is none."""
        return Task(self._inner.task(name))

    def stop_tasks(self, *, agent: str | None = None, now: bool = False) -> int:
        """End the background tasks of this workspace, or of one agent in it, and wait for that; how many that were."""
        return wait(self._inner.stop_tasks(agent=agent, now=now))

    @contextlib.contextmanager
    def finished_tasks(self, *, agent: str | None = None) -> Iterator[list[Task]]:
        """Tasks that have ended, and whose end nobody was told: each is told once. See `limpet.Shell`."""
        telling = self._inner.finished_tasks(agent=agent)
        tasks = wait(telling.__aenter__())
        try:
            yield [Task(task) for task in tasks]
        except BaseException as error:
            wait(telling.__aexit__(type(error), error, error.__traceback__))
            raise
        wait(telling.__aexit__(None, None, None))

    def sequence(
        self, commands: Iterable[str], *, approver: str | Approver | None = None, **options: Unpack[RunOptions]
    ) -> list[Result]:
        """Run several in order, up to and with the first that does not succeed."""
        return wait(self._inner.sequence(commands, approver=approver, **options))

    def run_blocks(
        self, answer: str, *, approver: str | Approver | None = None, **options: Unpack[RunOptions]
    ) -> Blocks:
        """Run the fenced bash blocks of a model's answer in order."""
        return wait(self._inner.run_blocks(answer, approver=approver, **options))

    def stream(
        self,
        command: str,
        *,
        lossless: bool = False,
        attended: bool = True,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Stream:
        """Run a command and read its events as they come; leaving the block ends the run."""
        make = functools.partial(
            self._inner.stream,
            command,
            lossless=lossless,
            attended=attended,
            approver=approver,
            cancel=cancel,
            **options,
        )
        return Stream(wait(called(make)))

    def set_env(self, variables: Mapping[str, str]) -> None:
        """Give these variables to every command from now on: the environment of the skill that is active."""
        self._inner.set_env(variables)

    def clear_env(self) -> None:
        """Take the skill's variables away again."""
        self._inner.clear_env()

    def check(self, command: str, **options: Unpack[RunOptions]) -> Decision:
        """What would be decided about a command, with the settings, rules and answers of this shell."""
        return self._inner.check(command, **options)

    def ask(self, command: str, **options: Unpack[RunOptions]) -> Pending | None:
        """Put the question of a command into the inbox ahead of running it; None when nothing is left to ask."""
        return self._inner.ask(command, **options)

    @property
    def later(self) -> Later:
        """Who answers as `approver="later"`."""
        return self._inner.later

    def transaction(self, *, label: str = "", **options: Unpack[RunOptions]) -> Transaction:
        """Commands whose changes are kept or dropped together; `label` says what they are for, `options` is for all."""
        return Transaction(self._inner.transaction(label=label, **options))

    def running(self) -> list[RunningCommand]:
        """What runs in this shell now."""
        return wait(called(self._inner.running))

    def stop_all(self, *, agent: str | None = None) -> int:
        """End what runs in this shell, or what one agent runs in it, and wait for that; how many that were."""
        return wait(self._inner.stop_all(agent=agent))
