"""A shell that stays: every command of it takes the road, and finds what those before it have left."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, Self, TypedDict

import msgspec

from limpet.engine.feed import Feed
from limpet.engine.handle import Handle
from limpet.engine.live import LiveRuns
from limpet.engine.stream import Stream
from limpet.errors import InvalidRequestError, SessionEndedError
from limpet.model.terminal import Terminal, checked
from limpet.render.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from types import TracebackType
    from typing import Any, Unpack

    from limpet.engine.cancel import CancelToken
    from limpet.model.options import RunOptions
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.model.session import SessionState
    from limpet.protocols import Approver, Launcher

_FAREWELL = 0.5
_CLOSED = "the session was closed; open another one"


class CommandOptions(TypedDict, total=False):
    """What one command of a session may ask for; the rest was settled when the session was opened."""

    timeout: float | None
    stdin: str | bytes | None
    description: str
    block: tuple[str, ...]
    max_output: int | None
    truncate: str | None
    agent: str | None
    caller: str | None


class Execute(Protocol):
    """A request on the road, by way of a launcher of its own where it has one."""

    def __call__(
        self,
        request: Request,
        approver: str | Approver | None,
        cancel: CancelToken | None,
        feed: Feed | None,
        handle: Handle | None = None,
        launcher: Launcher | None = None,
    ) -> Coroutine[Any, Any, Result]:
        """The result."""
        ...


class Session:
    """One bash for many commands. Calls that come at the same time are served one after the other."""

    def __init__(
        self,
        admit: Callable[[str, RunOptions], Request],
        execute: Execute,
        first: Request,
        options: RunOptions,
        *,
        name: str | None,
        restart: bool,
        state: SessionState | None,
    ) -> None:
        """`first` is a request with the session's own options, which `options` repeat."""
        _refuse_what_cannot(first)
        self._admit = admit
        self._execute = execute
        self._options: RunOptions = {**options, "cwd": None}
        from limpet.wiring import road  # noqa: PLC0415 - the shell is loaded without what runs it

        self._launcher = road.session(first.cwd, restart=restart, state=state)
        self._terminal = first.terminal
        self._turn = asyncio.Lock()
        self._running = LiveRuns()
        self._closed = ""
        self.name = name or ""
        """What it was called."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def cwd(self) -> str:
        """The folder that the next command will run in."""
        return self._launcher.cwd

    @property
    def alive(self) -> bool:
        """Whether it takes commands."""
        return not self._closed and not self._launcher.ended

    @property
    def pid(self) -> int:
        """Of its bash; 0 while there is none."""
        return self._launcher.pid

    async def run(
        self,
        command: str,
        *,
        check: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[CommandOptions],
    ) -> Result:
        """Run one command to its end. With `check`, anything but success raises CommandError.

        Raises SessionEndedError where a command before it has ended the session.
        """
        result = await self._run(command, options, approver, cancel, None)
        return result.check() if check else result

    def stream(
        self,
        command: str,
        *,
        lossless: bool = False,
        attended: bool = True,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[CommandOptions],
    ) -> Stream:
        """Run a command and read its events as they come; leaving the block ends the run, and with it the shell.

        Where it is not `attended`, a command that waits for input at the session's terminal is ended, as by `run`.
        """
        feed, handle = Feed(lossless=lossless), Handle()
        answering = handle if attended else None
        return Stream(feed, handle, lambda: self._run(command, options, approver, cancel, feed, answering))

    def resize(self, rows: int, columns: int) -> None:
        """Its terminal is of another size now, and stays so. Raises InvalidRequestError when it has none."""
        self._refuse_without_terminal()
        self._launcher.resize(checked(Terminal(rows=rows, columns=columns)))

    def screen(self) -> Screen:
        """What its terminal shows now, drawn from the last that was printed: `bash.screen().text()`.

        Raises InvalidRequestError when it has no terminal, ScreenUnavailableError where the extra is not installed.
        """
        size, data = self.drawn()
        screen = Screen(rows=size.rows, columns=size.columns)
        screen.feed(data)
        return screen

    def drawn(self) -> tuple[Terminal, bytes]:
        """The size of its terminal and the last that was printed there, for a screen that is drawn elsewhere.

        Raises InvalidRequestError when it has no terminal.
        """
        size = self._launcher.size or self._refuse_without_terminal()
        return size, self._launcher.drawn()

    def _refuse_without_terminal(self) -> Terminal:
        if self._terminal is None:
            raise InvalidRequestError("this session has no terminal: open it with terminal=True", field="terminal")
        return self._terminal

    async def snapshot(self) -> SessionState | None:
        """What it has become: folder, variables, functions, options. None before its first command."""
        async with self._turn:
            await self._launcher.settle()
            return self._launcher.state

    def has(self, launcher: Launcher | None) -> bool:
        """Whether commands that come with this launcher are its own."""
        return launcher is self._launcher

    async def rest(self) -> tuple[str, ...]:
        """End its shell; the next command goes on from its state in a new one.

        What runs in its background keeps it from that, and is named.
        """
        return await self._launcher.rest()

    async def close(self, why: str = _CLOSED) -> None:
        """End it, with everything that it has started. `why` is told to whoever uses it afterwards."""
        self._closed = self._closed or why
        await self._running.stop(agent=None)
        await self._launcher.leave(_FAREWELL)

    async def _run(
        self,
        command: str,
        options: CommandOptions,
        approver: str | Approver | None,
        cancel: CancelToken | None,
        feed: Feed | None,
        handle: Handle | None = None,
    ) -> Result:
        self._refuse_if_over()
        self._check(options)
        asked = self._admit(command, {**self._options, **options})  # before its turn: what is wrong is told at once
        async with self._turn:
            self._refuse_if_over()
            await self._launcher.settle()
            request = msgspec.structs.replace(
                asked, cwd=self._launcher.cwd, live=True, facts=self._launcher.facts
            )  # fmt: skip
            with self._running.entered(request, cancel) as token:
                return await self._execute(request, approver, token, feed, handle, self._launcher)

    def _check(self, options: CommandOptions) -> None:
        unknown = set(options) - set(CommandOptions.__annotations__)
        if unknown:
            name = min(unknown)
            message = f"{name} is settled for a whole session: give it to shell.session()"
            raise InvalidRequestError(message, field=name)
        if not isinstance(options.get("stdin"), (str, bytes, type(None))):
            raise InvalidRequestError("stdin of a command in a session must be text or bytes", field="stdin")

    def _refuse_if_over(self) -> None:
        if self._closed:
            raise SessionEndedError(self._closed)
        if self._launcher.ended:
            raise SessionEndedError(f"{self._launcher.ended}; open another one, or open it with restart=True")


def _refuse_what_cannot(first: Request) -> None:
    """What a shell that goes on living cannot have."""
    wrong = {
        "transaction": first.transaction is not None and not first.transaction.name,
        "stdin": first.inherit_stdin or first.open_stdin or first.stdin is not None,
        "capture_output": not first.capture_output,
    }
    for name, is_wanted in wrong.items():
        if is_wanted:
            hint = "open it by tx.session()" if name == "transaction" else "give it to a command of its own"
            raise InvalidRequestError(f"a session cannot have {name}; {hint}", field=name)
