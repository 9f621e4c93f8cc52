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
from limpet.errors import InvalidRequestError, limpetError
from limpet.kernel.identity import mine
from limpet.model.limits import Limits
from limpet.model.session import SessionState
from limpet.model.terminal import Terminal
from limpet.named.place import Facts, Place
from limpet.named.talk import Close, Closed, Draw, Drawn, Failed, Line, Look, Run, Taken, Typed
from limpet.named.talk import Standing as Stands
from limpet.named.visit import Visit
from limpet.process import detached, wire

if TYPE_CHECKING:
    from limpet.named.talk import Told
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
        self._visits: list[Visit] = []
        """Of those whose commands are to run, in their order: one at a time does."""
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
            return
        try:
            answer = self._answer(said)
        except limpetError as error:
            answer = Failed(kind=type(error).__name__, message=str(error))
        if answer is not None:
            await line.say(answer)

    def _answer(self, said: object) -> Told | None:
        if isinstance(said, Look):
            return self._stands()
        if isinstance(said, Typed):
            return self._taken(said)
        if isinstance(said, Draw):
            return self._drawn()
        if isinstance(said, Close):
            self.over.set()
            return Closed()
        return None

    async def _run(self, run: Run, line: Line) -> None:
        visit = Visit(line, run)
        hearing = asyncio.ensure_future(visit.hear())
        self._visits.append(visit)
        if self._bedtime is not None:
            self._bedtime.cancel()
        try:
            await visit.walk(self._session)
        finally:
            self._visits.remove(visit)
            self._commands += 1
            hearing.cancel()
            self._rest()
            if not self._session.alive:
                self.over.set()

    def _taken(self, typed: Typed) -> Taken:
        """For the command that runs, whoever runs it."""
        self._check_terminal()
        visit = next((visit for visit in self._visits if visit.running), None)
        if visit is None:
            raise InvalidRequestError(
                f"nothing runs in the session {self._facts.name} that could read this; `limpet session run "
                f"--attended {self._facts.name} -- COMMAND` runs a command that is answered so",
                field="name",
            )
        visit.take(typed)
        return Taken()

    def _drawn(self) -> Drawn:
        self._check_terminal()
        size, data = self._session.drawn()
        return Drawn(rows=size.rows, columns=size.columns, data=data)

    def _check_terminal(self) -> None:
        if not self._facts.terminal:
            name = self._facts.name
            raise InvalidRequestError(
                f"the session {name} has no terminal: `limpet session close {name}`, and start it with "
                f"`limpet session run --terminal {name} -- COMMAND`",
                field="name",
            )

    def _rest(self) -> None:
        self._last = time.monotonic()
        if self._idle is not None and not self._visits:
            self._bedtime = asyncio.get_running_loop().call_later(self._idle, self.over.set)

    def _stands(self) -> Stands:
        first = self._visits[0] if self._visits else None
        idle = 0.0 if first is not None else time.monotonic() - self._last
        prompt = first.prompt if first is not None else None
        return Stands(
            name=self._facts.name, workspace=self._facts.workspace, cwd=self._session.cwd, pid=self._session.pid,
            busy=first.command if first is not None else "", commands=self._commands,
            started_at=self._facts.started_at, idle=idle, terminal=self._facts.terminal,
            waiting=prompt is not None, prompt=prompt or "",
        )  # fmt: skip


def _is_ours(sock: socket.socket) -> bool:
    """Whether who came is the same user; the folder is private already."""
    _, uid, _ = _PEER.unpack(sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return bool(uid == os.geteuid())
