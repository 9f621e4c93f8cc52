"""A file in which the kernel tells of something -> what it tells now; to open one takes longer than to read it."""

from __future__ import annotations

import os

_PART = 65536


class Told:
    """Is opened once. For any thread, and across forks."""

    def __init__(self, path: str, begins: bytes) -> None:
        """`begins`: how everything begins that is told there."""
        self._path = path
        self._begins = begins
        self._opened = (0, -1)
        """By which process, and its descriptor."""

    def now(self, most: int = _PART) -> bytes:
        """So many bytes of it, from the beginning, or as many as the kernel gives at once. Raises OSError."""
        owner, fd = self._opened
        try:
            told = os.pread(fd, most, 0) if owner == os.getpid() else b""  # a forked child would read of its parent
        except OSError:  # somebody has closed it, and may have another by its number: it is not ours to close
            told = b""
        return told if told.startswith(self._begins) else self._anew(most)

    def whole(self) -> bytes:
        """All of it. Raises OSError."""
        told = part = self.now()
        while part:
            told += (part := os.pread(self._opened[1], _PART, len(told)))
        return told

    def _anew(self, most: int) -> bytes:
        fd = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        self._opened = os.getpid(), fd
        return os.pread(fd, most, 0)
