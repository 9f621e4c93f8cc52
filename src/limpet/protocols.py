"""The seams: what the road needs from the parts it is given.

Each has two implementations at least, one of which may be the fake that tests use (`limpet.testing`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import contextlib

    from limpet.model.answer import Answer
    from limpet.model.change import Changes, Committed
    from limpet.model.confinement import Steps
    from limpet.model.decision import Decision
    from limpet.model.ended import Ended
    from limpet.model.event import Event
    from limpet.model.plan import Plan
    from limpet.model.request import Request


class Judge(Protocol):
    """Request -> Decision. Pure, total, synchronous."""

    def __call__(self, request: Request) -> Decision:
        """The verdict, with its reasons."""
        ...


class Approver(Protocol):
    """Answers a question that policy left open."""

    async def __call__(self, request: Request, decision: Decision) -> bool | Answer:
        """True to let it run; an Answer can say why not. An approver is never asked about a deny."""
        ...


@runtime_checkable
class EffectsApprover(Protocol):
    """Answers when the command has run, apart from the workspace."""

    async def __call__(self, request: Request, decision: Decision) -> bool | Answer:
        """Beforehand, where it cannot run apart from the workspace."""
        ...

    async def afterwards(self, request: Request, decision: Decision, found: Changes) -> Answer:
        """Whether what it changed is kept."""
        ...


class Sandbox(Protocol):
    """What we want -> exactly what will be executed."""

    def plan(self, request: Request, *, announce: bool = False) -> Planned:
        """The plan, and the names of the variables it does not pass on. Raises SandboxUnavailableError.

        `announce`: somebody listens, and wants to know the pid as soon as there is one.
        """
        ...


class Planned(Protocol):
    """A plan with what was left out of it."""

    @property
    def plan(self) -> Plan:
        """Exactly what will be executed."""
        ...

    @property
    def withheld_env(self) -> tuple[str, ...]:
        """Names of variables that were not passed on."""
        ...

    def settle(self) -> tuple[str, ...]:
        """Nothing of the run is alive: do what is left to be done, and say what a person should know of it."""
        ...


class Sink(Protocol):
    """Takes the output of a run, piece by piece, without ever making it wait."""

    def started(self, pid: int) -> None:
        """The process exists."""
        ...

    def write(self, stream: int, data: bytes) -> None:
        """`stream` is 1 or 2; `data` is never empty. Must not raise."""
        ...

    def waiting(self, waiting: bool, *, for_ever: bool) -> None:  # noqa: FBT001 - a fact, not an option
        """Whether the command waits for input now, and does not go on by itself after a time; told at each change."""
        ...

    def busy(self) -> bool:
        """True while a reader that must not lose anything is behind: reading pauses until it is not."""
        ...


class Answerable(Protocol):
    """Somebody who may be sent input; without effect where there is none to be sent. Each call returns at once."""

    def send(self, data: bytes) -> None:
        """Have it read this."""
        ...

    def close_input(self) -> None:
        """When all that was sent has been taken, the input ends."""
        ...

    def resize(self, rows: int, columns: int) -> None:
        """Its terminal, where it has one, is of another size now."""
        ...


class Running(Answerable, Protocol):
    """A process tree that exists, or is about to."""

    async def finish(self, sink: Sink) -> Ended:
        """Pass on all output until nothing of the tree is alive. The time limit is kept by the launcher.

        Raises LaunchError when it could not be started. May be called again after a cancellation.
        """
        ...

    def stop(self, *, now: bool = False) -> None:
        """Begin to end it: TERM, grace, KILL; `now` skips to KILL. Returns at once; `finish` tells the end."""
        ...

    def close(self) -> None:
        """Give back what it holds. Where it is not over, it is killed, and nobody waits for that."""
        ...


class Launcher(Protocol):
    """Plan -> a running process tree."""

    async def launch(self, plan: Plan) -> Running:
        """Start it. Raises LaunchError, and then nothing is left of it."""
        ...


class Transactions(Protocol):
    """Opens transactions, and finds those that are open."""

    def begin(self, request: Request) -> Transaction:
        """The one that the request is to run in. Raises TransactionError."""
        ...

    def can_layer(self, request: Request) -> bool:
        """Whether it would run apart from the workspace."""
        ...

    def open(self, request: Request) -> Transaction:
        """One that is settled by the caller, for the workspace of the request. Raises TransactionError."""
        ...


class Transaction(Protocol):
    """What commands change, apart from the workspace until it is settled."""

    @property
    def name(self) -> str:
        """What it is found by."""
        ...

    @property
    def layer(self) -> Steps | None:
        """What stands in a command's view in place of the workspace; None: the workspace itself is changed."""
        ...

    @property
    def is_its_own(self) -> bool:
        """Whether it is settled when the command has run; else by who opened it."""
        ...

    def running(self) -> contextlib.AbstractContextManager[None]:
        """While a command runs in it."""
        ...

    def changes(self) -> Changes:
        """What it has changed."""
        ...

    def diff(self) -> str:
        """The same, line by line, as git shows it."""
        ...

    def commit(
        self, paths: tuple[str, ...] | None = None, *, overwrite: tuple[str, ...] | bool = False, name: str = ""
    ) -> tuple[Committed, tuple[str, ...]]:
        """Take it over, or some paths; and what a person should know. Raises ConflictError, TransactionError."""
        ...

    def drop(self) -> None:
        """The workspace is as it was."""
        ...


class Queue(Protocol):
    """Lets only so many commands run at once."""

    async def enter(self, most: int) -> None:
        """Take a place among at most `most`; those who wait are served in order."""
        ...

    def leave(self) -> None:
        """Give the place to the next."""
        ...


class Recorder(Protocol):
    """Writes down what happens. Called for each event but Output, in order, before the road goes on."""

    async def record(self, event: Event) -> None:
        """Raises AuditError when it cannot, which stops a run that has not started."""
        ...

    def close(self) -> None:
        """Let go of what it holds; what is recorded later takes it up again."""
        ...
