"""The process that a task lives in: it walks the road with a decision that was made before, and writes down what comes.

Whoever started it may be gone. SIGTERM ends the command with grace, SIGQUIT without. Killed, it takes everything that
the command has started with it: it is the client of keepers like any other.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.approval import AnsweredBefore
from limpet.config import Settings
from limpet.engine.cancel import CancelToken
from limpet.engine.feed import Feed
from limpet.engine.handle import Handle
from limpet.engine.pipeline import execute
from limpet.errors import limpetError
from limpet.kernel.identity import Identity, mine, pin
from limpet.model.decision import Decision
from limpet.model.event import Started, Waiting
from limpet.model.request import Request
from limpet.model.result import Outcome, Result
from limpet.model.task import STATE_OF, TaskState
from limpet.model.terminal import Terminal
from limpet.process.detached import heard
from limpet.tasks.control import Control
from limpet.tasks.folder import TaskFolder
from limpet.tasks.given import as_stdin
from limpet.tasks.record import End, Standing
from limpet.wiring import road
from limpet.wiring.recording import command_redactor

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator

    from limpet.engine.parts import Parts
    from limpet.model.decision import FoundCommand
    from limpet.model.event import Event

_LONGEST_WORDS = 2_000


class Errand(msgspec.Struct, frozen=True, kw_only=True):
    """What a holder is to do."""

    folder: str
    request: Request
    decision: Decision
    approved_by: str
    """Who answered, where policy asked."""
    settings: Settings
    environ: dict[str, str]
    """Of whoever started it: what the command sees of it is decided on the road."""
    umask: int
    caller: Identity
    foreground: bool
    """The caller waits for it, and it ends with them, until they say that it may go on without."""


def hold(sock: socket.socket, message: dict[str, object], fds: list[int], kept: Kept) -> bool:
    """Hold one task to its end; whether another may come. The descriptors: its lock, and its stdin if it has one."""
    errand = msgspec.convert(message, Errand)
    os.umask(errand.umask)
    holder = Holder(sock, errand, kept)
    lock, *stdin = fds
    with as_stdin(stdin):
        asyncio.run(holder.hold())
    os.close(lock)
    return holder.free


class Holder:
    """One task under way."""

    def __init__(self, sock: socket.socket, errand: Errand, kept: Kept) -> None:
        self._kept = kept
        self._sock = sock
        self._errand = errand
        self._folder = TaskFolder(errand.folder)
        self._token = CancelToken()
        self._handle = Handle()
        self.free = errand.foreground
        """Whether it is a run that somebody waits for: the next may come to this process."""
        self._standing = Standing(holder=mine(), state=TaskState.STARTING)
        self._control = self._line() if errand.request.open_stdin or errand.request.terminal else None

    async def hold(self) -> None:
        """Walk the road, and write down how it ended, whatever happens."""
        self._listen()
        try:
            with self._watching():
                end, result, trouble = await self._walked()
        finally:
            if self._control is not None:
                self._control.close()
        self._folder.finish(end, result)
        asyncio.get_running_loop().remove_reader(self._sock)  # what comes next is for the next
        self._say({"failed": trouble} if trouble else {"over": True})

    async def _walked(self) -> tuple[End, Result | None, list[str]]:
        try:
            if self._control is not None:
                self._control.open()
            self._folder.stand(self._standing)  # a task that cannot be found again is not started
            result = await execute(
                self._errand.request, self._parts(), cancel=self._token, feed=_Ear(self.hear), handle=self._handle
            )
        except limpetError as error:
            return _not_started(str(error)), None, [type(error).__name__, str(error)[:_LONGEST_WORDS]]
        except Exception as error:  # noqa: BLE001 - whoever asks later has to find something
            words = f"its holder failed: {type(error).__name__}: {error}"
            return _not_started(words), None, ["LaunchError", words[:_LONGEST_WORDS]]
        return _ended(result), _recordable(result, self._redact()), []

    def hear(self, event: Event) -> None:
        """What happened on the road."""
        if isinstance(event, Started):
            self._stand(state=TaskState.RUNNING, pid=event.pid, started_at=time.time())
            self._say({"started": event.pid})
        elif isinstance(event, Waiting):
            state = TaskState.WAITING if event.waiting else TaskState.RUNNING
            self._stand(state=state, prompt=self._redact()(event.prompt))

    def _stand(self, **changes: object) -> None:
        self._standing = msgspec.structs.replace(self._standing, **changes)
        with contextlib.suppress(OSError):  # a full disk does not end it
            self._folder.stand(self._standing)

    def _line(self) -> Control:
        """By which others reach the command, and which they find by where it stands."""
        size = self._errand.request.terminal or Terminal(rows=0, columns=0)
        line = Control(self._folder.path, self._handle, lambda rows, columns: self._stand(rows=rows, columns=columns))
        self._standing = msgspec.structs.replace(
            self._standing, key=line.key, rows=size.rows, columns=size.columns
        )  # fmt: skip
        return line

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._end)
        loop.add_signal_handler(signal.SIGQUIT, self._end_now)
        self._sock.settimeout(0)
        loop.add_reader(self._sock, self._heard)

    @contextlib.contextmanager
    def _watching(self) -> Iterator[None]:
        """The caller, too, not only the line: a process that they forked may hold that open when they are gone."""
        pidfd = pin(self._errand.caller) if self.free else None
        if pidfd is None:
            if self.free:
                self._end()
            yield
            return
        loop = asyncio.get_running_loop()
        loop.add_reader(pidfd, self._caller_gone, pidfd)
        try:
            yield
        finally:
            loop.remove_reader(pidfd)
            os.close(pidfd)

    def _caller_gone(self, pidfd: int) -> None:
        asyncio.get_running_loop().remove_reader(pidfd)
        if self.free:
            self._end()

    def _heard(self) -> None:
        """From whoever started it, or that they are gone."""
        said = heard(self._sock)
        if said == "yield":
            self.free = False
            self._folder.yield_()
            self._say({"yielded": True})
        elif said == "stop":
            self._token.cancel()
        elif said is None:
            asyncio.get_running_loop().remove_reader(self._sock)
            if self.free:
                self._token.cancel()

    def _end(self) -> None:
        """By a signal: whoever sent it waits until this process is gone."""
        self.free = False
        self._token.cancel()

    def _end_now(self) -> None:
        self._end()
        self._token.cancel()

    def _say(self, words: dict[str, object]) -> None:
        with contextlib.suppress(OSError):  # nobody listens any more
            self._sock.send(json.dumps(words).encode())

    def _parts(self) -> Parts:
        errand = self._errand
        parts = self._kept(errand.settings, errand.environ, errand.request.workspace)
        approver = AnsweredBefore(errand.approved_by)
        return msgspec.structs.replace(parts, judge=lambda _: errand.decision, approver=approver)

    def _redact(self) -> Callable[[str], str]:
        return command_redactor(self._errand.environ, self._errand.request)


class Kept:
    """The parts of the last errand: the next one mostly has the same settings."""

    def __init__(self) -> None:
        self._key: tuple[Settings, dict[str, str], str] | None = None
        self._parts: Parts | None = None

    def __call__(self, settings: Settings, environ: dict[str, str], workspace: str) -> Parts:
        """For these settings."""
        key = (settings, environ, workspace)
        if self._parts is None or self._key != key:
            self._parts, self._key = road.parts(settings, environ, workspace, lasting=False), key
        return self._parts


class _Ear(Feed):
    """Hears what happens, and nothing of the output: that is in the file."""

    def __init__(self, hear: Callable[[Event], None]) -> None:
        super().__init__()
        self._hear = hear

    def put(self, event: Event) -> None:
        self._hear(event)

    def output(self, stream: int, data: bytes) -> None:
        pass


def _not_started(error: str) -> End:
    return End(
        state=TaskState.NOT_STARTED, outcome=Outcome.NOT_STARTED, finished_at=time.time(), error=error[:_LONGEST_WORDS]
    )


def _ended(result: Result) -> End:
    return End(
        state=STATE_OF.get(result.outcome, TaskState.NOT_STARTED), outcome=result.outcome, finished_at=time.time(),
        exit_code=result.exit_code, signal=result.signal, duration_ms=result.duration_ms, error=result.error,
    )  # fmt: skip


def _recordable(result: Result, redact: Callable[[str], str]) -> Result:
    """As it may lie on a disk: with the secrets of its command blanked out. What was printed is shaped already."""
    decision = result.decision
    if decision is not None:
        reasons = tuple(
            msgspec.structs.replace(one, message=redact(one.message), suggestion=redact(one.suggestion))
            for one in decision.reasons
        )
        effects = tuple(redact(one) for one in decision.effects)
        commands = tuple(_blanked(one, redact) for one in decision.commands)
        decision = msgspec.structs.replace(decision, commands=commands, reasons=reasons, effects=effects)
    error = None if result.error is None else redact(result.error)
    return msgspec.structs.replace(result, command=redact(result.command), error=error, decision=decision)


def _blanked(found: FoundCommand, redact: Callable[[str], str]) -> FoundCommand:
    """A secret may show only beside its neighbour (`--password hunter22`): then nothing but the name is told."""
    words = tuple(word and redact(word) for word in found.argv)
    if redact(_line(found.argv)) != _line(words):
        words = (*words[:1], *(None for _ in words[1:]))
    return msgspec.structs.replace(found, argv=words)


def _line(argv: tuple[str | None, ...]) -> str:
    return " ".join(word or "" for word in argv)
