"""What a session needs of the shell that it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from limpet.protocols import Answerable

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.ended import Ended
    from limpet.model.plan import Plan
    from limpet.protocols import Sink


class LiveShell(Answerable, Protocol):
    """A shell that goes on living, with a channel on which it reads its script and answers."""

    @property
    def pid(self) -> int:
        """Of the shell itself, once it was found."""
        ...

    @property
    def over(self) -> bool:
        """Whether it is known to have ended."""
        ...

    @property
    def deaf(self) -> bool:
        """Whether nobody is at the other end of the channel any more."""
        ...

    def find(self) -> None:
        """It has answered, so it is there: see which process it is."""
        ...

    def say(self, text: bytes, *, file: bytes | None = None) -> None:
        """Hand it lines to read; `file` becomes what its anonymous file holds. Raises OSError when it is gone."""
        ...

    def expect(self, deadline: float | None) -> None:
        """A command is to come, with this time limit, by the monotonic clock. Raises OSError when it cannot."""
        ...

    def unread(self) -> int:
        """How many bytes of what was said have not been read yet."""
        ...

    async def listen(self, sink: Sink, heard: Callable[[bytes], bool], look: Callable[[], None] | None = None) -> None:
        """Pass output on until `heard` is content, or the shell is over; `look` is called every half a second."""
        ...

    def drain(self, sink: Sink) -> None:
        """Pass on what is in the pipes."""
        ...

    def answered(self, status: int) -> Ended:
        """How a command ended that left the shell alive."""
        ...

    def ended(self) -> Ended:
        """How the shell itself ended. Raises LaunchError when it never began."""
        ...

    def cwd(self) -> str | None:
        """The folder that the shell is in, as the kernel knows it."""
        ...

    def stop(self, *, now: bool = False) -> None:
        """Begin to end it, and everything that it has started."""
        ...

    def background(self) -> list[str]:
        """What it has started that goes on by itself."""
        ...

    def hang_up(self) -> None:
        """Nothing more will be said: it ends when it has done what it does now."""
        ...

    def close(self) -> None:
        """Let go of it; where it is not over, it is killed."""
        ...


class LiveStarter(Protocol):
    """Plan -> a shell that goes on living."""

    async def start(self, plan: Plan) -> LiveShell:
        """Start it. Raises LaunchError, and then nothing is left of it."""
        ...
