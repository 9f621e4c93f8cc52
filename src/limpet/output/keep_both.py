"""Two streams in the order they were read -> the beginning and the end of both together, in bounded memory."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from limpet.output.keep import Ends, limits_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.model.window import Window

Segment = tuple[int, bytes]
"""A stream (1 or 2) and what came from it without a break."""


class KeepBoth:
    """The two ends of an interleaved view.

    Which byte is whose is kept beside the bytes, as one small number a segment (twice its length, plus one for stream
    2): streams that alternate byte by byte cost eight bytes a byte, not two objects.
    """

    __slots__ = ("_ends", "_head_room", "_head_runs", "_tail_limit", "_tail_runs", "_tail_size")

    def __init__(self, head_limit: int, tail_limit: int) -> None:
        self._ends = Ends(head_limit, tail_limit)
        self._head_room = head_limit
        self._tail_limit = tail_limit
        self._head_runs: deque[int] = deque()
        self._tail_runs: deque[int] = deque()
        self._tail_size = 0

    @classmethod
    def for_window(cls, window: Window) -> KeepBoth:
        """A collector that always holds what `window` shows."""
        return cls(*limits_for(window))

    def follow(self, stream: int, seen: Ends) -> None:
        """Begin late: take over what a collector with the same limits has seen, all of it from `stream`."""
        head = len(seen.head())
        self._ends = seen.copy()
        self._head_room -= head
        self._tail_size = seen.tail_size
        _extend(self._head_runs, stream, head)
        _extend(self._tail_runs, stream, self._tail_size)

    def write(self, stream: int, data: bytes) -> None:
        """Take one piece of stream 1 or 2."""
        self._ends.write(data)
        size = len(data)
        if self._head_room:
            part = min(size, self._head_room)
            self._head_room -= part
            size -= part
            _extend(self._head_runs, stream, part)
        if size:
            self._extend_tail(stream, size)

    @property
    def total(self) -> int:
        """Bytes written to both."""
        return self._ends.total

    @property
    def complete(self) -> bool:
        """Whether nothing was dropped."""
        return self._ends.complete

    def head(self) -> list[Segment]:
        """The beginning."""
        return _cut(self._ends.head(), self._head_runs, 0)

    def tail(self) -> list[Segment]:
        """The end, without anything that is in the head."""
        tail = self._ends.tail()
        return _cut(tail, self._tail_runs, self._tail_size - len(tail))

    def whole(self) -> list[Segment]:
        """Everything. Only when `complete`."""
        assert self.complete
        return self.head() + self.tail()

    def _extend_tail(self, stream: int, size: int) -> None:
        runs = self._tail_runs
        _extend(runs, stream, size)
        self._tail_size += size
        while runs and self._tail_size - (runs[0] >> 1) >= self._tail_limit:
            self._tail_size -= runs.popleft() >> 1


def _extend(runs: deque[int], stream: int, size: int) -> None:
    mine = stream == 2
    if runs and (runs[-1] & 1) == mine:
        runs[-1] += size << 1
    elif size:
        runs.append((size << 1) + mine)


def _cut(data: bytes, runs: Iterable[int], skip: int) -> list[Segment]:
    """`data` as segments; `skip` bytes of the first run are not in it."""
    segments, at = [], -skip
    for run in runs:
        end = at + (run >> 1)
        segments.append((1 + (run & 1), data[max(at, 0) : end]))
        at = end
    return segments
