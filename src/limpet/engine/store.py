"""What commands printed, one file each, as raw bytes: `outputs/<day>/<run>` below the state directory.

Where a command wrote to both streams, `<run>.streams` tells which bytes came from which.
"""

from __future__ import annotations

import contextlib
import os
import struct
import time
from typing import TYPE_CHECKING

from limpet.engine.ids import time_of
from limpet.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.output.blank import Blanker

_RUN = struct.Struct("<BQ")  # stream, bytes
_FLUSH = 1 << 16
_DAY = 86_400.0
_PRUNE_EVERY = 3600.0


class Store:
    """The folder of stored outputs."""

    def __init__(self, state: str) -> None:
        self._folder = os.path.join(state, "outputs")

    def path(self, name: str) -> str:
        """Where the output of a run is kept. Raises StoreError for what cannot be the name of one."""
        try:
            day = time.strftime("%Y-%m-%d", time.gmtime(time_of(name)))
        except (ValueError, OverflowError, OSError):
            raise StoreError(f"{name!r} is not the id of a run; `limpet log` lists them") from None
        return os.path.join(self._folder, day, name)

    def open(self, name: str, limit: int, blanker: Blanker | None = None) -> StoredOutput:
        """Room for a run's output; the file is made when there is something to put in it."""
        return StoredOutput(lambda: self.path(name), limit, blanker)

    def prune(self, *, keep_days: float, keep_bytes: int, now: float | None = None) -> bool:
        """Delete what is too old, and the oldest of what is too much. Looks at most once an hour; whether it did."""
        now = time.time() if now is None else now
        if not self._due(now):
            return False
        total = 0
        for path, size, changed in sorted(self._files(), key=lambda file: -file[2]):
            total += size
            if now - changed > keep_days * _DAY or total > keep_bytes:
                with contextlib.suppress(OSError):
                    os.unlink(path)
        with contextlib.suppress(OSError):
            for day in os.listdir(self._folder):
                with contextlib.suppress(OSError):  # not empty, or not a folder
                    os.rmdir(os.path.join(self._folder, day))
        return True

    def _due(self, now: float) -> bool:
        marker = os.path.join(self._folder, ".pruned")
        try:
            if now - os.stat(marker).st_mtime < _PRUNE_EVERY:
                return False
        except OSError:
            pass
        with contextlib.suppress(OSError):
            os.close(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            os.utime(marker, (now, now))
        return True

    def _files(self) -> list[tuple[str, int, float]]:
        found = []
        with contextlib.suppress(OSError):
            for day in os.scandir(self._folder):
                if day.is_dir(follow_symlinks=False):
                    for file in os.scandir(day.path):
                        with contextlib.suppress(OSError):
                            status = file.stat(follow_symlinks=False)
                            found.append((file.path, status.st_size, status.st_mtime))
        return found


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
        self._fd: int | None = None
        self._limit = limit
        self._streams = bytearray()
        self._streams_fd: int | None = None
        self._run_stream = 1
        self._run_bytes = 0

    @property
    def path(self) -> str | None:
        """Where it is; None as long as nothing was printed."""
        return None if self._fd is None else self._path

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
            if self._fd is None:
                self._path = self._place()
                self._fd = _create(self._path)
            view = memoryview(self._blanked(self._fd, data))
            while view:
                written = os.write(self._fd, view)
                self.size += written
                view = view[written:]
        except OSError as error:
            self._full = True
            where = os.path.dirname(self._path)
            self.trouble = (
                f"only the first {self.size:,} bytes of output could be stored in {where}: {error.strerror}; "
                "free space there or set LIMPET_STATE_DIR"
            )

    def _next_run(self, stream: int) -> None:
        if self._run_bytes:
            self._streams += _RUN.pack(self._run_stream, self._run_bytes)
        self._run_stream, self._run_bytes = stream, 0
        if len(self._streams) >= _FLUSH:
            self._flush_streams()

    def _flush_streams(self) -> None:
        try:
            if self._streams_fd is None:
                self._streams_fd = _create(self._path + ".streams")
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


def _create(path: str) -> int:
    """A new private file: never one that somebody planted under its name."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        _make_private(os.path.dirname(path), levels=3)
        return os.open(path, flags, 0o600)


def _is_at(fd: int, path: str) -> bool:
    """Whether the file that was written is the one that is there."""
    try:
        return os.path.samestat(os.fstat(fd), os.lstat(path))
    except OSError:
        return False


def _make_private(folder: str, levels: int) -> None:
    """`state/outputs/day`, each for this user alone."""
    if levels > 1:
        _make_private(os.path.dirname(folder), levels - 1)
    elif not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)


def streams_of(path: str) -> list[tuple[int, int]]:
    """Which bytes came from which stream, in order: (stream, bytes). Empty: all of it is stdout."""
    try:
        with open(path + ".streams", "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return []
    return [(stream, size) for stream, size in _RUN.iter_unpack(data[: len(data) - len(data) % _RUN.size])]
