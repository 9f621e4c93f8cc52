"""The blocking twin of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from limpet.engine.blocking import wait
from limpet.sync.stream import called

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Unpack

    from limpet import sessions
    from limpet import shell as _shell
    from limpet.engine.cancel import CancelToken
    from limpet.engine.stream import Stream as _Stream
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.model.session import SessionState, SetUp
    from limpet.protocols import Approver
    from limpet.render.screen import Screen
    from limpet.sync.stream import Stream


class Session:
    """One bash for many commands: `with shell.session() as bash: bash.run("cd src")`."""

    def __init__(self, inner: sessions.Session, stream: Callable[[_Stream], Stream]) -> None:
        self._inner = inner
        self._stream = stream
        self.name = inner.name
        """What it was called."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def cwd(self) -> str:
        """The folder that the next command will run in."""
        return self._inner.cwd

    @property
    def alive(self) -> bool:
        """Whether it takes commands."""
        return self._inner.alive

    @property
    def pid(self) -> int:
        """Of its bash; 0 while there is none."""
        return self._inner.pid

    def run(
        self,
        command: str,
        *,
        check: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[sessions.CommandOptions],
    ) -> Result:
        """Run one command to its end. With `check`, anything but success raises CommandError."""
        return wait(self._inner.run(command, check=check, approver=approver, cancel=cancel, **options))

    def stream(
        self,
        command: str,
        *,
        lossless: bool = False,
        attended: bool = True,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[sessions.CommandOptions],
    ) -> Stream:
        """Run a command and read its events as they come; leaving the block ends the run, and with it the shell."""

        async def made() -> _Stream:
            return self._inner.stream(
                command, lossless=lossless, attended=attended, approver=approver, cancel=cancel, **options
            )

        return self._stream(wait(made()))

    def resize(self, rows: int, columns: int) -> None:
        """Its terminal is of another size now, and stays so."""
        wait(called(lambda: self._inner.resize(rows, columns)))

    def screen(self) -> Screen:
        """What its terminal shows now, drawn from the last that was printed: `bash.screen().text()`."""
        return wait(called(self._inner.screen))

    def snapshot(self) -> SessionState | None:
        """What it has become: folder, variables, functions, options. None before its first command."""
        return wait(self._inner.snapshot())

    def close(self) -> None:
        """End it, with everything that it has started."""
        wait(self._inner.close())


class SessionVerbs:
    """Part of the blocking shell."""

    _inner: _shell.Shell
    _streams: Callable[[_Stream], Stream]

    def session(
        self,
        *,
        name: str | None = None,
        restart: bool = False,
        state: SessionState | None = None,
        **options: Unpack[RunOptions],
    ) -> Session:
        """A bash that stays: folder, variables, functions and options of one command are there for the next."""

        async def made() -> sessions.Session:
            return self._inner.session(name=name, restart=restart, state=state, **options)

        return Session(wait(made()), self._streams)

    def capture(self) -> SetUp:
        """Run your interactive bash once and store what it sets up, for when the setting `run.setup` is on."""
        return wait(self._inner.capture())

    def close_sessions(self) -> None:
        """End all sessions of this shell, with everything that they have started."""
        wait(self._inner.close_sessions())
