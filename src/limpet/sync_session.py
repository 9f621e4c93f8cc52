"""The blocking twin of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from limpet.engine.blocking import wait

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Unpack

    from limpet import sessions
    from limpet.engine.cancel import CancelToken
    from limpet.engine.stream import Stream as _Stream
    from limpet.model.result import Result
    from limpet.model.session import SessionState
    from limpet.protocols import Approver
    from limpet.sync import Stream


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
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[sessions.CommandOptions],
    ) -> Stream:
        """Run a command and read its events as they come; leaving the block ends the run, and with it the shell."""

        async def made() -> _Stream:
            return self._inner.stream(command, lossless=lossless, approver=approver, cancel=cancel, **options)

        return self._stream(wait(made()))

    def snapshot(self) -> SessionState | None:
        """What it has become: folder, variables, functions, options. None before its first command."""
        return wait(self._inner.snapshot())

    def close(self) -> None:
        """End it, with everything that it has started."""
        wait(self._inner.close())
