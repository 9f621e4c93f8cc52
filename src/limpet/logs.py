"""The stored output of a run -> all of it, its end, what came after an offset, or the lines that match."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from limpet.config import state_dir
from limpet.engine.store import Store, streams_of
from limpet.errors import InvalidRequestError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BLOCK = 1 << 18
_LONGEST_LINE = 1 << 20  # a longer one is taken in pieces
_STREAMS = {"stdout": 1, "stderr": 2}


class StoredLog:
    """What one run printed, as raw bytes."""

    def __init__(self, run: str, environ: Mapping[str, str] | None = None) -> None:
        """Raises StoreError when there is no such output."""
        self.run = run
        self.path = Store(state_dir(os.environ if environ is None else environ)).path(run)
        if not os.path.isfile(self.path):
            raise StoreError(f"no stored output of {run}: it printed nothing, or that was deleted because of its age")

    @property
    def size(self) -> int:
        """Bytes stored so far."""
        return os.stat(self.path).st_size

    def read(self, *, since: int = 0, stream: str | None = None) -> Iterator[bytes]:
        """Everything from byte `since` on, or only what went to one stream."""
        if since < 0:
            raise InvalidRequestError(f"since must be an offset in bytes, not {since}", field="since")
        with open(self.path, "rb") as file:
            for start, end in self._spans(stream):
                file.seek(max(start, since))
                while (left := end - file.tell()) > 0 and (data := file.read(min(left, _BLOCK))):
                    yield data

    def tail(self, lines: int, *, since: int = 0, stream: str | None = None) -> bytes:
        """The last `lines` lines of what comes after byte `since`."""
        if lines < 0:
            raise InvalidRequestError(f"tail must be a number of lines, not {lines}", field="tail")
        kept: list[bytes] = []
        breaks = 0
        for block in self._backwards(stream, since):
            kept.append(block)
            breaks += block.count(b"\n")
            if breaks > lines:
                break
        return _last_lines(b"".join(reversed(kept)), lines)

    def grep(self, pattern: str, *, since: int = 0, stream: str | None = None) -> Iterator[bytes]:
        """The lines that match a regular expression."""
        try:
            wanted = re.compile(pattern)
        except re.error as error:
            raise InvalidRequestError(f"{pattern!r} is no regular expression: {error}", field="grep") from error
        for line in _lines(self.read(since=since, stream=stream)):
            if wanted.search(line.decode("utf-8", "replace")):
                yield line

    def _spans(self, stream: str | None) -> Iterator[tuple[int, int]]:
        runs = streams_of(self.path) or [(1, self.size)]
        wanted = None if stream is None else _stream(stream)
        start = 0
        for number, size in runs:
            if wanted in (None, number):
                yield start, start + size
            start += size
        if start < self.size and wanted in (None, runs[-1][0]):  # still being written
            yield start, self.size

    def _backwards(self, stream: str | None, since: int) -> Iterator[bytes]:
        with open(self.path, "rb") as file:
            for first, end in reversed(list(self._spans(stream))):
                start = max(first, since)
                for block_end in range(end, start, -_BLOCK):
                    begin = max(start, block_end - _BLOCK)
                    file.seek(begin)
                    yield file.read(block_end - begin)


def _stream(name: str) -> int:
    if name not in _STREAMS:
        raise InvalidRequestError(f"{name!r} is no stream; there are: stdout, stderr", field="stream")
    return _STREAMS[name]


def _last_lines(data: bytes, lines: int) -> bytes:
    position = len(data) - 1 if data.endswith(b"\n") else len(data)
    for _ in range(lines):
        position = data.rfind(b"\n", 0, position)
        if position < 0:
            return data
    return data[position + 1 :] if lines else b""


def _lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
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
