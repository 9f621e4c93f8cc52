"""The stored output of a task that may run for weeks: the newest of it, in two files that take turns.

`output` is written. When it holds half of what may be kept, it becomes `output.<start>-<end>`, named by the bytes of
the whole output that it holds, and replaces the one that was there before. So every byte has the same offset for good,
and what is gone can be counted. `output.streams` grows in step: a record says whose bytes come next before they do.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from limpet.engine.storing import RUN, StoredOutput, create_private

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.output.blank import Blanker

_LEAST = 4096
"""Bytes of a file, however little is to be kept: secrets are looked for across the last of them."""
_MAP = ".streams"


class RollingOutput(StoredOutput):
    """The output of one task while it is being written. Nothing here raises: what cannot be kept is told."""

    def __init__(self, place: Callable[[], str], limit: int, blanker: Blanker | None) -> None:
        super().__init__(place, limit, blanker)
        self._half = max(_LEAST, limit // 2)
        self._start = 0
        self._mapped = 0
        self._kept: tuple[int, int, str] | None = None
        """Descriptor, start and name of the file before this one."""
        try:
            self._opened()
        except OSError as error:
            self._fail(error)

    def write(self, stream: int, data: bytes) -> None:
        """Append, and let go of the oldest where that is needed.

        After bytes that could not be written nothing is: every byte that is there has its true offset.
        """
        view = memoryview(data)
        while view and not self._full:
            if self.size - self._start + self._mapped >= self._half:
                self._roll()
            room = max(1, self._half - (self.size - self._start) - self._mapped)
            piece = view[:room]
            self._place_run(stream, len(piece))
            self._append(data if len(piece) == len(data) else bytes(piece))
            view = view[room:]

    def finish(self) -> None:
        """Close it."""
        if self._kept is not None:
            os.close(self._kept[0])
            gone = self._kept[1]
            if gone:
                note = f"the first {gone:,} of {self.size:,} bytes of output are gone (limit tasks.output)"
                self.trouble = "; ".join(words for words in (self.trouble, note) if words)
        super().finish()

    def _place_run(self, stream: int, size: int) -> None:
        """Say whose bytes come next, before they do; how many there were is known when another's turn comes."""
        if stream != self._run_stream:
            closed = RUN.pack(self._run_stream, self._run_bytes) if self._run_bytes else b""
            self._record(closed + RUN.pack(stream, 0))
            self._run_stream, self._run_bytes = stream, 0
        self._run_bytes += size

    def _record(self, records: bytes) -> None:
        try:
            if self._streams_fd is None:
                self._streams_fd = create_private(self._path + _MAP)
            os.write(self._streams_fd, records)
            self._mapped += len(records)
        except OSError as error:
            self._mapless = f"which bytes are stderr could not be stored: {error.strerror}"

    def _roll(self) -> None:
        """Nobody waits for a name: a reader that finds them changed looks again.

        The oldest goes last: where `output` begins is told by the name of the one before it.
        """
        old = f"{self._path}.{self._start}-{self.size}"
        try:
            if self._streams_fd is not None:
                self._record(RUN.pack(self._run_stream, self._run_bytes) if self._run_bytes else b"")
                os.close(self._streams_fd)
                os.rename(self._path + _MAP, old + _MAP)
            os.rename(self._path, old)
            assert self._fd is not None
            self._drop_kept()
            self._kept = (self._fd, self._start, old)
            self._fd = self._streams_fd = None
            self._start, self._mapped = self.size, 0
            self._opened()
        except OSError as error:
            self._fail(error)
        self._run_bytes = 0
        if self._run_stream != 1:
            self._record(RUN.pack(self._run_stream, 0))

    def _drop_kept(self) -> None:
        if self._kept is not None:
            fd, _, name = self._kept
            os.close(fd)
            self._kept = None
            for path in (name, name + _MAP):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)

    def _blanked(self, fd: int, data: bytes) -> bytes:
        if self._blanker is None:
            return data
        data, before = self._blanker.blank(data)
        for back, count in before:
            self._overwrite(fd, self.size - back, count)
        return data

    def _overwrite(self, fd: int, at: int, count: int) -> None:
        """With asterisks; what was the end of the file before this one may be meant, too."""
        older = max(0, min(count, self._start - at))
        if older and self._kept is not None:
            os.pwrite(self._kept[0], b"*" * older, at - self._kept[1])
        if count > older:
            os.pwrite(fd, b"*" * (count - older), at + older - self._start)
