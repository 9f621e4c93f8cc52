"""Files of the layer that have several names -> names that changed only in that they are names of the same file now."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING

from limpet.model.change import Aspect, Change, Kind
from limpet.overlay.layer import is_folder
from limpet.overlay.side import side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.overlay.layer import Pair
    from limpet.overlay.tree import Tree


def joined(before: Tree, after: Tree, pairs: Iterable[Pair], changed: dict[bytes, Change]) -> dict[bytes, Change]:
    """By path: to take over one name of a file and not the other would make two files of it."""
    found = {}
    for group in _groups(pairs):
        apart = {pair.before.st_ino for pair in group if pair.before is not None}
        if any(pair.path in changed for pair in group) or len(apart) > 1:
            for pair in group:
                if pair.path not in changed:
                    found[pair.path] = _change(before, after, pair)
    return found


def _groups(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    groups: defaultdict[tuple[int, int], list[Pair]] = defaultdict(list)
    for pair in pairs:
        if pair.after is not None and pair.after.st_nlink > 1 and not is_folder(pair.after):
            groups[(pair.after.st_dev, pair.after.st_ino)].append(pair)
    return (group for group in groups.values() if len(group) > 1)


def _change(before: Tree, after: Tree, pair: Pair) -> Change:
    assert pair.before is not None
    assert pair.after is not None
    return Change(
        path=os.fsdecode(pair.path),
        kind=Kind.MODIFIED,
        before=side(before, pair.path, pair.before),
        after=side(after, pair.path, pair.after),
        aspects=(Aspect.LINKS,),
    )
