"""Commands whose changes are kept or dropped together: `async with shell.transaction() as tx`."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Protocol, Self

import msgspec

from limpet.engine.feed import Feed
from limpet.engine.handle import Handle
from limpet.engine.ids import new_id
from limpet.engine.rollback import transacted
from limpet.engine.stream import Stream
from limpet.errors import TransactionError
from limpet.model.options import Options
from limpet.model.transaction import FAILED, Codes, Transacted
from limpet.policy.hiding import seen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Unpack

    from limpet.engine.cancel import CancelToken
    from limpet.model.change import Changes, Committed
    from limpet.model.options import RunOptions
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.model.session import SessionState
    from limpet.protocols import Approver, Launcher
    from limpet.protocols import Transaction as Opened
    from limpet.sessions import Execute, Session


_OVER = "the transaction of this session is over; open another one"


class OpenSession(Protocol):
    """Commands admitted and executed like this -> a session of them."""

    def __call__(
        self,
        admit: Callable[[str, RunOptions], Request],
        execute: Execute,
        options: RunOptions,
        *,
        name: str | None,
        restart: bool,
        state: SessionState | None,
    ) -> Session:
        """The session."""
        ...


def failing(wanted: str | Sequence[int] | None) -> Codes:
    """The exit codes with which what a command changed is dropped. Raises InvalidRequestError."""
    found = transacted(Options(transaction=True, rollback_on=wanted))
    return FAILED if found is None else found.rollback_on


class Transaction:
    """The workspace stays as it is until `commit`. Leaving the block drops what was not committed."""

    def __init__(
        self,
        begin: Callable[[], Opened],
        admit: Callable[[str, RunOptions], Request],
        execute: Execute,
        open_session: OpenSession,
    ) -> None:
        self._begin = begin
        self._admit = admit
        self._execute = execute
        self._open_session = open_session
        self._opened: Opened | None = None
        self._turn = asyncio.Lock()
        self._sessions: list[Session] = []
        self._remembered = False
        """Whether a session has had a command, and so knows what it has seen."""

    async def __aenter__(self) -> Self:
        self._opened = await asyncio.to_thread(self._begin)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.drop()

    async def run(
        self,
        command: str,
        *,
        check: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Result:
        """Run a command that sees what those before it changed, and changes nothing outside the transaction.

        `result.changes` has everything that the transaction has changed so far.
        """
        result = await self._alone(self._admitted(command, options), approver, cancel, None)
        return result.check() if check else result

    def stream(
        self,
        command: str,
        *,
        lossless: bool = False,
        attended: bool = True,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Stream:
        """Run a command and read its events as they come; leaving the block ends the run, not the transaction."""
        request = self._admitted(command, options)
        feed, handle = Feed(lossless=lossless), Handle()

        answering = handle if attended else None
        return Stream(feed, handle, lambda: self._alone(request, approver, cancel, feed, answering))

    def session(
        self,
        *,
        name: str | None = None,
        restart: bool = False,
        state: SessionState | None = None,
        **options: Unpack[RunOptions],
    ) -> Session:
        """A bash that stays, and sees and changes what the other commands of the transaction do.

        It ends with the transaction. A command that is run beside it, and a commit, end its shell for a while; the
        next command goes on from its state. What runs in its background prevents that, and they say so.
        """
        opened = self._open_session(
            self._admitted, self._alone, options, name=name, restart=restart, state=state
        )  # fmt: skip
        self._sessions.append(opened)
        return opened

    async def _alone(
        self,
        request: Request,
        approver: str | Approver | None,
        cancel: CancelToken | None,
        feed: Feed | None,
        handle: Handle | None = None,
        launcher: Launcher | None = None,
    ) -> Result:
        """The kernel shows the layer once at a time: to one command, or to a session's shell."""
        async with self._turn:
            await self._rest(launcher)
            if launcher is not None:
                self._remembered = True
            asked = Transacted(name=self._open().name, goes_on=self._remembered)
            request = msgspec.structs.replace(request, transaction=asked)
            return await self._execute(request, approver, cancel, feed, handle, launcher)

    async def _rest(self, launcher: Launcher | None = None) -> None:
        """End the shells of the sessions, but for the one whose turn it is."""
        for session in self._sessions:
            if not session.has(launcher) and (others := await session.rest()):
                raise TransactionError(
                    f"{', '.join(others)} runs in the background of a session of this transaction: end it, or wait "
                    "for it there; until then the transaction is that session's alone"
                )

    def _admitted(self, command: str, options: RunOptions) -> Request:
        name = self._open().name
        return msgspec.structs.replace(self._admit(command, options), transaction=Transacted(name=name))

    def changes(self, *, hide: Sequence[str] = ()) -> Changes:
        """What was changed so far; what fits one of these patterns, as in .gitignore, is only counted in `notes`."""
        found = self._open().changes()
        told = seen(found, hide) if hide else found.changes
        if len(told) == len(found.changes):
            return found
        note = f"{len(found.changes) - len(told):,} more are not shown"
        return msgspec.structs.replace(found, changes=told, notes=(*found.notes, note))

    def diff(self) -> str:
        """The same, line by line, as git shows it."""
        return self._open().diff()

    async def commit(
        self, paths: Sequence[str] | None = None, *, overwrite: Sequence[str] | bool = False, name: str = ""
    ) -> tuple[Committed, tuple[str, ...]]:
        """Take over everything, or only these paths and what is in these folders; it stays open with the rest.

        What comes back can be undone by its `id`, which is `name` if there is one; beside it, what a person should
        know. Raises ConflictError where somebody else changed the same paths meanwhile, unless they may be
        overwritten; then nothing was taken over.
        """
        chosen = None if paths is None else tuple(paths)
        anyway = overwrite if isinstance(overwrite, bool) else tuple(overwrite)
        opened = self._open()
        work = functools.partial(opened.commit, chosen, overwrite=anyway, name=name or new_id())
        if self._turn.locked():  # a command runs: it says so
            return await asyncio.to_thread(work)
        async with self._turn:
            await self._rest()
            return await asyncio.to_thread(work)

    async def drop(self) -> None:
        """The transaction is over; what was not committed never was."""
        opened, self._opened = self._opened, None
        for session in self._sessions:
            await session.close(_OVER)
        if opened is not None:
            await asyncio.to_thread(opened.drop)

    def _open(self) -> Opened:
        if self._opened is None:
            raise TransactionError("the transaction is over, or its block was not entered")
        return self._opened
