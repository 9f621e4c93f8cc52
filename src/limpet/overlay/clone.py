"""A file, link or folder of one tree -> the same in another: contents, holes, links, mode, owner, times, attributes."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from limpet.kernel.files import share
from limpet.overlay.meta import read_meta, write_meta
from limpet.overlay.tree import join

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from limpet.overlay.tree import Tree

_MOST = 1 << 30


class Cloner:
    """From one tree to another; files that are one file there are one file here."""

    def __init__(self, source: Tree, target: Tree) -> None:
        self._source = source
        self._target = target
        self._done: dict[tuple[int, int], bytes] = {}
        self.bytes = 0
        """What was copied."""

    def clone(self, path: bytes, to: bytes, wanted: Callable[[bytes], bool] | None = None) -> None:
        """Everything at a path; below a folder only what is wanted. Raises OSError."""
        folders: list[tuple[bytes, bytes]] = []
        stack = [(path, to)]
        while stack:
            here, there = stack.pop()
            if self._one(here, there):
                folders.append((here, there))
                names = (name for name, _ in self._source.listing(here) if wanted is None or wanted(join(here, name)))
                stack += [(join(here, name), join(there, name)) for name in names]
        for here, there in reversed(folders):  # times last: what is put into a folder changes them
            self._dress(here, there)

    def fill(self, paths: Collection[bytes]) -> None:
        """These, which include the folders they are in, under the same names. What has gone meanwhile is left out."""
        folders = [path for path in sorted(paths) if self._one(path, path)]
        for path in reversed(folders):
            self._dress(path, path)
        self._dress(b"", b"")

    def _one(self, here: bytes, there: bytes) -> bool:
        """Whether it is a folder, and there is to be more in it."""
        status = self._source.status(here)
        if status is None:
            return False
        if stat.S_ISDIR(status.st_mode):
            folder, name = self._target.entry(there)
            os.mkdir(name, 0o700, dir_fd=folder)
            return True
        self._leaf(here, there, status)
        return False

    def _leaf(self, here: bytes, there: bytes, status: os.stat_result) -> None:
        first = self._done.get((status.st_dev, status.st_ino))
        folder, name = self._target.entry(there)
        if first is not None:
            old, old_name = self._target.entry(first)
            os.link(old_name, name, src_dir_fd=old, dst_dir_fd=folder, follow_symlinks=False)
            return
        if stat.S_ISREG(status.st_mode):
            self._file(here, there)
        elif stat.S_ISLNK(status.st_mode):
            source, source_name = self._source.entry(here)
            os.symlink(os.readlink(source_name, dir_fd=source), name, dir_fd=folder)
        else:
            os.mknod(name, stat.S_IFMT(status.st_mode) | 0o600, status.st_rdev, dir_fd=folder)
        self._dress(here, there)
        if status.st_nlink > 1:
            self._done[(status.st_dev, status.st_ino)] = there

    def _file(self, here: bytes, there: bytes) -> None:
        source = self._source.open(here)
        try:
            folder, name = self._target.entry(there)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            target = os.open(name, flags, 0o600, dir_fd=folder)
            try:
                if not share(source, target):
                    self.bytes += _copy(source, target)
            finally:
                os.close(target)
        finally:
            os.close(source)

    def _dress(self, here: bytes, there: bytes) -> None:
        write_meta(self._target, there, read_meta(self._source, here))


def _copy(source: int, target: int) -> int:
    """Data where there is data, holes where there are holes; the bytes of data."""
    size, at, copied = os.fstat(source).st_size, 0, 0
    os.ftruncate(target, size)
    while at < size:
        try:
            at = os.lseek(source, at, os.SEEK_DATA)
        except OSError:  # nothing but a hole follows
            break
        end = os.lseek(source, at, os.SEEK_HOLE)
        copied += end - at
        _copy_range(source, target, at, end)
        at = end
    return copied


def _copy_range(source: int, target: int, at: int, end: int) -> None:
    os.lseek(target, at, os.SEEK_SET)
    while at < end:
        sent = 0
        with contextlib.suppress(OSError):
            sent = os.copy_file_range(source, target, min(end - at, _MOST), at, at)
        if not sent:
            piece = os.pread(source, min(end - at, 1 << 20), at)
            if not piece:  # it became shorter meanwhile
                return
            sent = os.pwrite(target, piece, at)
        at += sent
