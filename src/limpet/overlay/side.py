"""What is at a path -> one side of a change, and what two sides differ in."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from limpet.model.change import Aspect, Side, Sort
from limpet.overlay.digest import same_contents
from limpet.overlay.meta import read_xattrs

if TYPE_CHECKING:
    from limpet.overlay.tree import Tree

_SORTS = {stat.S_IFREG: Sort.FILE, stat.S_IFDIR: Sort.FOLDER, stat.S_IFLNK: Sort.LINK}


def side(tree: Tree, path: bytes, status: os.stat_result, digest: str = "") -> Side:
    """Of what is there."""
    sort = _SORTS.get(stat.S_IFMT(status.st_mode), Sort.OTHER)
    return Side(
        sort=sort,
        mode=tree.mode(path, status),
        uid=status.st_uid,
        gid=status.st_gid,
        size=status.st_size if sort is Sort.FILE else 0,
        mtime_ns=status.st_mtime_ns,
        digest=digest,
        target=_target(tree, path) if sort is Sort.LINK else "",
        xattrs=tuple((os.fsdecode(name), value) for name, value in read_xattrs(tree, path)),
        links=1 if sort is Sort.FOLDER else status.st_nlink,
    )


def now_at(tree: Tree, path: bytes) -> Side | None:
    """What is there now; None when nothing is."""
    status = tree.status(path)
    return None if status is None else side(tree, path, status)


def differ(before: tuple[Tree, Side], after: tuple[Tree, Side], path: bytes) -> tuple[Aspect, ...]:
    """In what two sides of a path differ. A folder's times are not looked at: they follow from what is in it."""
    (old_tree, old), (new_tree, new) = before, after
    if old.sort is not new.sort:
        return (Aspect.SORT,)
    found = []
    if old.sort is Sort.FILE and not _same_file((old_tree, path, old), (new_tree, path, new)):
        found.append(Aspect.CONTENT)
    if old.target != new.target:
        found.append(Aspect.TARGET)
    if old.mode != new.mode and old.sort is not Sort.LINK:
        found.append(Aspect.MODE)
    if (old.uid, old.gid) != (new.uid, new.gid):
        found.append(Aspect.OWNER)
    if old.xattrs != new.xattrs:
        found.append(Aspect.XATTRS)
    if old.mtime_ns != new.mtime_ns and old.sort is not Sort.FOLDER:
        found.append(Aspect.TIMES)
    return tuple(found)


def _same_file(one: tuple[Tree, bytes, Side], other: tuple[Tree, bytes, Side]) -> bool:
    if one[2].size != other[2].size:
        return False
    if one[2].digest and other[2].digest:
        return one[2].digest == other[2].digest
    return same_contents(one[:2], other[:2])


def _target(tree: Tree, path: bytes) -> str:
    folder, name = tree.entry(path)
    try:
        return os.fsdecode(os.readlink(name, dir_fd=folder))
    except OSError:  # replaced since it was looked at
        return ""
