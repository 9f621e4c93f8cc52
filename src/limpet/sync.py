"""The same verbs, blocking: one implementation, driven by an event loop in a thread of its own."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Self, TypeVar

from limpet import calls
from limpet import shell as _shell
from limpet.deciding import check
from limpet.engine.blocking import wait
from limpet.sync_session import Session, SessionVerbs
from limpet.tasks.task import TaskView

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike
    from types import TracebackType
    from typing import Unpack

    from limpet.config import Resolved, Settings
    from limpet.engine.cancel import CancelToken
    from limpet.engine.sequence import Blocks
    from limpet.engine.stream import Stream as _Stream
    from limpet.model.change import Changes, Committed
    from limpet.model.decision import Verdict
    from limpet.model.event import Event
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.model.running import RunningCommand
    from limpet.protocols import Approver
    from limpet.tasks import task as _task
    from limpet.transaction import Transaction as _Transaction

__all__ = ["Session", "Shell", "Stream", "Task", "check", "open", "run", "sequence", "start", "stream"]

T = TypeVar("T")


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
        yield_after: float | None = None,
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
        return Stream(wait(_called(make)))

    def set_env(self, variables: Mapping[str, str]) -> None:
        """Give these variables to every command from now on: the environment of the skill that is active."""
        self._inner.set_env(variables)

    def clear_env(self) -> None:
        """Take the skill's variables away again."""
        self._inner.clear_env()

    def transaction(self, *, label: str = "", **options: Unpack[RunOptions]) -> Transaction:
        """Commands whose changes are kept or dropped together; `label` says what they are for, `options` is for all."""
        return Transaction(self._inner.transaction(label=label, **options))

    def running(self) -> list[RunningCommand]:
        """What runs in this shell now."""
        return wait(_called(self._inner.running))

    def stop_all(self, *, agent: str | None = None) -> int:
        """End what runs in this shell, or what one agent runs in it, and wait for that; how many that were."""
        return wait(self._inner.stop_all(agent=agent))


class Task(TaskView):
    """Blocking twin of `limpet.Task`."""

    def __init__(self, inner: _task.Task) -> None:
        super().__init__(inner.folder)
        self._inner = inner

    def wait(self, timeout: float | None = None) -> Result:
        """Its result, once it is over. After `timeout` seconds: that it is RUNNING, with the output so far."""
        return wait(self._inner.wait(timeout))

    def stop(self, *, now: bool = False) -> Result:
        """End it with everything it started, with grace unless `now`, and wait for that; its result."""
        return wait(self._inner.stop(now=now))

    def send(self, text: str | bytes) -> None:
        """Have its command read this. Raises InvalidRequestError when it is over or takes no input."""
        wait(self._inner.send(text))

    def send_keys(self, *keys: str) -> None:
        """Press keys of its terminal, by name: `enter`, `up`, `ctrl-c`, `f1`; single characters are text."""
        wait(self._inner.send_keys(*keys))

    def close_input(self) -> None:
        """Nothing more will be sent."""
        wait(self._inner.close_input())

    def resize(self, rows: int, columns: int) -> None:
        """Its terminal is of another size now."""
        wait(self._inner.resize(rows, columns))


class Transaction:
    """Blocking twin of `limpet.Transaction`: `with shell.transaction() as tx`."""

    def __init__(self, inner: _Transaction) -> None:
        self._inner = inner

    def __enter__(self) -> Self:
        wait(self._inner.__aenter__())
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
        **options: Unpack[RunOptions],
    ) -> Result:
        """Run a command that sees what those before it changed, and changes nothing outside the transaction."""
        return wait(self._inner.run(command, check=check, approver=approver, cancel=cancel, **options))

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
        """Run a command and read its events as they come; leaving the block ends the run, not the transaction."""
        return Stream(
            self._inner.stream(
                command, lossless=lossless, attended=attended, approver=approver, cancel=cancel, **options
            )
        )  # fmt: skip

    def changes(self) -> Changes:
        """What was changed so far."""
        return self._inner.changes()

    def diff(self) -> str:
        """The same, line by line, as git shows it."""
        return self._inner.diff()

    def commit(
        self, paths: Sequence[str] | None = None, *, overwrite: Sequence[str] | bool = False, name: str = ""
    ) -> tuple[Committed, tuple[str, ...]]:
        """Take over everything, or only these paths and what is in these folders; it stays open with the rest."""
        return wait(self._inner.commit(paths, overwrite=overwrite, name=name))

    def drop(self) -> None:
        """The transaction is over; what was not committed never was."""
        wait(self._inner.drop())


class Stream:
    """Blocking twin of `limpet.Stream`: `with shell.stream(...) as run: for event in run`."""

    def __init__(self, inner: _Stream) -> None:
        self._inner = inner

    def __enter__(self) -> Self:
        wait(self._inner.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wait(self._inner.__aexit__(kind, error, trace))

    def __iter__(self) -> Iterator[Event]:
        events = wait(_called(self._inner.__aiter__))
        with contextlib.suppress(StopAsyncIteration):
            while True:
                yield wait(_next(events))

    def send(self, text: str | bytes) -> None:
        """Have the command read this: it has a terminal, or was started with `stdin=limpet.OPEN`."""
        wait(_called(lambda: self._inner.send(text)))

    def send_keys(self, *keys: str) -> None:
        """Press keys of the command's terminal, by name: `enter`, `up`, `ctrl-c`, `f1`; single characters are text."""
        wait(_called(lambda: self._inner.send_keys(*keys)))

    def close_input(self) -> None:
        """Nothing more will be sent."""
        wait(_called(self._inner.close_input))

    def resize(self, rows: int, columns: int) -> None:
        """The command's terminal is of another size now."""
        wait(_called(lambda: self._inner.resize(rows, columns)))

    def result(self) -> Result:
        """The result, once it is over."""
        return wait(self._inner.result())


def open(  # noqa: A001 - the twin of `limpet.open`
    workspace: str | PathLike[str] | None = None,
    *,
    approver: str | Approver = "deny",
    permission: Callable[[str], Verdict | str] | None = None,
    settings: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    surface: str = "python",
    **options: Unpack[RunOptions],
) -> Shell:
    """A shell for a workspace; see `limpet.open`."""
    opened = _shell.open(
        workspace,
        approver=approver,
        permission=permission,
        settings=settings,
        environ=environ,
        surface=surface,
        **options,
    )
    return Shell(opened)


def run(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    check: bool = False,
    approver: str | Approver | None = None,
    cancel: CancelToken | None = None,
    yield_after: float | None = None,
    **options: Unpack[RunOptions],
) -> Result:
    """Run one command to its end. With `check`, anything but success raises CommandError."""
    return wait(
        calls.run(
            command, workspace=workspace, check=check, approver=approver, cancel=cancel, yield_after=yield_after,
            **options,
        )
    )  # fmt: skip


def start(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    approver: str | Approver | None = None,
    **options: Unpack[RunOptions],
) -> Task:
    """Start a command in the background, where it goes on when this process has ended."""
    return Task(wait(calls.start(command, workspace=workspace, approver=approver, **options)))


def sequence(
    commands: Iterable[str],
    *,
    workspace: str | PathLike[str] | None = None,
    approver: str | Approver | None = None,
    **options: Unpack[RunOptions],
) -> list[Result]:
    """Run several in order, up to and with the first that does not succeed."""
    return wait(calls.sequence(commands, workspace=workspace, approver=approver, **options))


def stream(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    lossless: bool = False,
    attended: bool = True,
    approver: str | Approver | None = None,
    cancel: CancelToken | None = None,
    **options: Unpack[RunOptions],
) -> Stream:
    """Run a command and read its events as they come; leaving the block ends the run."""
    make = functools.partial(
        calls.stream,
        command,
        workspace=workspace,
        lossless=lossless,
        attended=attended,
        approver=approver,
        cancel=cancel,
        **options,
    )
    return Stream(wait(_called(make)))


async def _called(function: Callable[[], T]) -> T:
    """Call inside the loop what needs one."""
    return function()


async def _next(events: AsyncIterator[Event]) -> Event:
    return await anext(events)
