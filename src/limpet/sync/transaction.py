"""Commands whose changes are kept or dropped together, blocking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from limpet.engine.blocking import wait
from limpet.sync.session import Session
from limpet.sync.stream import Stream, called

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Unpack

    from limpet import sessions
    from limpet.engine.cancel import CancelToken
    from limpet.model.change import Changes, Committed
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.model.session import SessionState
    from limpet.protocols import Approver
    from limpet.transaction import Transaction as _Transaction


class Transaction:
    """Blocking twin of `limpet.Transaction`: `with shell.transaction() as tx`."""

    def __init__(self, inner: _Transaction) -> None:
        self._inner = inner

    def __enter__(self) -> Self:
        wait(self._inner.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wait(self._inner.__aexit__(kind, error, trace))

    def run(
        self,
        command: str,
        *,
        check: bool = False,
        approver: str | Approver | None = None,
        cancel: CancelToken | None = None,
        **options: Unpack[RunOptions],
    ) -> Result:
        """Run a command that sees what those before it changed, and changes nothing outside the transaction."""
        return wait(self._inner.run(command, check=check, approver=approver, cancel=cancel, **options))

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
        return Stream(
            self._inner.stream(
                command, lossless=lossless, attended=attended, approver=approver, cancel=cancel, **options
            )
        )  # fmt: skip

    def session(
        self,
        *,
        name: str | None = None,
        restart: bool = False,
        state: SessionState | None = None,
        **options: Unpack[RunOptions],
    ) -> Session:
        """A bash that stays, and sees and changes what the other commands of the transaction do."""

        def made() -> sessions.Session:
            return self._inner.session(name=name, restart=restart, state=state, **options)

        return Session(wait(called(made)), Stream)

    def changes(self) -> Changes:
        """What was changed so far."""
        return self._inner.changes()

    def diff(self) -> str:
        """The same, line by line, as git shows it."""
        return self._inner.diff()

    def commit(
        self, paths: Sequence[str] | None = None, *, overwrite: Sequence[str] | bool = False, name: str = ""
    ) -> tuple[Committed, tuple[str, ...]]:
        """Take over everything, or only these paths and what is in these folders; it stays open with the rest."""
        return wait(self._inner.commit(paths, overwrite=overwrite, name=name))

    def drop(self) -> None:
        """The transaction is over; what was not committed never was."""
        wait(self._inner.drop())
