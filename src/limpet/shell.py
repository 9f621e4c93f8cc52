"""The front door: run, stream and sequence commands in a workspace."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Self

import msgspec

from limpet.config import state_dir
from limpet.engine.admit import Admission, admit
from limpet.engine.cancel import CancelToken
from limpet.engine.feed import Feed
from limpet.engine.handle import Handle
from limpet.engine.live import LiveRuns
from limpet.engine.pipeline import execute
from limpet.engine.sequence import Blocks, in_order
from limpet.engine.stream import Stream
from limpet.errors import InvalidRequestError
from limpet.model.decision import Verdict
from limpet.model.result import Outcome
from limpet.render.text import summary
from limpet.session_verbs import SessionVerbs
from limpet.syntax.fences import fences
from limpet.tasks.patience import patience, task_settings, unlimited
from limpet.tasks.store import Tasks
from limpet.tasks.verbs import TaskVerbs
from limpet.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import Unpack

    from limpet.approval.later import Later, Pending
    from limpet.config import Resolved, Settings
    from limpet.engine.parts import Parts
    from limpet.model.decision import Decision
    from limpet.model.options import Options, RunOptions
    from limpet.model.request import Origin, Request
    from limpet.model.result import Result
    from limpet.model.running import RunningCommand
    from limpet.protocols import Approver, Launcher
    from limpet.tasks.patience import Patience
    from limpet.tasks.starter import Starter
    from limpet.tasks.task import Task


class Shell(TaskVerbs, SessionVerbs):
    """A workspace with settings; every command run in it takes the same road.

    Leaving the block ends whatever is still running in it.
    """

    def __init__(
        self,
        resolved: Resolved,
        parts: Parts,
        *,
        workspace: str,
        origin: Origin,
        options: Options,
        environ: Mapping[str, str],
    ) -> None:
        TaskVerbs.__init__(self, Tasks(state_dir(environ)), workspace, options.agent or origin.agent)
        SessionVerbs.__init__(self, environ)
        self._resolved = resolved
        self._parts = parts
        self._origin = origin
        self._options = options
        self._skill: dict[str, str] = {}
        self._running = LiveRuns()
        self._admission = Admission(resolved.settings, workspace, origin)

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
        await self.close_sessions()
        self._parts.recorder.close()

    async def run(
        self,
        command: str,
        *,
        check: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        yield_after: float | Patience | None = None,
        **options: Unpack[RunOptions],
    ) -> Result:
        """Run one command to its end. With `check`, anything but success raises CommandError.

        With `yield_after`, a command that runs for more seconds than that goes on as a background task: the result is
        RUNNING, with its `task_id` and the output so far.
        """
        request = self._admit(command, options)
        settings = self._resolved.settings
        after = patience(request, yield_after, settings)
        if request.open_stdin and after is None:
            raise InvalidRequestError(
                "stdin=OPEN is for stream() and start(): nobody could send anything here", field="stdin"
            )
        if after is None:
            result = await self._execute(request, approver, cancel, None)
        else:
            result = await self._yielding(unlimited(request, after, settings), approver, cancel, after)
        return result.check() if check and result.outcome is not Outcome.RUNNING else result

    async def start(
        self, command: str, *, approver: str | Approver | None = None, **options: Unpack[RunOptions]
    ) -> Task:
        """Start a command in the background, where it goes on when this shell, or this process, has ended.

        It is judged, asked about, contained and recorded like any other. Raises CommandDeniedError, with the result in
        it, for one that may not run; InvalidRequestError when as many run already as may (`tasks.most`).
        """
        request = self._admit(command, options, task_settings(self.settings))
        return await self._starter.start(request, self._parts_for(approver), CancelToken())

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
        attended: bool = True,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Stream:
        """Run a command and read its events as they come; leaving the block ends the run.

        A reader that falls behind misses the oldest output (it is told how much); with `lossless` the command waits.
        Where it is not `attended`, a command that waits for input is ended, as by `run`: nobody will send any.
        """
        request = self._admit(command, options)
        feed, handle = Feed(lossless=lossless), Handle()
        answering = handle if attended else None
        return Stream(feed, handle, lambda: self._execute(request, approver, cancel, feed, answering))

    def check(self, command: str, **options: Unpack[RunOptions]) -> Decision:
        """What would be decided about a command, with the settings, rules and answers of this shell."""
        return self._parts.judge(self._admit(command, options))

    def ask(self, command: str, **options: Unpack[RunOptions]) -> Pending | None:
        """Put the question of a command into the inbox ahead of running it; None when nothing is left to ask.

        It stays there when nobody waits. `run` with the same options and `approver="later"` finds the answer.
        """
        request = self._admit(command, options)
        decision = self._parts.judge(request)
        if decision.verdict is not Verdict.ASK:
            return None
        pending = self.later.pose(request, decision)
        return pending if pending.said is None else None

    @property
    def later(self) -> Later:
        """Who answers as `approver="later"`: for an approver of your own that also asks elsewhere."""
        from limpet.approval.later import Later  # noqa: PLC0415 - few commands are asked about

        later = self._parts.approvers("later")
        assert isinstance(later, Later)
        return later

    def transaction(self, *, label: str = "", **options: Unpack[RunOptions]) -> Transaction:
        """Commands whose changes are kept or dropped together; `label` says what they are for, `options` is for all."""
        request = self._admit(label or "transaction", options)

        def admitted(command: str, more: RunOptions) -> Request:
            return self._admit(command, {**options, **more})

        return Transaction(lambda: self._parts.transactions.open(request), admitted, self._execute, self._opened)

    def set_env(self, variables: Mapping[str, str]) -> None:
        """Give these variables to every command from now on: the environment of the skill that is active."""
        checked = self._admit("true", {"env": variables})
        self._skill = dict(checked.env)

    def clear_env(self) -> None:
        """Take the skill's variables away again."""
        self._skill = {}

    def running(self) -> list[RunningCommand]:
        """What runs in this shell now."""
        return self._running.lines()

    async def stop_all(self, *, agent: str | None = None) -> int:
        """End what runs in this shell, or what one agent runs in it, and wait for that; how many that were."""
        return await self._running.stop(agent=agent)

    @functools.cached_property
    def _starter(self) -> Starter:
        from limpet.tasks.starter import Starter  # noqa: PLC0415 - few commands go on in the background

        lasting = self._origin.surface != "cli"
        return Starter(self._tasks, self.settings, self._environ, lasting=lasting)

    def _admit(self, command: str, options: RunOptions, settings: Settings | None = None) -> Request:
        merged = self._options.but(**options) if options else self._options
        if self._skill:
            merged = merged.but(env={**self._skill, **(merged.env or {})})
        if settings is not None:
            return admit(command, merged, settings=settings, workspace=self._workspace, origin=self._origin)
        return self._admission(command, merged)

    async def _execute(
        self,
        request: Request,
        approver: str | Approver | None,
        cancel: CancelToken | None,
        feed: Feed | None,
        handle: Handle | None = None,
        launcher: Launcher | None = None,
    ) -> Result:
        if launcher is None and self._resolved.settings.run.setup:
            return await self._set_up(request, approver, cancel, feed)
        parts = self._parts if approver is None else self._parts_for(approver)
        if launcher is not None:
            parts = msgspec.structs.replace(parts, launcher=launcher)
        with self._running.entered(request, cancel) as token:
            return await execute(request, parts, cancel=token, feed=feed, handle=handle)

    async def _yielding(
        self, request: Request, approver: str | Approver | None, cancel: CancelToken | None, after: Patience
    ) -> Result:
        parts = self._parts_for(approver)
        with self._running.entered(request, cancel) as token:
            return await self._starter.run(request, parts, token, after)

    def _parts_for(self, approver: str | Approver | None) -> Parts:
        if approver is None:
            return self._parts
        return msgspec.structs.replace(self._parts, approver=self._parts.approvers(approver))
