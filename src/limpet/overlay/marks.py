"""What is at a path -> a mark that tells it from everything else that could be there, wherever it is moved."""

from __future__ import annotations

import hashlib
import os
import stat
import struct
from typing import TYPE_CHECKING

import msgspec

from limpet.overlay.layer import is_whiteout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.overlay.tree import Tree

_LOOK_IN = 0o500
_ENTRY = struct.Struct("<QIQqI")


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """A file keeps its inode when it is moved, and so does everything in a folder."""

    inode: int
    kind: int
    size: int = 0
    mtime_ns: int = 0
    within: bytes = b""
    """Of a folder: a digest of what is in it. What somebody else puts there is not moved along unseen."""

    def is_at(self, status: os.stat_result | None) -> bool:
        """Whether it is that file or folder, whatever was done to it since."""
        return status is not None and (self.inode, self.kind) == (status.st_ino, stat.S_IFMT(status.st_mode))


Inside = tuple[bytes, os.stat_result]
"""A path in a folder, with what is there."""


def mark_of(status: os.stat_result | None, path: bytes = b"", inside: Iterable[Inside] = ()) -> Mark | None:
    """Of what was seen before, with all that is in it if it is a folder. None for what is not there."""
    if status is None:
        return None
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFDIR:
        return Mark(status.st_ino, kind, status.st_size, status.st_mtime_ns)
    # Its own size and times change with what is in it.
    return Mark(status.st_ino, kind, within=_digest(path, status.st_mode, inside))


def mark_at(tree: Tree, path: bytes) -> Mark | None:
    """Of what is there now."""
    status = tree.status(path)
    if status is None or not stat.S_ISDIR(status.st_mode):
        return mark_of(status)
    mode = tree.mode(path, status)
    return Mark(status.st_ino, stat.S_IFDIR, within=_digest(path, mode, _inside(tree, path, mode)))


def _inside(tree: Tree, path: bytes, mode: int) -> Iterator[Inside]:
    stack = [path] if mode & _LOOK_IN == _LOOK_IN else []
    while stack:
        for one, status in tree.children(stack.pop()):
            yield one, status
            if stat.S_ISDIR(status.st_mode) and tree.mode(one, status) & _LOOK_IN == _LOOK_IN:
                stack.append(one)


def _digest(path: bytes, mode: int, inside: Iterable[Inside]) -> bytes:
    """By name. What is in a folder that is closed to its owner does not count: to look there would be to open it."""
    found = hashlib.sha256()
    closed = None if mode & _LOOK_IN == _LOOK_IN else path
    for one, status in sorted(inside, key=lambda entry: entry[0].split(b"/")):
        if is_whiteout(status) or (closed is not None and one.startswith(closed + b"/")):
            continue
        name, folder = one[len(path) :], stat.S_ISDIR(status.st_mode)
        size, changed = (0, 0) if folder else (status.st_size, status.st_mtime_ns)
        found.update(_ENTRY.pack(status.st_ino, stat.S_IFMT(status.st_mode), size, changed, len(name)) + name)
        if folder and status.st_mode & _LOOK_IN != _LOOK_IN:
            closed = one
    return found.digest()[:16]
