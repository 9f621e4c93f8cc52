"""Commands whose changes are kept or dropped together: `async with shell.transaction() as tx`."""

from __future__ import annotations

import asyncio
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

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from types import TracebackType
    from typing import Any, Unpack

    from limpet.engine.cancel import CancelToken
    from limpet.model.change import Changes, Committed
    from limpet.model.options import RunOptions
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.protocols import Approver
    from limpet.protocols import Transaction as Opened


class Execute(Protocol):
    """A request on the road."""

    def __call__(
        self,
        request: Request,
        approver: str | Approver | None,
        cancel: CancelToken | None,
        feed: Feed | None,
        handle: Handle | None = None,
    ) -> Coroutine[Any, Any, Result]:
        """The result."""
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
    ) -> None:
        self._begin = begin
        self._admit = admit
        self._execute = execute
        self._opened: Opened | None = None
        self._turn = asyncio.Lock()

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
        async with self._turn:  # the kernel has no room for two
            result = await self._execute(self._admitted(command, options), approver, cancel, None)
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

        async def execute() -> Result:
            async with self._turn:
                return await self._execute(request, approver, cancel, feed, handle if attended else None)

        return Stream(feed, handle, execute)

    def _admitted(self, command: str, options: RunOptions) -> Request:
        name = self._open().name
        return msgspec.structs.replace(self._admit(command, options), transaction=Transacted(name=name))

    def changes(self) -> Changes:
        """What was changed so far."""
        return self._open().changes()

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
        return await asyncio.to_thread(lambda: opened.commit(chosen, overwrite=anyway, name=name or new_id()))

    async def drop(self) -> None:
        """The transaction is over; what was not committed never was."""
        opened, self._opened = self._opened, None
        if opened is not None:
            await asyncio.to_thread(opened.drop)

    def _open(self) -> Opened:
        if self._opened is None:
            raise TransactionError("the transaction is over, or its block was not entered")
        return self._opened
