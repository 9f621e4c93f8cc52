"""Pieces that are put into folders which go on -> how those folders are to look afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.overlay.layer import is_folder
from limpet.overlay.meta import read_meta
from limpet.overlay.steps import Folder

if TYPE_CHECKING:
    from limpet.overlay.choose import Picked
    from limpet.overlay.conflicts import Meanwhile
    from limpet.overlay.tree import Tree


def folders_of(trees: tuple[Tree, Tree], picked: Picked, meanwhile: Meanwhile) -> tuple[Folder, ...]:
    """Those around the pieces, and those that get another mode, owner or attributes."""
    around = {piece.pair.path.rpartition(b"/")[0] for piece in picked.pieces}
    folders = {
        path: _folder(trees, path, picked, meanwhile) for path in sorted(around | picked.folders | picked.touched)
    }
    return tuple(one for path, one in folders.items() if path not in picked.touched or path in around or _changes(one))


def _changes(folder: Folder) -> bool:
    return folder.before != folder.after


def _folder(trees: tuple[Tree, Tree], path: bytes, picked: Picked, meanwhile: Meanwhile) -> Folder:
    lower, upper = trees
    before = after = read_meta(lower, path)
    if not is_folder(upper.status(path)):  # only a part of what is gone from it is taken over
        return Folder(path, before, before, times=False)
    layered = read_meta(upper, path)
    if path in picked.folders:
        after = layered
    after = msgspec.structs.replace(after, mtime_ns=layered.mtime_ns, atime_ns=before.atime_ns)
    return Folder(path, before, after, times=not meanwhile.entries_changed(lower.status(path)))
