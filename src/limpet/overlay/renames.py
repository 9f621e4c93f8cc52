"""Something deleted and something added with the same contents -> something renamed."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from limpet.model.change import Aspect, Change, Kind, Sort

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.model.change import Side

_Key = tuple[str, int]


def paired(changes: Iterable[Change]) -> list[Change]:
    """By path. A file counts as renamed when no byte of it differs; an empty one says too little to be told."""
    changes = list(changes)
    gone = _by_contents(change for change in changes if change.kind is Kind.DELETED)
    sources: dict[str, Change] = {}
    for change in changes:
        if change.kind is Kind.ADDED and (found := gone.get(_key(change.after))):
            best = _nearest(change.path, found)
            found.remove(best)
            sources[change.path] = best
    taken = {source.path for source in sources.values()}
    left = [change for change in changes if change.kind is not Kind.DELETED or change.path not in taken]
    return [_renamed(change, sources[change.path]) if change.path in sources else change for change in left]


def _by_contents(changes: Iterable[Change]) -> dict[_Key, list[Change]]:
    found: defaultdict[_Key, list[Change]] = defaultdict(list)
    for change in changes:
        if (
            change.before is not None
            and change.before.sort is Sort.FILE
            and change.before.digest
            and change.before.size
        ):
            found[_key(change.before)].append(change)
    return found


def _key(side: Side | None) -> _Key:
    return (side.digest, side.size) if side is not None else ("", 0)


def _nearest(path: str, found: list[Change]) -> Change:
    """The one of the same name, or of the same folder, if there is one."""
    name, folder = os.path.basename(path), os.path.dirname(path)
    return min(
        found,
        key=lambda one: (os.path.basename(one.path) != name, os.path.dirname(one.path) != folder, one.path),
    )


def _renamed(change: Change, source: Change) -> Change:
    before, after = source.before, change.after
    assert before is not None
    assert after is not None
    aspects = [
        aspect
        for aspect, differs in (
            (Aspect.MODE, before.mode != after.mode),
            (Aspect.OWNER, (before.uid, before.gid) != (after.uid, after.gid)),
            (Aspect.XATTRS, before.xattrs != after.xattrs),
        )
        if differs
    ]
    return msgspec.structs.replace(change, kind=Kind.RENAMED, before=before, source=source.path, aspects=tuple(aspects))
