"""The process that a named session lives in: it serves whoever comes, one command after the other.

It ends with its session, when it is told to, or when nobody has come for a while (`session.idle`). Killed, it takes
everything with it: it is the client of keepers like any other.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import struct
import time
from typing import TYPE_CHECKING, Any

import msgspec

from limpet import opening
from limpet.engine.cancel import CancelToken
from limpet.errors import limpetError
from limpet.kernel.identity import mine
from limpet.model.answer import Answer
from limpet.model.event import Output, Prepared
from limpet.model.limits import Limits
from limpet.model.session import SessionState
from limpet.model.terminal import Terminal
from limpet.named.place import Facts, Place
from limpet.named.talk import (
    Answered,
    Cancel,
    Close,
    Closed,
    Done,
    Failed,
    Line,
    Look,
    Opened,
    Piece,
    Question,
    Resized,
    Run,
    Typed,
)  # fmt: skip
from limpet.named.talk import Standing as Stands
from limpet.process import detached, wire

if TYPE_CHECKING:
    from limpet.engine.stream import Stream
    from limpet.model.decision import Decision
    from limpet.model.request import Request
    from limpet.sessions import Session

_PEER = struct.Struct("3i")


class Errand(msgspec.Struct, frozen=True, kw_only=True):
    """What a host is to do."""

    name: str
    state_dir: str
    workspace: str
    environ: dict[str, str]
    options: dict[str, Any]
    umask: int
    state: SessionState | None = None


def main(sock: socket.socket) -> None:
    """Live as a host, with the errand that is handed over."""
    received = detached.taken(sock)
    if received is None:
        return
    errand = msgspec.json.decode(received[0]["errand"], type=Errand)
    os.umask(errand.umask)
    try:
        asyncio.run(_live(errand, sock))
    except (limpetError, OSError) as error:
        with contextlib.suppress(OSError):
            wire.send(sock, {"failed": type(error).__name__, "why": str(error)})


async def _live(errand: Errand, sock: socket.socket) -> None:
    place = Place(errand.state_dir, errand.name)
    place.make()
    opened = opening.open(errand.workspace, environ=errand.environ, surface="cli")
    options = dict(errand.options)
    for name, kind in (("limits", Limits), ("terminal", Terminal)):
        if name in options:
            options[name] = msgspec.convert(options[name], kind)
    async with opened, opened.session(name=errand.name, state=errand.state, **options) as session:
        facts = Facts(
            name=errand.name, workspace=errand.workspace, started_at=time.time(), host=mine(),
            terminal="terminal" in options,
        )  # fmt: skip
        host = Host(facts, session, opened.settings.session.idle)
        listening = place.listen()
        place.write(facts)
        server = await asyncio.start_unix_server(host.serve, sock=listening)
        wire.send(sock, {"ready": os.getpid()})
        sock.close()
        try:
            await host.over.wait()
        finally:
            server.close()
            place.remove()


class Host:
    """One session, and those who come to it."""

    def __init__(self, facts: Facts, session: Session, idle: float | None) -> None:
        self.over = asyncio.Event()
        self._facts = facts
        self._session = session
        self._idle = idle
        self._busy = ""
        self._commands = 0
        self._last = time.monotonic()
        self._bedtime: asyncio.TimerHandle | None = None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGQUIT):
            loop.add_signal_handler(number, self.over.set)
        self._rest()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One who came, with one wish."""
        line = Line(reader, writer)
        try:
            if _is_ours(writer.get_extra_info("socket")):
                await self._do(await line.heard(), line)
        except (ConnectionError, msgspec.DecodeError):
            pass
        finally:
            line.close()

    async def _do(self, said: object, line: Line) -> None:
        if isinstance(said, Run):
            await self._run(said, line)
        elif isinstance(said, Look):
            await line.say(self._stands())
        elif isinstance(said, Close):
            self.over.set()
            await line.say(Closed())

    async def _run(self, run: Run, line: Line) -> None:
        visit = Visit(line)
        hearing = asyncio.ensure_future(visit.hear())
        self._busy = os.fsdecode(run.command)
        if self._bedtime is not None:
            self._bedtime.cancel()
        try:
            await visit.walk(self._session, run)
        finally:
            self._busy, self._commands = "", self._commands + 1
            hearing.cancel()
            self._rest()
            if not self._session.alive:
                self.over.set()

    def _rest(self) -> None:
        self._last = time.monotonic()
        if self._idle is not None:
            self._bedtime = asyncio.get_running_loop().call_later(self._idle, self.over.set)

    def _stands(self) -> Stands:
        idle = 0.0 if self._busy else time.monotonic() - self._last
        return Stands(
            name=self._facts.name, workspace=self._facts.workspace, cwd=self._session.cwd, pid=self._session.pid,
            busy=self._busy, commands=self._commands, started_at=self._facts.started_at, idle=idle,
            terminal=self._facts.terminal,
        )  # fmt: skip


class Visit:
    """One command, for one who came: they see it, may answer, and may leave, which ends it."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._token = CancelToken()
        self._answers: asyncio.Queue[Answered] = asyncio.Queue()
        self._stream: Stream | None = None

    async def hear(self) -> None:
        """What they say while it runs."""
        while (said := await self._line.heard()) is not None:
            if isinstance(said, Answered):
                self._answers.put_nowait(said)
            elif isinstance(said, Cancel):
                self._token.cancel()
            elif self._stream is not None:
                _pass_on(said, self._stream)
        self._answers.put_nowait(Answered(approved=False, reason="nobody is there any more"))
        self._token.cancel()

    async def walk(self, session: Session, run: Run) -> None:
        """Run it."""
        approver = self._ask if run.approver == "ask" else run.approver
        try:
            async with session.stream(
                os.fsdecode(run.command), lossless=True, approver=approver, cancel=self._token, stdin=run.stdin,
                attended=run.attended, **run.options,
            ) as stream:  # fmt: skip
                self._stream = stream
                async for event in stream:
                    if isinstance(event, Prepared):
                        await self._line.say(Opened(request=_plain(event.request)))
                    elif isinstance(event, Output):
                        await self._line.say(Piece(stream=event.stream, data=event.data, text=event.text))
                await self._line.say(Done(result=await stream.result()))
        except limpetError as error:
            await self._line.say(Failed(kind=type(error).__name__, message=str(error)))

    async def _ask(self, request: Request, decision: Decision) -> Answer:
        await self._line.say(Question(request=_plain(request), decision=decision))
        answer = await self._answers.get()
        return Answer(approved=answer.approved, reason=answer.reason)


def _pass_on(said: object, stream: Stream) -> None:
    """What was done at their terminal."""
    if isinstance(said, Typed):
        stream.send(said.data)
    elif isinstance(said, Resized):
        with contextlib.suppress(limpetError):  # no terminal is of that size
            stream.resize(said.rows, said.columns)


def _plain(request: Request) -> Request:
    """Without what only the judge needs."""
    return msgspec.structs.replace(request, facts=None, stdin=None)


def _is_ours(sock: socket.socket) -> bool:
    """Whether who came is the same user; the folder is private already."""
    _, uid, _ = _PEER.unpack(sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return bool(uid == os.geteuid())
