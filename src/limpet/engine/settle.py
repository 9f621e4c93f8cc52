"""A transaction whose command has run -> kept or dropped, and what is to be told of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import TransactionError
from limpet.model.change import Change, Changes, Kind, Undone
from limpet.model.event import Committed, RolledBack

if TYPE_CHECKING:
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.protocols import Transaction


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it."""

    changes: tuple[Change, ...] = ()
    event: Committed | RolledBack | None = None
    notes: tuple[str, ...] = ()

    def told(self, result: Result) -> Result:
        """The result with it."""
        commit_id = self.event.commit.id if isinstance(self.event, Committed) else None
        undone = self.event.undone if isinstance(self.event, RolledBack) else None
        why = [f"what it changed was dropped: {self.event.why}"] if isinstance(self.event, RolledBack) else []
        notes = "; ".join(part for part in (result.error, *why, *self.notes) if part)
        return msgspec.structs.replace(
            result, changes=self.changes, commit_id=commit_id, rolled_back=undone, error=notes or None,
            ok=result.ok and undone is None,
        )  # fmt: skip


async def conclude(transaction: Transaction, request: Request, found: Changes, why: str) -> Settled:
    """Keep what the command changed, or drop it where there is a reason to; leave what is the caller's to settle."""
    if not transaction.is_its_own:
        return Settled(changes=found.changes, notes=found.notes)
    return await asyncio.to_thread(_concluded, transaction, request, found, why)


def _concluded(transaction: Transaction, request: Request, found: Changes, why: str) -> Settled:
    try:
        if not why:
            commit, notes = transaction.commit()
            event = Committed(request=request, commit=commit) if commit.id else None
            return Settled(changes=found.changes, event=event, notes=(*found.notes, *notes))
    except TransactionError as error:
        why = str(error)
    finally:
        transaction.drop()
    if not found.changes:
        return Settled(notes=found.notes)
    undone = _undone(request.id, found)
    return Settled(changes=found.changes, event=RolledBack(request=request, undone=undone, why=why), notes=found.notes)


def _undone(name: str, found: Changes) -> Undone:
    """What dropping it comes to, path by path."""
    added = [change.path for kind in (Kind.ADDED, Kind.RENAMED) for change in found.of(kind)]
    others = [change.path for kind in (Kind.MODIFIED, Kind.DELETED) for change in found.of(kind)]
    sources = [change.source for change in found.of(Kind.RENAMED)]
    return Undone(id=name, restored=tuple(sorted(others + sources)), deleted=tuple(sorted(added)))
