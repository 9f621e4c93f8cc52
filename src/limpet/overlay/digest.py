"""Files -> their digests, and whether two have the same contents."""

from __future__ import annotations

import hashlib
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.overlay.tree import Tree

_PIECE = 1 << 20
LARGEST = 64 << 20
"""Bytes of a file beyond which it gets no digest."""
IN_ALL = 1 << 30
"""Bytes that are read for digests at most."""
OF_DELETED = 32 << 20
"""Bytes of deleted files that are read for nothing but to tell what they were."""


class Digests:
    """Gives digests as long as that does not take too long."""

    def __init__(self, largest: int = LARGEST, in_all: int = IN_ALL) -> None:
        self._largest = largest
        self._left = in_all
        self._left_for_deleted = min(OF_DELETED, in_all)
        self.refused = 0
        """Files that have none for their size, or because too much was read."""

    def of(self, tree: Tree, path: bytes, status: os.stat_result) -> str:
        """SHA-256 in hexadecimal digits; empty for what is no file, cannot be read, or is too much."""
        if not stat.S_ISREG(status.st_mode):
            return ""
        if status.st_size > min(self._largest, self._left):
            self.refused += 1
            return ""
        self._left -= status.st_size
        try:
            return digest(tree, path)
        except OSError:
            return ""

    def of_deleted(self, tree: Tree, path: bytes, status: os.stat_result, added: frozenset[int]) -> str:
        """The same, but a whole tree that is gone is not read: only what could have been renamed, by its size."""
        if not stat.S_ISREG(status.st_mode):
            return ""
        if status.st_size in added:
            return self.of(tree, path, status)
        self._left_for_deleted -= status.st_size
        return self.of(tree, path, status) if self._left_for_deleted >= 0 else ""


def digest(tree: Tree, path: bytes) -> str:
    """Whatever its size. Raises OSError."""
    with open(tree.open(path), "rb", buffering=0) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def same_contents(one: tuple[Tree, bytes], other: tuple[Tree, bytes]) -> bool:
    """Byte by byte; holes are not read. False when one of them cannot be."""
    try:
        with (
            open(one[0].open(one[1]), "rb", buffering=0) as first,
            open(other[0].open(other[1]), "rb", buffering=0) as second,
        ):
            return _same(first.fileno(), second.fileno(), os.fstat(first.fileno()).st_size)
    except OSError:
        return False


def _same(one: int, other: int, size: int) -> bool:
    if os.fstat(other).st_size != size:
        return False
    at = 0
    while at < size:
        at = min(_next_data(one, at, size), _next_data(other, at, size))
        if os.pread(one, _PIECE, at) != os.pread(other, _PIECE, at):
            return False
        at += _PIECE
    return True


def _next_data(fd: int, at: int, size: int) -> int:
    try:
        return os.lseek(fd, at, os.SEEK_DATA)
    except OSError:  # nothing but a hole follows
        return size
