"""One bash for many commands, blocking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from limpet import sessions
from limpet.sync.stream import Stream
from limpet.sync.twin import direct, giving, in_loop, waiting

if TYPE_CHECKING:
    from types import TracebackType


class Session:
    """Blocking twin of `limpet.Session`: `with shell.session() as bash: bash.run("cd src")`."""

    def __init__(self, inner: sessions.Session) -> None:
        self._inner = inner
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

    run = waiting(sessions.Session.run)
    stream = giving(Stream, in_loop(sessions.Session.stream))
    resize = in_loop(sessions.Session.resize)
    screen = in_loop(sessions.Session.screen)
    drawn = in_loop(sessions.Session.drawn)
    snapshot = waiting(sessions.Session.snapshot)
    has = direct(sessions.Session.has)
    rest = waiting(sessions.Session.rest)
    close = waiting(sessions.Session.close)
