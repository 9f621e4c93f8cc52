"""Commands whose changes are kept or dropped together, blocking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from limpet import transaction
from limpet.engine.blocking import wait
from limpet.sync.session import Session
from limpet.sync.stream import Stream
from limpet.sync.twin import direct, giving, in_loop, waiting

if TYPE_CHECKING:
    from types import TracebackType


class Transaction:
    """Blocking twin of `limpet.Transaction`: `with shell.transaction() as tx`."""

    def __init__(self, inner: transaction.Transaction) -> None:
        self._inner = inner

    def __enter__(self) -> Self:
        wait(self._inner.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wait(self._inner.__aexit__(kind, error, trace))

    run = waiting(transaction.Transaction.run)
    stream = giving(Stream, direct(transaction.Transaction.stream))
    session = giving(Session, in_loop(transaction.Transaction.session))
    changes = direct(transaction.Transaction.changes)
    diff = direct(transaction.Transaction.diff)
    commit = waiting(transaction.Transaction.commit)
    drop = waiting(transaction.Transaction.drop)
