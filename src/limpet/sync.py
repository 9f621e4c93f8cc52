"""The same verbs, blocking: one implementation, driven by an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import os
import threading
from typing import TYPE_CHECKING, Any, Self, TypeVar

from limpet import calls
from limpet import shell as _shell
from limpet.deciding import check
from limpet.sync_session import Session

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping
    from os import PathLike
    from types import TracebackType
    from typing import Unpack

    from limpet.config import Resolved, Settings
    from limpet.engine.cancel import CancelToken
    from limpet.engine.sequence import Blocks
    from limpet.model.decision import Verdict
    from limpet.model.event import Event
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.model.running import RunningCommand
    from limpet.model.session import SessionState
    from limpet.protocols import Approver

__all__ = ["Session", "Shell", "Stream", "check", "open", "run", "sequence", "stream"]

T = TypeVar("T")


class Shell:
    """Blocking twin of `limpet.Shell`."""

    def __init__(self, inner: _shell.Shell) -> None:
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _wait(self._inner.__aexit__(kind, error, trace))

    def run(
        self,
        command: str,
        *,
        check: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Result:
        """Run one command to its end. With `check`, anything but success raises CommandError."""
        return _wait(self._inner.run(command, check=check, approver=approver, cancel=cancel, **options))

    def sequence(
        self, commands: Iterable[str], *, approver: str | Approver | None = None, **options: Unpack[RunOptions]
    ) -> list[Result]:
        """Run several in order, up to and with the first that does not succeed."""
        return _wait(self._inner.sequence(commands, approver=approver, **options))

    def run_blocks(
        self, answer: str, *, approver: str | Approver | None = None, **options: Unpack[RunOptions]
    ) -> Blocks:
        """Run the fenced bash blocks of a model's answer in order."""
        return _wait(self._inner.run_blocks(answer, approver=approver, **options))

    def stream(
        self,
        command: str,
        *,
        lossless: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Stream:
        """Run a command and read its events as they come; leaving the block ends the run."""
        make = functools.partial(
            self._inner.stream, command, lossless=lossless, approver=approver, cancel=cancel, **options
        )
        return Stream(_wait(_called(make)))

    def session(
        self,
        *,
        name: str | None = None,
        restart: bool = False,
        state: SessionState | None = None,
        **options: Unpack[RunOptions],
    ) -> Session:
        """A bash that stays: folder, variables, functions and options of one command are there for the next."""
        make = functools.partial(self._inner.session, name=name, restart=restart, state=state, **options)
        return Session(_wait(_called(make)), _wait, Stream)

    def set_env(self, variables: Mapping[str, str]) -> None:
        """Give these variables to every command from now on: the environment of the skill that is active."""
        self._inner.set_env(variables)

    def clear_env(self) -> None:
        """Take the skill's variables away again."""
        self._inner.clear_env()

    def running(self) -> list[RunningCommand]:
        """What runs in this shell now."""
        return _wait(_called(self._inner.running))

    def stop_all(self, *, agent: str | None = None) -> int:
        """End what runs in this shell, or what one agent runs in it, and wait for that; how many that were."""
        return _wait(self._inner.stop_all(agent=agent))


class Stream:
    """Blocking twin of `limpet.Stream`: `with shell.stream(...) as run: for event in run`."""

    def __init__(self, inner: _shell.Stream) -> None:
        self._inner = inner

    def __enter__(self) -> Self:
        _wait(self._inner.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _wait(self._inner.__aexit__(kind, error, trace))

    def __iter__(self) -> Iterator[Event]:
        events = _wait(_called(self._inner.__aiter__))
        with contextlib.suppress(StopAsyncIteration):
            while True:
                yield _wait(_next(events))

    def result(self) -> Result:
        """The result, once it is over."""
        return _wait(self._inner.result())


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
    **options: Unpack[RunOptions],
) -> Result:
    """Run one command to its end. With `check`, anything but success raises CommandError."""
    return _wait(
        calls.run(command, workspace=workspace, check=check, approver=approver, cancel=cancel, **options)
    )  # fmt: skip


def sequence(
    commands: Iterable[str],
    *,
    workspace: str | PathLike[str] | None = None,
    approver: str | Approver | None = None,
    **options: Unpack[RunOptions],
) -> list[Result]:
    """Run several in order, up to and with the first that does not succeed."""
    return _wait(calls.sequence(commands, workspace=workspace, approver=approver, **options))


def stream(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    lossless: bool = False,
    approver: str | Approver | None = None,
    cancel: CancelToken | None = None,
    **options: Unpack[RunOptions],
) -> Stream:
    """Run a command and read its events as they come; leaving the block ends the run."""
    make = functools.partial(
        calls.stream, command, workspace=workspace, lossless=lossless, approver=approver, cancel=cancel, **options
    )
    return Stream(_wait(_called(make)))


async def _called(function: Callable[[], T]) -> T:
    """Call inside the loop what needs one."""
    return function()


async def _next(events: AsyncIterator[Event]) -> Event:
    return await anext(events)


def _wait(work: Coroutine[Any, Any, T]) -> T:
    """Have the loop's thread do it. Ctrl-C here cancels it there, and waits until nothing of it is left."""
    loop = _loop(os.getpid())
    answer: concurrent.futures.Future[T] = concurrent.futures.Future()
    tasks: list[asyncio.Task[T]] = []

    def begin() -> None:
        tasks.append(loop.create_task(work))
        tasks[0].add_done_callback(lambda task: _hand_over(task, answer))

    loop.call_soon_threadsafe(begin)
    try:
        return answer.result()
    except BaseException:
        if not answer.done():
            loop.call_soon_threadsafe(tasks[0].cancel)
            concurrent.futures.wait([answer])
        raise


def _hand_over(task: asyncio.Task[T], answer: concurrent.futures.Future[T]) -> None:
    if task.cancelled():
        answer.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        answer.set_exception(error)
    else:
        answer.set_result(task.result())


@functools.lru_cache(maxsize=1)
def _loop(process: int) -> asyncio.AbstractEventLoop:  # noqa: ARG001 - a forked child needs a loop of its own
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="limpet", daemon=True).start()
    return loop
