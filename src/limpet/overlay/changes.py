"""A transaction -> everything that it changes, typed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from limpet.model.change import Aspect, Change, Changes, Kind, Sort
from limpet.overlay.digest import Digests
from limpet.overlay.layer import Pair, differing
from limpet.overlay.links import joined
from limpet.overlay.renames import paired
from limpet.overlay.side import differ, side
from limpet.overlay.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.model.change import Side
    from limpet.overlay.place import Place


class Survey(NamedTuple):
    """What was found, path by path."""

    pairs: list[Pair]
    """Everything in the layer, changed or not; folders that go on as they are have no unit."""
    changed: dict[bytes, Change]
    """What of it is a change, before renames are told."""
    refused: int
    """Files without a digest, for their size."""


def changes(place: Place, digests: Digests | None = None) -> Changes:
    """As a person wants to see them. The workspace is not touched."""
    with Tree(place.about.workspace) as lower, Tree(place.upper, ours=True) as upper:
        found = survey(lower, upper, differing(lower, upper), digests)
    return Changes(
        workspace=place.about.workspace,
        changes=told(found),
        notes=tuple(_notes(found)),
    )


def told(found: Survey) -> tuple[Change, ...]:
    """By path, with renames."""
    return tuple(sorted(paired(found.changed.values()), key=lambda change: change.path))


def survey(before: Tree, after: Tree, pairs: Iterable[Pair], digests: Digests | None = None) -> Survey:
    """Look at both sides of each path."""
    digests = digests or Digests()
    seen = list(pairs)
    added = frozenset(pair.after.st_size for pair in seen if pair.before is None and pair.after is not None)
    changed = {}
    for pair in seen:
        change = _change(*_sides(before, after, pair, digests, added), (before, after), pair)
        if change is not None:
            changed[pair.path] = change
    changed |= joined(before, after, seen, changed)
    return Survey(seen, changed, digests.refused)


def _sides(
    before: Tree, after: Tree, pair: Pair, digests: Digests, added: frozenset[int]
) -> tuple[Side | None, Side | None]:
    path, old, new = pair.path, None, None
    if pair.after is not None:
        new = side(after, path, pair.after, digests.of(after, path, pair.after))
    if pair.before is not None:
        gone = pair.after is None
        text = digests.of_deleted(before, path, pair.before, added) if gone else digests.of(before, path, pair.before)
        old = side(before, path, pair.before, text)
    return old, new


def _change(old: Side | None, new: Side | None, trees: tuple[Tree, Tree], pair: Pair) -> Change | None:
    path = os.fsdecode(pair.path) or "."
    if old is None or new is None:
        kind = Kind.ADDED if old is None else Kind.DELETED
        return Change(path=path, kind=kind, before=old, after=new) if old is not new else None
    aspects = differ((trees[0], old), (trees[1], new), pair.path)
    if not aspects:
        return None
    return Change(path=path, kind=Kind.MODIFIED, before=old, after=new, aspects=aspects)


def _notes(found: Survey) -> Iterable[str]:
    if found.refused:
        yield f"{found.refused} files are too large for a digest"
    shared = [change.path for change in found.changed.values() if _is_shared(change)]
    if shared:
        yield (
            f"{len(shared)} changed files had other names (hard links), which keep what they were: "
            + ", ".join(shared[:3])
        )


def _is_shared(change: Change) -> bool:
    old = change.before
    changed = change.kind is Kind.MODIFIED and Aspect.SORT not in change.aspects
    return changed and old is not None and old.sort is Sort.FILE and old.links > 1
