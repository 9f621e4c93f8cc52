"""A name -> its session, found or started; and what can be done with it from outside."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from limpet import errors
from limpet.config import state_dir
from limpet.errors import InvalidRequestError, LaunchError
from limpet.kernel.identity import pin
from limpet.kernel.umask import umask
from limpet.model.answer import Answer
from limpet.named.host import Errand
from limpet.named.place import Place, places
from limpet.named.talk import (
    Answered,
    Cancel,
    Close,
    Done,
    Draw,
    Drawn,
    Failed,
    Line,
    Look,
    Opened,
    Piece,
    Question,
    Resized,
    Run,
    Standing,
    Taken,
    Typed,
)  # fmt: skip
from limpet.process import detached, wire
from limpet.render.screen import Screen
from limpet.workspaces import workspace_folder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from limpet.engine.cancel import CancelToken
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.model.session import SessionState
    from limpet.named.talk import Said, Told
    from limpet.protocols import Approver

_T = TypeVar("_T")

_HOST = "limpet.named.host"
_PATIENCE = 60.0


class Way:
    """To a command that runs: what is typed here, it reads at the terminal of its session. Nobody waits."""

    def __init__(self, line: Line, loop: asyncio.AbstractEventLoop) -> None:
        self._line = line
        self._loop = loop
        self._saying: set[asyncio.Task[None]] = set()

    def send(self, data: bytes) -> None:
        """Have it read this."""
        self.say(Typed(data=data))

    def resize(self, rows: int, columns: int) -> None:
        """Its terminal is of another size now."""
        self.say(Resized(rows=rows, columns=columns))

    def say(self, what: Said) -> None:
        """In the order in which it comes; to who is gone it need not be said."""
        task = self._loop.create_task(self._said(what))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)

    async def _said(self, what: Said) -> None:
        with contextlib.suppress(ConnectionError):
            await self._line.say(what)


class Visitor(NamedTuple):
    """Who sees a command happen, and answers."""

    ask: Approver | None = None
    """What policy asks."""
    opened: Callable[[Request, Way], None] | None = None
    printed: Callable[[Piece], Awaitable[None]] | None = None


class Named:
    """The named sessions of a user."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = dict(environ)
        self._state_dir = state_dir(environ)

    async def all(self) -> list[Standing]:
        """How each stands; one that does not answer in time is left out."""
        found = []
        for place in places(self._state_dir):
            if place.facts() is None:
                continue
            with contextlib.suppress(errors.SessionEndedError, TimeoutError):
                found.append(await asyncio.wait_for(self._look(place), _PATIENCE))
        return found

    async def look(self, name: str) -> Standing:
        """How it stands. Raises InvalidRequestError when there is none of this name."""
        return await self._look(self._living(name))

    async def send(self, name: str, data: bytes, *, end: bool = False) -> None:
        """Have the command that runs in it read this, and then the end of its input.

        Raises InvalidRequestError where nothing runs that could: there is no such session, no terminal or no command.
        """
        await _answer(self._living(name), Typed(data=data, end=end), Taken)

    async def screen(self, name: str) -> Screen:
        """What its terminal shows. Raises InvalidRequestError where there is none, ScreenUnavailableError."""
        drawn = await _answer(self._living(name), Draw(), Drawn)
        screen = Screen(rows=drawn.rows, columns=drawn.columns)
        screen.feed(drawn.data)
        return screen

    async def close(self, name: str) -> None:
        """End it, with everything that it has started. Raises InvalidRequestError when there is none of this name."""
        place = self._living(name)
        facts = place.facts()
        pidfd = pin(facts.host) if facts is not None else None
        line = await _connected(place)
        await line.say(Close())
        await line.told()
        line.close()
        await _ended(pidfd)

    async def ensure(
        self, name: str, *, workspace: str | None, options: dict[str, Any], state: SessionState | None = None
    ) -> bool:
        """Have a session of this name; whether it had to be started. `options` are for a new one only."""
        place = Place(self._state_dir, name)
        folder = workspace_folder(workspace)
        with place.locked():
            facts = place.facts()
            if facts is None:
                await asyncio.to_thread(self._start, place, folder, options, state)
                return True
        if facts.terminal:
            options = {key: value for key, value in options.items() if key != "terminal"}
        if options:
            raise InvalidRequestError(
                f"the session {name} runs already, with other options: close it first, or leave out "
                f"{', '.join(sorted(options))}",
                field=min(options),
            )
        if workspace is not None and facts.workspace != folder:
            raise InvalidRequestError(
                f"the session {name} is one of {facts.workspace}: use another name for {folder}", field="workspace"
            )
        return False

    async def run(
        self,
        name: str,
        run: Run,
        *,
        cancel: CancelToken,
        visitor: Visitor = Visitor(),  # noqa: B008 - it cannot change
    ) -> Result:
        """Have it run a command, and see it happen. Raises what it raises there."""
        line = await _connected(Place(self._state_dir, name))
        loop = asyncio.get_running_loop()
        way = Way(line, loop)

        def call_off() -> None:
            loop.call_soon_threadsafe(way.say, Cancel())

        cancel.add_listener(call_off)
        try:
            await line.say(run)
            while (told := await line.told()) is not None:
                if isinstance(told, Done):
                    return told.result
                await _heed(told, line, way, visitor)
        finally:
            cancel.remove_listener(call_off)
            line.close()
        raise errors.SessionEndedError(f"the session {name} has ended while it ran this")

    def has_terminal(self, name: str) -> bool:
        """Whether its commands have one."""
        facts = Place(self._state_dir, name).facts()
        return facts is not None and facts.terminal

    def _living(self, name: str) -> Place:
        place = Place(self._state_dir, name)
        if place.facts() is None:
            raise InvalidRequestError(f"there is no session {name}; `limpet session list` shows all", field="name")
        return place

    async def _look(self, place: Place) -> Standing:
        return await _answer(place, Look(), Standing)

    def _start(self, place: Place, folder: str, options: dict[str, Any], state: SessionState | None) -> None:
        errand = Errand(
            name=place.name, state_dir=self._state_dir, workspace=folder, environ=self._environ, options=options,
            umask=umask(), state=state,
        )  # fmt: skip
        host = detached.start(_HOST)
        try:
            host.sock.settimeout(_PATIENCE)
            host.hand_over({"errand": msgspec.json.encode(errand)})
            received = wire.receive(host.sock)
        except OSError as error:
            raise LaunchError(f"the session {place.name} could not be started: {error}") from error
        finally:
            host.close()
        if received is None or "failed" in received[0]:
            _raise(received[0] if received is not None else {"failed": "LaunchError", "why": "its process ended"})


def _raise(told: dict[str, Any]) -> None:
    kind = getattr(errors, told["failed"], LaunchError)
    raise kind(told["why"]) if issubclass(kind, errors.limpetError) else LaunchError(told["why"])


async def _heed(told: Told, line: Line, way: Way, visitor: Visitor) -> None:
    if isinstance(told, Failed):
        _raise({"failed": told.kind, "why": told.message})
    elif isinstance(told, Opened) and visitor.opened is not None:
        visitor.opened(told.request, way)
    elif isinstance(told, Piece) and visitor.printed is not None:
        await visitor.printed(told)
    elif isinstance(told, Question):
        answer = await visitor.ask(told.request, told.decision) if visitor.ask is not None else False
        reason = answer.reason if isinstance(answer, Answer) else ""
        approved = answer.approved if isinstance(answer, Answer) else answer
        await line.say(Answered(approved=approved, reason=reason))


async def _answer(place: Place, wish: Said, kind: type[_T]) -> _T:
    """What it says to a wish that takes no time. Raises what it raises there."""
    line = await _connected(place)
    try:
        await line.say(wish)
        told = await line.told()
    except ConnectionError:
        told = None
    finally:
        line.close()
    if isinstance(told, Failed):
        _raise({"failed": told.kind, "why": told.message})
    if not isinstance(told, kind):
        raise errors.SessionEndedError(f"the session {place.name} has ended")
    return told


async def _connected(place: Place) -> Line:
    try:
        sock = place.connect()
    except OSError as error:
        raise errors.SessionEndedError(
            f"the session {place.name} has ended ({os.strerror(error.errno or 0)})"
        ) from error
    return Line(*await asyncio.open_unix_connection(sock=sock))


async def _ended(pidfd: int | None) -> None:
    """Wait until a process has ended, within reason."""
    if pidfd is None:
        return
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()
    loop.add_reader(pidfd, gone.set)
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(gone.wait(), _PATIENCE)
    finally:
        loop.remove_reader(pidfd)
        os.close(pidfd)
