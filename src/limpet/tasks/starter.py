"""An admitted request -> a task that goes on by itself, or a run that may become one.

Judged and asked about here, where whoever called is still there to be told; then handed over to a holder.
"""

from __future__ import annotations

import asyncio
import functools
import os
import time
from typing import TYPE_CHECKING, Any

import msgspec

from limpet.approval.heard import Heard
from limpet.engine import gate
from limpet.engine.ids import TASK, new_id
from limpet.engine.patience import to_the_end
from limpet.engine.pipeline import clear
from limpet.errors import InvalidRequestError, LaunchError
from limpet.kernel.identity import mine
from limpet.kernel.umask import umask
from limpet.model.decision import Verdict
from limpet.model.result import Outcome, Result
from limpet.model.task import TaskInput
from limpet.tasks.ending import until_over
from limpet.tasks.given import given
from limpet.tasks.link import Link, NeverBegunError, handed_over, raised_there
from limpet.tasks.record import Facts
from limpet.tasks.spare import spare
from limpet.tasks.task import Task
from limpet.wiring.recording import command_redactor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings
    from limpet.engine.cancel import CancelToken
    from limpet.engine.parts import Parts
    from limpet.model.decision import Decision
    from limpet.model.request import Request
    from limpet.tasks.folder import TaskFolder
    from limpet.tasks.patience import Patience
    from limpet.tasks.store import Tasks

_PATIENCE = 60.0


class Starter:
    """Starts tasks with the settings and the environment of one shell."""

    def __init__(self, tasks: Tasks, settings: Settings, environ: Mapping[str, str], *, lasting: bool) -> None:
        """`lasting`: more than one command is to come."""
        self._tasks = tasks
        self._lasting = lasting and settings.run.ready > 0
        self._settings = settings
        self._environ = dict(environ)

    async def start(self, request: Request, parts: Parts, cancel: CancelToken) -> Task:
        """A task under way. Raises CommandDeniedError, and whatever `run` raises for what cannot be started."""
        request, parts = _for_background(request), _hearing(parts)
        given(request)
        decision = await clear(request, parts, cancel=cancel)
        if isinstance(decision, Result):
            decision.check()
            raise AssertionError("a result of the gate is never a success")
        try:
            return await self._start(request, decision, parts, ready=True)
        except NeverBegunError:
            return await self._start(_renamed(request), decision, parts, ready=False)

    async def run(self, request: Request, parts: Parts, cancel: CancelToken, yield_after: Patience) -> Result:
        """Its result; or, if it takes longer than that, that it goes on, with the output so far."""
        if request.inherit_stdin:
            raise InvalidRequestError(
                "a command that may go on in the background cannot share the caller's own stdin: pass text or bytes",
                field="stdin",
            )
        request, parts = _for_background(request), _hearing(parts)
        decision = await clear(request, parts, cancel=cancel)
        if isinstance(decision, Result):
            return decision
        await parts.queue.enter(self._settings.run.parallel)
        try:
            task = await self._run(request, decision, parts, cancel, yield_after, ready=True)
        except NeverBegunError:
            request = _renamed(request)
            task = await self._run(request, decision, parts, cancel, yield_after, ready=False)
        finally:
            parts.queue.leave()
        result = _answer(task, request, decision)
        if result.task_id is None:
            yield_after.task = None  # there is none any more
            self._put_away(task.folder, result)
        return result

    def _put_away(self, folder: TaskFolder, result: Result) -> None:
        """It never became a task: of its folder only what it printed is left. Nobody waits for this."""
        silent = result.output_file is None
        work = functools.partial(self._tasks.discard, folder) if silent else folder.put_away
        asyncio.get_running_loop().run_in_executor(None, work)

    async def _start(self, request: Request, decision: Decision, parts: Parts, *, ready: bool) -> Task:
        link = await self._hand_over(request, decision, parts, foreground=False, ready=ready)
        try:
            await self._begun(link)
        except asyncio.CancelledError:
            link.say("stop")
            await to_the_end(_over(link.folder))
            raise
        finally:
            link.close()
            self._get_ready()
        return Task(link.folder)

    async def _run(
        self, request: Request, decision: Decision, parts: Parts, cancel: CancelToken, after: Patience, *, ready: bool
    ) -> Task:
        link = await self._hand_over(request, decision, parts, foreground=True, ready=ready)
        stop = link.stopper()
        cancel.add_listener(stop)
        try:
            if await self._is_over(link, after):
                link.give_back()
        except asyncio.CancelledError:
            link.close()  # it ends with that, and its holder with it
            await to_the_end(_over(link.folder))
            raise
        finally:
            cancel.remove_listener(stop)
            link.close()
            self._get_ready()
        return Task(link.folder)

    async def _hand_over(
        self, request: Request, decision: Decision, parts: Parts, *, foreground: bool, ready: bool
    ) -> Link:
        """`ready`: a holder that waits will do."""
        by = gate.name_of(parts.approver) if decision.verdict is Verdict.ASK else ""
        work = asyncio.to_thread(self._spawn, request, decision, by, foreground=foreground, ready=ready)
        try:
            return await asyncio.shield(task := asyncio.ensure_future(work))
        except asyncio.CancelledError:
            link = await to_the_end(_finished(task))
            link.say("stop")
            link.close()
            await to_the_end(_over(link.folder))
            raise

    def _spawn(self, request: Request, decision: Decision, by: str, *, foreground: bool, ready: bool) -> Link:
        """Blocks for a moment: files are written, a process is started."""
        facts = self._facts(request)
        folder, held = self._tasks.make(facts, most=self._settings.tasks.most, foreground=foreground)
        errand = {
            "folder": folder.path, "request": request, "decision": decision, "approved_by": by,
            "settings": self._for_holder(foreground=foreground), "environ": self._environ, "umask": umask(),
            "foreground": foreground, "caller": mine(),
        }  # fmt: skip
        try:
            fds = (held, *given(request))
            return Link(folder, handed_over(msgspec.to_builtins(errand, builtin_types=(bytes,)), fds, ready=ready))
        except BaseException:
            self._tasks.discard(folder)
            raise
        finally:
            os.close(held)

    def _facts(self, request: Request) -> Facts:
        redact = command_redactor(self._environ, request)
        settings = self._settings
        return Facts(
            task_id=request.id, command=redact(request.command), description=redact(request.description),
            workspace=request.workspace, cwd=request.cwd, origin=request.origin, created_at=time.time(),
            timeout=request.timeout, ladder=settings.run.grace + settings.run.kill_wait, window=request.window,
            clean=settings.output.clean, redact=settings.output.redact, input=_input(request),
        )  # fmt: skip

    def _for_holder(self, *, foreground: bool) -> Settings:
        """A task is one command, and no second one is to be ready for."""
        if foreground and self._lasting:
            return self._settings
        return msgspec.structs.replace(self._settings, run=msgspec.structs.replace(self._settings.run, ready=0))

    def _get_ready(self) -> None:
        """For the next one, where there may be one; nobody waits for this."""
        if self._lasting:
            asyncio.get_running_loop().run_in_executor(None, spare().prepare)

    async def _begun(self, link: Link) -> None:
        """Until the command runs; one that is still on its way after so long is left to itself."""
        said = await link.hear(_PATIENCE)
        self._check(link, said)
        if said is not None and "gone" in said:
            raise LaunchError("the process that held the task was killed before it could say that it runs")

    async def _is_over(self, link: Link, patience: Patience) -> bool:
        """Until it is over; when it has run for so long it is asked to go on by itself, which is False."""
        said = await link.hear(_PATIENCE)  # the command's time begins when it does
        self._check(link, said)
        if said is not None and "started" in said:
            said = await self._waited(link, patience)
            self._check(link, said)
        if said is None:
            link.say("yield")
            said = await link.hear(_PATIENCE)
            self._check(link, said)
        return said is not None and "over" in said

    async def _waited(self, link: Link, patience: Patience) -> dict[str, Any] | None:
        loop, enough = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(enough.set)

        patience.task = Task(link.folder)
        patience.add_listener(wake)
        try:
            return await link.hear(patience.seconds, enough)
        finally:
            patience.remove_listener(wake)

    def _check(self, link: Link, said: dict[str, Any] | None) -> None:
        """Raise what the holder could not do."""
        if said is not None and "failed" in said:
            self._tasks.discard(link.folder)
            raise raised_there(*said["failed"])
        if said is not None and "gone" in said and link.folder.standing() is None:
            self._tasks.discard(link.folder)
            raise NeverBegunError("the process that was to hold the task was killed before it had started anything")


def _input(request: Request) -> TaskInput:
    if request.terminal is not None:
        return TaskInput.TERMINAL
    return TaskInput.PIPE if request.open_stdin else TaskInput.NONE


def _for_background(request: Request) -> Request:
    if not request.capture_output:
        raise InvalidRequestError(
            "a command that may go on in the background cannot write to the caller's own stdout: its output is stored",
            field="capture_output",
        )
    return _renamed(request)


def _renamed(request: Request) -> Request:
    return msgspec.structs.replace(request, id=new_id(TASK))


def _answer(task: Task, request: Request, decision: Decision) -> Result:
    result = msgspec.structs.replace(task.result(), command=request.command, decision=decision)
    if result.outcome is Outcome.RUNNING:
        note = f"still running after {result.duration_ms / 1000:.1f} s: it goes on as task {task.id}"
        return msgspec.structs.replace(result, error="; ".join(part for part in (result.error, note) if part))
    nothing = not (result.stdout_bytes or result.stderr_bytes)
    return msgspec.structs.replace(
        result, task_id=None, output_file=None if nothing else result.output_file
    )  # fmt: skip


def _hearing(parts: Parts) -> Parts:
    """The same, with who answers remembered: the holder is told."""
    return msgspec.structs.replace(parts, approver=Heard(parts.approver))


async def _over(folder: TaskFolder) -> None:
    await until_over(folder, _PATIENCE)


async def _finished(task: asyncio.Future[Link]) -> Link:
    return await task
