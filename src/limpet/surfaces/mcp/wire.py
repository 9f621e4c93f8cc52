"""The standard streams of this process -> the lines of one client, and nobody else's."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK = 1 << 16
_LONGEST = 64 << 20
"""Bytes of one message; a longer one is not kept, and what is left of it is no message."""


class Wire:
    """Takes both streams for itself: what else this process prints goes to stderr, and nothing else can read them."""

    def __init__(self) -> None:
        self._read, self._write = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        self._rest = b""

    def lines(self) -> Iterator[bytes]:
        """Each line as it comes, until the client is gone. Blocks."""
        while True:
            line, found, rest = self._rest.partition(b"\n")
            if found:
                self._rest = rest
                if line.strip():
                    yield line
            elif not self._more():
                return

    def write(self, line: bytes) -> None:
        """One message. Blocks for as long as the client does not read. Raises OSError when it is gone."""
        view = memoryview(line + b"\n")
        while view:
            try:
                view = view[os.write(self._write, view) :]
            except BlockingIOError:
                select.select([], [self._write], [])

    def _more(self) -> bool:
        pieces = [self._rest]
        size = len(self._rest)
        while True:
            try:
                data = os.read(self._read, _BLOCK)
            except BlockingIOError:
                select.select([self._read], [], [])
                continue
            except OSError:
                return False
            if size <= _LONGEST:
                pieces.append(data)
                size += len(data)
            if not data or b"\n" in data:
                self._rest = b"".join(pieces) if size <= _LONGEST else b"too long" + data[data.find(b"\n") :]
                return bool(data)
