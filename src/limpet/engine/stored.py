"""Stored output -> all of it, its end, what came after an offset, or the lines that match; also while it grows."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING, NamedTuple, Self

from limpet.engine.storing import RUN
from limpet.errors import InvalidRequestError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

_BLOCK = 1 << 18
_LONGEST_LINE = 1 << 20  # a longer one is taken in pieces
_STREAMS = {"stdout": 1, "stderr": 2}
_OLDER = re.compile(r"output\.(\d+)-(\d+)")
_TRIES = 100


class Segment(NamedTuple):
    """A file with the bytes from `start` to `end` of the whole output."""

    start: int
    end: int
    fd: int
    streams: list[tuple[int, int]]


class View:
    """What was stored at one moment: files that were renamed or deleted since can still be read in it."""

    def __init__(self, segments: list[Segment]) -> None:
        self._segments = segments
        self.first = segments[0].start
        """Offset of the first byte that is still there."""
        self.end = segments[-1].end
        """Offset behind the last one."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for segment in self._segments:
            os.close(segment.fd)

    def read(self, since: int, stream: str | None) -> Iterator[tuple[int, bytes]]:
        """Pieces from byte `since` on, each with the number of its stream."""
        for segment in self._segments:
            for number, start, end in _spans(segment, stream):
                at = max(start, since)
                while at < end and (data := os.pread(segment.fd, min(end - at, _BLOCK), at - segment.start)):
                    yield number, data
                    at += len(data)

    def backwards(self, since: int, stream: str | None) -> Iterator[bytes]:
        """The same, last piece first."""
        for segment in reversed(self._segments):
            for _, first, end in reversed(list(_spans(segment, stream))):
                start = max(first, since)
                for block_end in range(end, start, -_BLOCK):
                    begin = max(start, block_end - _BLOCK)
                    yield os.pread(segment.fd, block_end - begin, begin - segment.start)


class StoredLog:
    """What one run or task printed, as raw bytes. Offsets count from its very first byte, whatever is left of it."""

    def __init__(self, run: str, path: str) -> None:
        """Raises StoreError when there is no such output."""
        self.run = run
        self.path = path
        self.view().__exit__(None, None, None)

    @property
    def size(self) -> int:
        """Bytes printed so far."""
        with self.view() as view:
            return view.end

    @property
    def first(self) -> int:
        """Bytes at the beginning that are gone: a task keeps the newest within its limit."""
        with self.view() as view:
            return view.first

    def view(self) -> View:
        """What is there now. Raises StoreError when it is gone."""
        for _ in range(_TRIES):
            names = self._older()
            segments = self._open(names)
            if segments and names == self._older():
                return View(segments)
            for segment in segments:
                os.close(segment.fd)
            if not os.path.lexists(os.path.dirname(self.path)) or not (names or os.path.isfile(self.path)):
                break
        raise StoreError(f"no stored output of {self.run}: it printed nothing, or that was deleted because of its age")

    def read(self, *, since: int = 0, stream: str | None = None) -> Iterator[bytes]:
        """Everything from byte `since` on, or only what went to one stream."""
        check(since=since, stream=stream)
        with self.view() as view:
            for _, data in view.read(since, stream):
                yield data

    def tail(self, lines: int, *, since: int = 0, stream: str | None = None) -> bytes:
        """The last `lines` lines of what comes after byte `since`."""
        check(since=since, tail=lines, stream=stream)
        with self.view() as view:
            return tail_of(view.backwards(since, stream), lines)

    def grep(self, pattern: str, *, since: int = 0, stream: str | None = None) -> Iterator[bytes]:
        """The lines that match a regular expression."""
        return matching(pattern, self.read(since=since, stream=stream))

    def _older(self) -> list[tuple[int, int]]:
        if os.path.basename(self.path) != "output":  # of a run there is one file, among many
            return []
        with contextlib.suppress(OSError):
            found = (_OLDER.fullmatch(name) for name in os.listdir(os.path.dirname(self.path)))
            return sorted((int(match[1]), int(match[2])) for match in found if match)
        return []

    def _open(self, older: list[tuple[int, int]]) -> list[Segment]:
        """All of them, or, when one has just gone, none; the end of the last one is where it is now."""
        segments: list[Segment] = []
        try:
            for start, end in older:
                segments.append(_segment(f"{self.path}.{start}-{end}", start))
            segments.append(_segment(self.path, older[-1][1] if older else 0))
        except OSError:
            for segment in segments:
                os.close(segment.fd)
            return []
        return segments


def _segment(path: str, start: int) -> Segment:
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # should somebody have put a pipe there
    # The size first: whose bytes they are was written down before they were.
    end = start + os.fstat(fd).st_size
    return Segment(start, end, fd, streams_of(path))


def streams_of(path: str) -> list[tuple[int, int]]:
    """Which bytes came from which stream, in order: (stream, bytes). Empty: all of it is stdout.

    Bytes beyond their sum belong to the last one.
    """
    try:
        with open(path + ".streams", "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return []
    return [(stream, size) for stream, size in RUN.iter_unpack(data[: len(data) - len(data) % RUN.size])]


def _spans(segment: Segment, stream: str | None) -> Iterator[tuple[int, int, int]]:
    """Stream, start and end of each run of bytes that is wanted."""
    wanted = None if stream is None else _STREAMS[stream]
    start, last = segment.start, 1
    for last, size in segment.streams:
        end = min(start + size, segment.end)
        if wanted in (None, last) and start < end:
            yield last, start, end
        start = end
    if wanted in (None, last) and start < segment.end:
        yield last, start, segment.end


def matching(pattern: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines that match a regular expression. Raises InvalidRequestError."""
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        raise InvalidRequestError(f"{pattern!r} is no regular expression: {error}", field="grep") from error
    return (line for line in lines_of(blocks) if wanted.search(line.decode("utf-8", "replace")))


def check(*, since: int = 0, tail: int | None = None, stream: str | None = None) -> None:
    """Whether it makes sense to ask for that. Raises InvalidRequestError."""
    if since < 0:
        raise InvalidRequestError(f"since must be an offset in bytes, not {since}", field="since")
    if tail is not None and tail < 0:
        raise InvalidRequestError(f"tail must be a number of lines, not {tail}", field="tail")
    if stream is not None and stream not in _STREAMS:
        raise InvalidRequestError(f"{stream!r} is no stream; there are: stdout, stderr", field="stream")


def tail_of(blocks: Iterable[bytes], lines: int) -> bytes:
    """The last lines of blocks that come last one first."""
    kept: list[bytes] = []
    breaks = 0
    for block in blocks:
        kept.append(block)
        breaks += block.count(b"\n")
        if breaks > lines:
            break
    return _last_lines(b"".join(reversed(kept)), lines)


def _last_lines(data: bytes, lines: int) -> bytes:
    position = len(data) - 1 if data.endswith(b"\n") else len(data)
    for _ in range(lines):
        position = data.rfind(b"\n", 0, position)
        if position < 0:
            return data
    return data[position + 1 :] if lines else b""


def lines_of(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Line by line, with their ends."""
    rest = b""
    for block in blocks:
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            yield line + b"\n"
        if len(rest) > _LONGEST_LINE:
            yield rest
            rest = b""
    if rest:
        yield rest
