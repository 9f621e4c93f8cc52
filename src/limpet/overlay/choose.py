"""Changes, and the paths that somebody chose among them -> what to put in place, in few pieces."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from limpet.errors import TransactionError
from limpet.overlay.changes import told
from limpet.overlay.layer import is_folder
from limpet.overlay.marks import mark_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView, Sequence

    from limpet.overlay.changes import Survey
    from limpet.overlay.layer import Pair, Status
    from limpet.overlay.marks import Mark


class Piece(NamedTuple):
    """A path that is put in place, or taken away, in one go."""

    pair: Pair
    old: Mark | None
    """What is at the path, with all that was seen in it."""
    parts: frozenset[bytes] | None
    """Of a new folder only these, with the folders around them; None: all of it."""
    movable: bool
    """The layer can do without it; else it gets a copy, as what is left there builds on it."""


class Picked(NamedTuple):
    """What was chosen."""

    pieces: list[Piece]
    folders: frozenset[bytes]
    """Folders that go on, with another mode, owner or attributes."""
    touched: frozenset[bytes]
    """Folders that go on, of which perhaps only the times differ: as after a file that came and went."""
    paths: frozenset[bytes]
    """Every changed path that is taken over."""


def pick(found: Survey, chosen: Sequence[str] | None) -> Picked:
    """All, or what was chosen: paths, or folders with all that changed in them. A rename is chosen by either name.

    Raises TransactionError for a path at which nothing has changed.
    """
    paths = frozenset(found.changed) if chosen is None else frozenset(_chosen(found, chosen))
    units: defaultdict[bytes, list[Pair]] = defaultdict(list)
    folders = set()
    for pair in found.pairs:
        if pair.unit is not None:
            units[pair.unit].append(pair)
        elif pair.path in paths:
            folders.add(pair.path)
    pieces = []
    for pairs in units.values():
        unit = _Unit(pairs, found.changed.keys(), paths)
        pieces += unit.pieces()
        folders |= unit.folders
    touched = _touched(found, pieces) if chosen is None and (pieces or folders) else frozenset()
    return Picked(pieces, frozenset(folders), touched, paths)


def _touched(found: Survey, pieces: Iterable[Piece]) -> frozenset[bytes]:
    """Folders that are folders on both sides, and not part of something that is replaced as a whole."""
    replaced = {piece.pair.path for piece in pieces}
    both = (pair for pair in found.pairs if is_folder(pair.before) and is_folder(pair.after))
    return frozenset(pair.path for pair in both if pair.unit is None or pair.unit not in replaced)


def _chosen(found: Survey, chosen: Sequence[str]) -> Iterator[bytes]:
    wanted = {os.path.normpath(path): False for path in chosen}
    for change in told(found):
        for path in change.paths:
            around = [one for one in wanted if one in (path, ".") or path.startswith(one + "/")]
            for one in around:
                wanted[one] = True
            if around:
                yield from (b"" if one == "." else os.fsencode(one) for one in change.paths)
    missing = [path for path, seen in wanted.items() if not seen]
    if missing:
        raise TransactionError(f"nothing has changed at {', '.join(missing)}; choose among the paths of the changes")


class _Unit:
    """Something that is new, gone or replaced as a whole, of which perhaps only parts are wanted."""

    def __init__(self, pairs: list[Pair], changed: KeysView[bytes], wanted: frozenset[bytes]) -> None:
        self._top = pairs[0]
        self._children: defaultdict[bytes, list[Pair]] = defaultdict(list)
        for pair in pairs[1:]:
            self._children[pair.path.rpartition(b"/")[0]].append(pair)
        self._changed = changed
        self._wanted = wanted
        self.folders: set[bytes] = set()

    def pieces(self) -> list[Piece]:
        found: list[Piece] = []
        stack = [self._top]
        while stack:
            pair = stack.pop()
            pairs = list(self._with_all_below(pair))
            changed = [one.path for one in pairs if one.path in self._changed]
            wanted = frozenset(path for path in changed if path in self._wanted)
            if not wanted:
                continue
            whole = len(wanted) == len(changed)
            if whole or not is_folder(pair.before) or (pair.path in wanted and not is_folder(pair.after)):
                old = mark_of(pair.before, pair.path, _before(pairs[1:]))
                found.append(Piece(pair, old, None if whole else _with_folders(wanted), whole and pair is self._top))
                continue
            if pair.path in wanted:
                self.folders.add(pair.path)
            stack += self._children[pair.path]
        return found

    def _with_all_below(self, pair: Pair) -> Iterator[Pair]:
        stack = [pair]
        while stack:
            one = stack.pop()
            yield one
            stack += self._children.get(one.path, [])


def _before(pairs: Iterable[Pair]) -> Iterator[tuple[bytes, Status]]:
    return ((one.path, one.before) for one in pairs if one.before is not None)


def _with_folders(paths: Iterable[bytes]) -> frozenset[bytes]:
    found = set()
    for path in paths:
        while path and path not in found:
            found.add(path)
            path = path.rpartition(b"/")[0]  # noqa: PLW2901 - up to the root
    return frozenset(found)
