"""What is to be taken over, and what the workspace is now -> the paths that somebody else changed meanwhile.

What a path was when a command first saw it is not kept. But the kernel notes for every file when it last changed, in
whatever way, and nobody can set that back; that somebody has set back the clock is noticed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.model.change import Clash, Conflict
from limpet.overlay.layer import is_folder
from limpet.overlay.meta import mark
from limpet.overlay.side import now_at, side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.model.change import Change
    from limpet.overlay.changes import Survey
    from limpet.overlay.choose import Picked
    from limpet.overlay.layer import Pair, Status
    from limpet.overlay.tree import Tree

Own = frozenset[tuple[int, int]]
"""Inode and time of what the transaction itself put into the workspace before."""


class Meanwhile:
    """Tells what changed since a transaction was opened."""

    def __init__(self, opened_ns: int, own: Own) -> None:
        self._opened = opened_ns
        self._own = own

    def changed(self, status: Status | None) -> bool:
        """Whether somebody else did anything to it."""
        if status is None or status.st_ctime_ns < self._opened:
            return False
        return (status.st_ino, status.st_ctime_ns) not in self._own

    def entries_changed(self, status: Status | None) -> bool:
        """Whether somebody else has added or removed something in a folder."""
        return status is not None and self.changed(status) and status.st_mtime_ns >= self._opened


def conflicts(trees: tuple[Tree, Tree], found: Survey, picked: Picked, meanwhile: Meanwhile) -> tuple[Conflict, ...]:
    """By path, with both sides."""
    lower, upper = trees
    told = []
    for pair in _concerned(found, picked):
        clash = _clash(trees, pair, found.changed.get(pair.path), meanwhile)
        if clash is not None:
            ours = side(upper, pair.path, pair.after) if pair.after is not None else None
            told.append(
                Conflict(path=os.fsdecode(pair.path) or ".", clash=clash, ours=ours, theirs=now_at(lower, pair.path))
            )
    return tuple(sorted(told, key=lambda conflict: conflict.path))


def _concerned(found: Survey, picked: Picked) -> Iterator[Pair]:
    """What is taken over, and everything that is replaced or taken away with it, changed by us or not."""
    whole = {piece.pair.path for piece in picked.pieces if piece.parts is None}
    for pair in found.pairs:
        if pair.path in picked.paths or (pair.unit is not None and _is_below(pair.path, whole)):
            yield pair


def _is_below(path: bytes, tops: Iterable[bytes]) -> bool:
    while path:
        if path in tops:
            return True
        path = path.rpartition(b"/")[0]
    return False


def _clash(trees: tuple[Tree, Tree], pair: Pair, change: Change | None, meanwhile: Meanwhile) -> Clash | None:
    lower, upper = trees
    if pair.before is None:
        return Clash.REMOVED if _was_removed(lower, upper, pair, meanwhile) else None
    if not meanwhile.changed(pair.before):
        return None
    if is_folder(pair.before):
        if pair.unit is None:  # it goes on: theirs counts unless we set something on it, too
            return Clash.CHANGED if change is not None else None
        # What was added to it or removed from it is looked at by itself; but perhaps all of it is theirs.
        by_itself = meanwhile.entries_changed(pair.before) and (pair.after is None or is_folder(pair.after))
        return None if by_itself else Clash.CHANGED
    return Clash.CHANGED if change is not None else None


def _was_removed(lower: Tree, upper: Tree, pair: Pair, meanwhile: Meanwhile) -> bool:
    """Whether it was there. A copy that the kernel made of something has a mark; so has one that was renamed then."""
    if pair.unit != pair.path or mark(upper, pair.path, "origin") is None:
        return False
    return is_folder(pair.after) or meanwhile.entries_changed(lower.status(pair.path.rpartition(b"/")[0]))
