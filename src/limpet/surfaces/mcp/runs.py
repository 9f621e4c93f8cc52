"""Commands that run in the server itself, in drafts and sessions; and what its commands have printed."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import time
from typing import TYPE_CHECKING, TypeVar

from limpet import CancelToken
from limpet.errors import InvalidRequestError
from limpet.logs import StoredLog
from limpet.model.event import Decided, Output, Waiting
from limpet.model.terminal import Terminal
from limpet.render.plain import plain
from limpet.surfaces.mcp.texts import last_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.engine.stream import Stream
    from limpet.model.event import Event
    from limpet.model.result import Result
    from limpet.sessions import Session

T = TypeVar("T")

_KEPT = 64
"""Runs that have ended and can still be asked for."""
_TAIL = 8192
"""Bytes of the newest output that are looked at while a command runs."""
_SCREEN = 1 << 18
"""Bytes that are enough to draw one."""


class Run:
    """One command under way, or over."""

    def __init__(self, command: str, session: Session | None, *, terminal: bool) -> None:
        self.id = ""
        """Empty as long as it waits for its turn in a session."""
        self.command = command
        self.session = session
        """The one that it is part of."""
        self._terminal = terminal
        self.size = 0
        """Bytes printed so far."""
        self.asks: str | None = None
        """What it printed last, where it waits for input."""
        self.inputs = 0
        """How often something was typed."""
        self._began = time.monotonic()
        self._ended: float | None = None
        self._recent = b""
        self._changed = asyncio.Event()
        self._stream: Stream | None = None
        self.token = CancelToken()
        self.task: asyncio.Task[Result] | None = None

    @property
    def seconds(self) -> float:
        """For how long it has been running, or ran."""
        return (self._ended or time.monotonic()) - self._began

    @property
    def result(self) -> Result | None:
        """The end; None as long as there is none."""
        assert self.task is not None
        over = self.task.done() and not self.task.cancelled() and self.task.exception() is None
        return self.task.result() if over else None

    def last_line(self) -> str:
        """The newest line that says anything."""
        return last_line(plain(self._recent))

    async def follow(self, stream: Stream) -> Result:
        """Run it to its end."""
        try:
            async with stream as self._stream:
                async for event in stream:
                    self._hear(event)
                return await stream.result()
        finally:
            self._ended = time.monotonic()
            self._changed.set()

    async def until(self, seconds: float) -> None:
        """Its end, a question that it asks, or the time: whatever comes first."""
        assert self.task is not None
        end = time.monotonic() + seconds
        while not self.task.done() and self.asks is None and (left := end - time.monotonic()) > 0:
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)

    async def begun(self) -> None:
        """Until it has an id, or is over."""
        assert self.task is not None
        while not self.id and not self.task.done():
            self._changed.clear()
            await self._changed.wait()

    async def stop(self) -> None:
        """End it, with everything it started; it is over when this returns."""
        assert self.task is not None
        self.token.cancel()
        if not self.id:  # it would hear of that when its turn has come
            self.task.cancel()
        await asyncio.wait([self.task])

    def type(self, text: str) -> None:
        """Have it read this."""
        if self._stream is None or self.result is not None:
            raise InvalidRequestError(f"{self.id} has ended: nobody reads what is typed", field="id")
        self._check_terminal()
        self.inputs += 1
        self.asks = None
        self._stream.send(text)

    def drawn(self) -> tuple[Terminal, bytes]:
        """The size of its terminal, and the last that was printed there. Raises InvalidRequestError, StoreError."""
        self._check_terminal()
        if self.session is not None:
            return self.session.drawn()
        log = StoredLog(self.id)
        return Terminal(), b"".join(log.read(since=max(0, log.size - _SCREEN)))

    def _check_terminal(self) -> None:
        if not self._terminal:
            raise InvalidRequestError(f"{self.id} has no terminal: run it with terminal: true", field="id")

    def _hear(self, event: Event) -> None:
        if isinstance(event, Output):
            self.size += len(event.data) + event.skipped_bytes
            self._recent = (self._recent + event.data)[-_TAIL:]
        elif isinstance(event, Decided):
            self.id = event.request.id
            self._changed.set()
        elif isinstance(event, Waiting):
            self.asks = event.prompt if event.waiting else None
            self._changed.set()


class Runs:
    """All of them, by id."""

    def __init__(self) -> None:
        self._live: set[Run] = set()
        self._over: collections.OrderedDict[str, Run] = collections.OrderedDict()
        self._printed: collections.OrderedDict[str, str] = collections.OrderedDict()

    def start(
        self,
        command: str,
        stream: Callable[[CancelToken], Stream],
        *,
        session: Session | None = None,
        terminal: bool,
    ) -> Run:
        """Start one. Raises InvalidRequestError, and then nothing was started."""
        run = Run(command, session, terminal=terminal)
        prepared = stream(run.token)
        run.task = asyncio.ensure_future(run.follow(prepared))
        self._live.add(run)
        run.task.add_done_callback(lambda _: self._ended(run))
        return run

    def find(self, name: str) -> Run:
        """The one with this id. Raises InvalidRequestError."""
        for run in [*self._live, *self._over.values()]:
            if run.id == name:
                return run
        raise InvalidRequestError(f"there is no run {name!r} here; bash_tasks lists them", field="id")

    def running_in(self, session: Session | None) -> Run | None:
        """The one whose turn it is in this session."""
        return next((run for run in self._live if run.id and session is not None and run.session is session), None)

    def before(self, run: Run) -> Run | None:
        """The one of its session that it waits for, as long as it does."""
        assert run.task is not None
        return None if run.id or run.task.done() else self.running_in(run.session)

    def all(self) -> list[Run]:
        """Those that have ended, then those that run, oldest first."""
        return [*self._over.values(), *sorted(self._live, key=lambda run: -run.seconds)]

    def note(self, name: str, command: str) -> None:
        """That something was printed, which can still be asked for."""
        _keep(self._printed, name, command)

    def printed(self) -> list[tuple[str, str]]:
        """Ids and commands of the last that have printed anything, oldest first."""
        return [*self._printed.items(), *((run.id, run.command) for run in self._live if run.size)]

    async def stop_all(self) -> None:
        """End every one that runs."""
        await asyncio.gather(*(run.stop() for run in list(self._live)))

    def _ended(self, run: Run) -> None:
        self._live.discard(run)
        if run.id and run.result is not None:
            _keep(self._over, run.id, run)
            if run.size:
                self.note(run.id, run.command)


def _keep(known: collections.OrderedDict[str, T], name: str, value: T) -> None:
    known[name] = value
    while len(known) > _KEPT:
        known.popitem(last=False)
