"""The front door: run, stream and sequence commands in a workspace."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import time
import weakref
from typing import TYPE_CHECKING, Self

from limpet import wiring
from limpet.config import resolve
from limpet.engine.admit import admit, shown
from limpet.engine.cancel import CancelToken
from limpet.engine.feed import Feed
from limpet.engine.patience import to_the_end
from limpet.engine.pipeline import execute
from limpet.engine.sequence import Blocks, in_order
from limpet.errors import InvalidRequestError
from limpet.model.options import Options, RunOptions
from limpet.model.request import Origin
from limpet.model.running import RunningCommand
from limpet.render.text import summary
from limpet.sessions import Session
from limpet.syntax.fences import fences

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
    from os import PathLike
    from types import TracebackType
    from typing import Any, Unpack

    from limpet.config import Resolved, Settings
    from limpet.engine.parts import Parts
    from limpet.model.decision import Verdict
    from limpet.model.event import Event
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.model.session import SessionState
    from limpet.protocols import Approver, Launcher


class Shell:
    """A workspace with settings; every command run in it takes the same road.

    Leaving the block ends whatever is still running in it.
    """

    def __init__(self, resolved: Resolved, parts: Parts, *, workspace: str, origin: Origin, options: Options) -> None:
        self._resolved = resolved
        self._parts = parts
        self._workspace = workspace
        self._origin = origin
        self._options = options
        self._skill: dict[str, str] = {}
        self._running: dict[str, _Live] = {}
        self._sessions: weakref.WeakSet[Session] = weakref.WeakSet()

    @property
    def workspace(self) -> str:
        """The folder commands run in, with symbolic links resolved."""
        return self._workspace

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._resolved.settings

    @property
    def resolved(self) -> Resolved:
        """The settings, with where each came from."""
        return self._resolved

    @property
    def rule_files(self) -> tuple[str, ...]:
        """The files of rules that were read, or would have been had they been there."""
        return self._parts.files

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop_all()
        for session in list(self._sessions):
            await session.close()

    async def run(
        self,
        command: str,
        *,
        check: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Result:
        """Run one command to its end. With `check`, anything but success raises CommandError."""
        request = self._admit(command, options)
        result = await self._execute(request, approver, cancel, None)
        return result.check() if check else result

    async def sequence(
        self, commands: Iterable[str], *, approver: str | Approver | None = None, **options: Unpack[RunOptions]
    ) -> list[Result]:
        """Run several in order, up to and with the first that does not succeed."""
        return await in_order(commands, lambda command: self.run(command, approver=approver, **options))

    async def run_blocks(
        self, answer: str, *, approver: str | Approver | None = None, **options: Unpack[RunOptions]
    ) -> Blocks:
        """Run the fenced bash blocks of a model's answer in order."""
        blocks = fences(answer)
        results = await self.sequence(blocks, approver=approver, **options)
        return Blocks(found=len(blocks), results=tuple(results), summary=summary(results))

    def stream(
        self,
        command: str,
        *,
        lossless: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Stream:
        """Run a command and read its events as they come; leaving the block ends the run.

        A reader that falls behind misses the oldest output (it is told how much); with `lossless` the command waits.
        """
        request = self._admit(command, options)
        feed = Feed(lossless=lossless)
        return Stream(feed, lambda: self._execute(request, approver, cancel, feed))

    def session(
        self,
        *,
        name: str | None = None,
        restart: bool = False,
        state: SessionState | None = None,
        **options: Unpack[RunOptions],
    ) -> Session:
        """A bash that stays: folder, variables, functions and options of one command are there for the next.

        A command that exits ends the session; with `restart` the next one goes on from there in a new shell. `state`
        is a snapshot to begin from. Leaving the block ends it, with what runs in its background.
        """
        first = self._admit("true", options)
        opened = Session(
            self._admit, self._execute, Stream, first, options, name=name, restart=restart, state=state
        )  # fmt: skip
        self._sessions.add(opened)
        return opened

    def set_env(self, variables: Mapping[str, str]) -> None:
        """Give these variables to every command from now on: the environment of the skill that is active."""
        checked = self._admit("true", {"env": variables})
        self._skill = dict(checked.env)

    def clear_env(self) -> None:
        """Take the skill's variables away again."""
        self._skill = {}

    def running(self) -> list[RunningCommand]:
        """What runs in this shell now."""
        return [live.line() for live in self._running.values()]

    async def stop_all(self, *, agent: str | None = None) -> int:
        """End what runs in this shell, or what one agent runs in it, and wait for that; how many that were."""
        runs = [live for live in self._running.values() if agent in (None, live.request.origin.agent)]
        for live in runs:
            live.token.cancel()
        for live in runs:
            await live.over.wait()
        return len(runs)

    def _admit(self, command: str, options: RunOptions) -> Request:
        merged = self._options.but(**options)
        if self._skill:
            merged = merged.but(env={**self._skill, **(merged.env or {})})
        return admit(
            command, merged, settings=self._resolved.settings, workspace=self._workspace, origin=self._origin
        )  # fmt: skip

    async def _execute(
        self,
        request: Request,
        approver: str | Approver | None,
        cancel: CancelToken | None,
        feed: Feed | None,
        launcher: Launcher | None = None,
    ) -> Result:
        parts = self._parts if launcher is None else dataclasses.replace(self._parts, launcher=launcher)
        if approver is not None:
            parts = dataclasses.replace(parts, approver=parts.approvers(approver))
        live = self._running[request.id] = _Live(request)
        if cancel is not None:
            cancel.add_listener(live.token.cancel)
        try:
            return await execute(request, parts, cancel=live.token, feed=feed)
        finally:
            if cancel is not None:
                cancel.remove_listener(live.token.cancel)
            live.over.set()
            del self._running[request.id]


class Stream:
    """One run, seen as it happens: `async with shell.stream(...) as run: async for event in run`."""

    def __init__(self, feed: Feed, execute: Callable[[], Coroutine[Any, Any, Result]]) -> None:
        self._feed = feed
        self._execute = execute
        self._task: asyncio.Task[Result] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.ensure_future(self._execute())
        self._task.add_done_callback(lambda _: self._feed.end())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        me = asyncio.current_task()
        calls = me.cancelling() if me is not None else 0
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await to_the_end(_outcome(self._task), again=self._task.cancel)
        if me is not None and me.cancelling() > calls:
            raise asyncio.CancelledError  # it came while we waited, and is the caller's
        if kind is None and not self._task.cancelled():
            self._task.result()  # what limpet could not do is not swallowed

    async def __aiter__(self) -> AsyncIterator[Event]:
        async for event in self._feed:
            yield event
        await self.result()

    async def result(self) -> Result:
        """The result, once it is over."""
        assert self._task is not None, "enter the block first"
        return await asyncio.shield(self._task)


async def _outcome(task: asyncio.Task[Result]) -> None:
    await asyncio.wait([task])


class _Live:
    """A run under way."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.token = CancelToken()
        self.over = asyncio.Event()
        self._since = time.monotonic()

    def line(self) -> RunningCommand:
        request = self.request
        return RunningCommand(
            operation_id=request.id,
            command=request.command,
            description=request.description,
            agent=request.origin.agent,
            seconds=time.monotonic() - self._since,
        )


def open(  # noqa: A001 - `limpet.open` is what it is called
    workspace: str | PathLike[str] | None = None,
    *,
    approver: str | Approver = "deny",
    permission: Callable[[str], Verdict | str] | None = None,
    settings: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    surface: str = "python",
    **options: Unpack[RunOptions],
) -> Shell:
    """A shell for a workspace (default: `cwd`, else the current folder). Other options are defaults for its commands.

    `approver` answers what policy asks: `deny` (nobody is there), `yes`, `terminal`, or an async callable. `permission`
    is asked about `tool:bash:<command>` before anything runs and answers allow, ask or deny; it only makes things
    stricter. `settings` overrides single settings by dotted name; `environ` stands in for this process's environment.
    """
    caller = dict(os.environ if environ is None else environ)
    folder = workspace_folder(options.pop("cwd", None) if workspace is None else workspace)
    resolved = resolve(workspace=folder, environ=caller, overrides=settings or {})
    lasting = surface != "cli"
    parts = wiring.parts(resolved.settings, caller, folder, approver=approver, permission=permission, lasting=lasting)
    wiring.prune(parts, caller)
    return Shell(resolved, parts, workspace=folder, origin=Origin(surface=surface), options=Options(**options))


def workspace_folder(path: str | PathLike[str] | None) -> str:
    """The folder that is meant, by its real path. Raises InvalidRequestError."""
    try:
        folder = os.path.realpath(os.getcwd() if path is None else path)
    except FileNotFoundError:
        raise InvalidRequestError(
            "the current folder does not exist any more; say which workspace", field="cwd"
        ) from None
    except (TypeError, ValueError, OSError) as error:
        raise InvalidRequestError(f"workspace: {error}", field="workspace") from error
    if not os.path.isdir(folder):
        what = "is not a folder" if os.path.lexists(folder) else "does not exist"
        raise InvalidRequestError(f"the workspace {shown(os.fsdecode(folder))} {what}", field="workspace")
    return os.fsdecode(folder)
