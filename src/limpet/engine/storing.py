"""The stored output of one run while it is being written."""

from __future__ import annotations

import contextlib
import os
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.output.blank import Blanker

RUN = struct.Struct("<BQ")
"""A record of which bytes came from which stream: stream, bytes."""
_FLUSH = 1 << 16


class StoredOutput:
    """The file of one run while it is being written. Nothing here raises: what cannot be kept is told in `trouble`."""

    def __init__(self, place: Callable[[], str], limit: int, blanker: Blanker | None) -> None:
        self.trouble = ""
        self._blanker = blanker
        self.size = 0
        self._full = False
        self._mapless = ""
        self._place = place
        self._path = ""
        self.path: str | None = None
        """Where it is; None as long as nothing was printed."""
        self._fd: int | None = None
        self._limit = limit
        self._streams = bytearray()
        self._streams_fd: int | None = None
        self._run_stream = 1
        self._run_bytes = 0

    def write(self, stream: int, data: bytes) -> None:
        """Append, up to the limit."""
        if self._full:
            return
        if self.size + len(data) > self._limit:
            self._full = True
            self.trouble = f"only the first {self._limit:,} bytes of output were stored (limit output.disk)"
            data = data[: self._limit - self.size]
        self._append(data)
        if stream != self._run_stream:
            self._next_run(stream)
        self._run_bytes += len(data)

    def finish(self) -> None:
        """Close it."""
        if self._fd is None:
            return
        if self._streams or self._streams_fd is not None:
            self._next_run(1)
            self._flush_streams()
        if self._streams_fd is not None:
            os.close(self._streams_fd)
        if not _is_at(self._fd, self._path):
            self.trouble = "the stored output was deleted or replaced while the command ran"
        os.close(self._fd)
        self.trouble = "; ".join(words for words in (self.trouble, self._mapless) if words)

    def _append(self, data: bytes) -> None:
        try:
            view = memoryview(self._blanked(self._opened(), data))
            while view:
                written = os.write(self._opened(), view)
                self.size += written
                view = view[written:]
        except OSError as error:
            self._fail(error)

    def _opened(self) -> int:
        if self._fd is None:
            self._path = self._place()
            self._fd = create_private(self._path)
            self.path = self._path
        return self._fd

    def _fail(self, error: OSError) -> None:
        self._full = True
        where = os.path.dirname(self._path)
        self.trouble = (
            f"only the first {self.size:,} bytes of output could be stored in {where}: {error.strerror}; "
            "free space there or set LIMPET_STATE_DIR"
        )

    def _next_run(self, stream: int) -> None:
        if self._run_bytes:
            self._streams += RUN.pack(self._run_stream, self._run_bytes)
        self._run_stream, self._run_bytes = stream, 0
        if len(self._streams) >= _FLUSH:
            self._flush_streams()

    def _flush_streams(self) -> None:
        try:
            if self._streams_fd is None:
                self._streams_fd = create_private(self._path + ".streams")
            os.write(self._streams_fd, self._streams)
        except OSError as error:
            self._mapless = f"which bytes are stderr could not be stored: {error.strerror}"
        self._streams.clear()

    def _blanked(self, fd: int, data: bytes) -> bytes:
        """Without secrets: they never reach the disk, but for the part of one that came with an earlier piece."""
        if self._blanker is None:
            return data
        data, before = self._blanker.blank(data)
        for back, count in before:
            os.pwrite(fd, b"*" * count, self.size - back)
        return data


def create_private(path: str) -> int:
    """A new private file: never one that somebody planted under its name."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        make_private(os.path.dirname(path), levels=3)
        return os.open(path, flags, 0o600)


def _is_at(fd: int, path: str) -> bool:
    """Whether the file that was written is the one that is there."""
    try:
        return os.path.samestat(os.fstat(fd), os.lstat(path))
    except OSError:
        return False


def make_private(folder: str, levels: int) -> None:
    """`state/outputs/day`, each for this user alone."""
    if levels > 1:
        make_private(os.path.dirname(folder), levels - 1)
    elif not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
