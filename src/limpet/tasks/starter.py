"""An admitted request -> a task that goes on by itself, or a run that may become one.

Judged and asked about here, where whoever called is still there to be told; then handed over to a holder.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import TYPE_CHECKING, Any

import msgspec

from limpet import errors, wiring
from limpet.config.settings import OnTimeout
from limpet.engine import gate
from limpet.engine.ids import TASK, new_id
from limpet.engine.patience import to_the_end
from limpet.engine.pipeline import clear
from limpet.errors import InvalidRequestError, LaunchError, limpetError
from limpet.model.decision import Verdict
from limpet.model.result import Outcome, Result
from limpet.sandbox.bare import umask
from limpet.tasks.ending import until_over
from limpet.tasks.record import Facts
from limpet.tasks.spare import spare
from limpet.tasks.task import Task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings
    from limpet.engine.cancel import CancelToken
    from limpet.engine.parts import Parts
    from limpet.model.decision import Decision
    from limpet.model.request import Request
    from limpet.process import detached
    from limpet.tasks.folder import TaskFolder
    from limpet.tasks.store import Tasks

_PATIENCE = 60.0
_YEAR = 365 * 86_400.0


def task_settings(settings: Settings) -> Settings:
    """What a request for the background is admitted by: its own time limit, and room for its output."""
    run = msgspec.structs.replace(settings.run, timeout=settings.tasks.timeout, max_timeout=_YEAR)
    output = msgspec.structs.replace(settings.output, disk=settings.tasks.output)
    return msgspec.structs.replace(settings, run=run, output=output)


def patience(request: Request, yield_after: float | None, settings: Settings) -> float | None:
    """After how many seconds the call comes back without the end; None when it never does."""
    if yield_after is None:
        return request.timeout if settings.run.on_timeout is OnTimeout.BACKGROUND else None
    if isinstance(yield_after, bool) or not isinstance(yield_after, (int, float)) or not 0 <= yield_after <= _YEAR:
        raise InvalidRequestError(f"yield_after must be a number of seconds, not {yield_after!r}", field="yield_after")
    return float(yield_after)


def unlimited(request: Request, after: float, settings: Settings) -> Request:
    """Where the time limit means the background, the command has the limit of a task instead."""
    if settings.run.on_timeout is not OnTimeout.BACKGROUND or request.timeout is None or after < request.timeout:
        return request
    return msgspec.structs.replace(request, timeout=settings.tasks.timeout)


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
        request = _for_background(request)
        decision = await clear(request, parts, cancel=cancel)
        if isinstance(decision, Result):
            decision.check()
            raise AssertionError("a result of the gate is never a success")
        link = await self._hand_over(request, decision, parts, foreground=False)
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

    async def run(self, request: Request, parts: Parts, cancel: CancelToken, yield_after: float) -> Result:
        """Its result; or, if it takes longer than that, that it goes on, with the output so far."""
        request = _for_background(request)
        decision = await clear(request, parts, cancel=cancel)
        if isinstance(decision, Result):
            return decision
        link = await self._hand_over(request, decision, parts, foreground=True)
        stop = link.stopper()
        cancel.add_listener(stop)
        try:
            if await self._is_over(link, yield_after):
                link.give_back()
        except asyncio.CancelledError:
            link.close()  # it ends with that, and its holder with it
            await to_the_end(_over(link.folder))
            raise
        finally:
            cancel.remove_listener(stop)
            link.close()
            self._get_ready()
        return _answer(Task(link.folder), request, decision, yield_after)

    async def _hand_over(self, request: Request, decision: Decision, parts: Parts, *, foreground: bool) -> Link:
        by = gate.name_of(parts.approver) if decision.verdict is Verdict.ASK else ""
        work = asyncio.to_thread(self._spawn, request, decision, by, foreground=foreground)
        try:
            return await asyncio.shield(task := asyncio.ensure_future(work))
        except asyncio.CancelledError:
            link = await to_the_end(_finished(task))
            link.say("stop")
            link.close()
            await to_the_end(_over(link.folder))
            raise

    def _spawn(self, request: Request, decision: Decision, by: str, *, foreground: bool) -> Link:
        """Blocks for a moment: files are written, a process is started."""
        facts = self._facts(request)
        folder, held = self._tasks.make(facts, most=self._settings.tasks.most, foreground=foreground)
        errand = {
            "folder": folder.path, "request": request, "decision": decision, "approved_by": by,
            "settings": self._for_holder(foreground=foreground), "environ": self._environ, "umask": umask(),
            "foreground": foreground,
        }  # fmt: skip
        try:
            return Link(folder, _handed_over(msgspec.to_builtins(errand, builtin_types=(bytes,)), held))
        except BaseException:
            self._tasks.discard(folder)
            raise
        finally:
            os.close(held)

    def _facts(self, request: Request) -> Facts:
        redact = wiring.command_redactor(self._environ, request)
        settings = self._settings
        return Facts(
            task_id=request.id, command=redact(request.command), description=redact(request.description),
            workspace=request.workspace, cwd=request.cwd, origin=request.origin, created_at=time.time(),
            timeout=request.timeout, ladder=settings.run.grace + settings.run.kill_wait, window=request.window,
            clean=settings.output.clean, redact=settings.output.redact,
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

    async def _is_over(self, link: Link, seconds: float) -> bool:
        """Until it is over; when it has run for so long it is asked to go on by itself, which is False."""
        said = await link.hear(_PATIENCE)  # the command's time begins when it does
        self._check(link, said)
        if said is not None and "started" in said:
            said = await link.hear(seconds)
            self._check(link, said)
        if said is None:
            link.say("yield")
            said = await link.hear(_PATIENCE)
            self._check(link, said)
        return said is not None and "over" in said

    def _check(self, link: Link, said: dict[str, Any] | None) -> None:
        """Raise what the holder could not do."""
        if said is not None and "failed" in said:
            self._tasks.discard(link.folder)
            raise _error(*said["failed"])
        if said is not None and "gone" in said and link.folder.standing() is None:
            self._tasks.discard(link.folder)
            raise LaunchError("the process that was to hold the task was killed before it had started anything")


class Link:
    """The line between a holder and whoever started it."""

    def __init__(self, folder: TaskFolder, holder: detached.Detached) -> None:
        self.folder = folder
        self._holder = holder
        self._given_back = False
        holder.sock.settimeout(0)

    async def hear(self, seconds: float) -> dict[str, Any] | None:
        """What the holder says next; `gone` when it has ended, None when it says nothing for so long."""
        try:
            async with asyncio.timeout(seconds):
                data = await asyncio.get_running_loop().sock_recv(self._holder.sock, 65536)
        except TimeoutError:
            return None
        except OSError:
            data = b""
        self._holder.reap()
        said: dict[str, Any] = json.loads(data) if data else {"gone": True}
        return said

    def say(self, word: str) -> None:
        """Tell it."""
        self._holder.say(word)

    def stopper(self) -> Any:
        """For a cancel token, which may be cancelled in any thread."""
        loop = asyncio.get_running_loop()
        return lambda: loop.call_soon_threadsafe(self.say, "stop")

    def give_back(self) -> None:
        """It is over, and the holder may have the next one."""
        self._given_back = spare().keep(self._holder)

    def close(self) -> None:
        """Nothing more to say."""
        if not self._given_back:
            self._holder.close()


def _handed_over(errand: Any, held: int) -> detached.Detached:
    """To a holder that waits, or, if that was killed, to a new one. Raises LaunchError."""
    for holder in (spare().take(), None):
        taken = holder or spare().new()
        try:
            taken.hand_over(errand, (held,))
        except OSError as error:
            taken.close()
            if holder is None:
                raise LaunchError(f"cannot hand over the task: {error.strerror}", errno=error.errno) from error
        else:
            return taken
    raise AssertionError("either returned or raised")


def _for_background(request: Request) -> Request:
    if request.inherit_stdin:
        raise InvalidRequestError(
            "a command that may go on in the background cannot read the caller's own stdin: pass text or bytes",
            field="stdin",
        )
    if not request.capture_output:
        raise InvalidRequestError(
            "a command that may go on in the background cannot write to the caller's own stdout: its output is stored",
            field="capture_output",
        )
    return msgspec.structs.replace(request, id=new_id(TASK))


def _answer(task: Task, request: Request, decision: Decision, yield_after: float) -> Result:
    result = msgspec.structs.replace(task.result(), command=request.command, decision=decision)
    if result.outcome is Outcome.RUNNING:
        note = f"still running after {yield_after:g} s: it goes on as task {task.id}"
        return msgspec.structs.replace(result, error="; ".join(part for part in (result.error, note) if part))
    nothing = not (result.stdout_bytes or result.stderr_bytes)
    return msgspec.structs.replace(
        result, task_id=None, output_file=None if nothing else result.output_file
    )  # fmt: skip


def _error(name: str, message: str) -> limpetError:
    """What was raised in the holder, raised here."""
    kind = getattr(errors, name, None)
    known = isinstance(kind, type) and issubclass(kind, limpetError) and not issubclass(kind, errors.CommandError)
    error: limpetError = kind(message) if kind is not None and known else LaunchError(message)
    return error


async def _over(folder: TaskFolder) -> None:
    await until_over(folder, _PATIENCE)


async def _finished(task: asyncio.Future[Link]) -> Link:
    return await task
