"""A stream of any length -> its beginning and its end, in bounded memory."""

from __future__ import annotations

import functools
from collections import deque
from typing import TYPE_CHECKING

from limpet.output.decode import CharCounter

if TYPE_CHECKING:
    from limpet.model.window import Window

_SMALL = 4096
_HUGE = 1 << 20
_WIDEST_CHAR = 4
_LEAST_HEAD = 1 << 16
_LEAST_TAIL = 1 << 18


class Ends:
    """The first `head_limit` bytes of a stream and the last `tail_limit` of the rest.

    A piece of ordinary size is kept by reference, so that several collectors share it; small ones are gathered, since
    an object costs more than they hold. What is held is at most both limits, one piece, and the gathered small ones.
    """

    __slots__ = ("_head", "_head_room", "_small", "_tail", "_tail_limit", "_tail_size", "total")

    def __init__(self, head_limit: int, tail_limit: int) -> None:
        self.total = 0
        self._head = bytearray()
        self._head_room = head_limit
        self._tail: deque[bytes] = deque()
        self._tail_limit = tail_limit
        self._tail_size = 0
        """Bytes in `_tail` and `_small`."""
        self._small = bytearray()

    def write(self, data: bytes) -> None:
        """Take one piece."""
        self.total += len(data)
        if self._head_room:
            data = self._fill_head(data)
        if len(data) >= _SMALL:
            self._push(data)
        elif data:
            self._gather(data)

    def copy(self) -> Ends:
        """Another collector that has seen the same; pieces are shared, not copied."""
        other = Ends(self._head_room, self._tail_limit)
        other.total = self.total
        other._head = bytearray(self._head)
        other._tail = self._tail.copy()
        other._tail_size = self._tail_size
        other._small = bytearray(self._small)
        return other

    @property
    def tail_size(self) -> int:
        """Bytes held behind the head."""
        return self._tail_size

    @property
    def complete(self) -> bool:
        """Whether nothing was dropped."""
        return self.total <= len(self._head) + self._tail_limit

    def head(self) -> bytes:
        """The beginning."""
        return bytes(self._head)

    def tail(self) -> bytes:
        """The end, without anything that is in the head: both together are everything when nothing was dropped."""
        kept = b"".join((*self._tail, self._small))
        return kept[max(0, len(kept) - self._tail_limit) :]

    def whole(self) -> bytes:
        """Everything. Only when `complete`."""
        assert self.complete
        return self.head() + self.tail()

    def _fill_head(self, data: bytes) -> bytes:
        room = self._head_room
        self._head += data[:room]
        self._head_room = max(0, room - len(data))
        return data[room:]

    def _gather(self, data: bytes) -> None:
        self._small += data
        self._tail_size += len(data)
        if len(self._small) >= _SMALL:
            self._seal()
            self._drop()

    def _push(self, data: bytes) -> None:
        if len(data) > _HUGE and len(data) > self._tail_limit:
            data = data[len(data) - self._tail_limit :]
        if self._small:
            self._seal()
        self._tail.append(data)
        self._tail_size += len(data)
        self._drop()

    def _seal(self) -> None:
        self._tail.append(bytes(self._small))
        self._small.clear()

    def _drop(self) -> None:
        tail = self._tail
        while tail and self._tail_size - len(tail[0]) >= self._tail_limit:
            self._tail_size -= len(tail.popleft())


class Keep(Ends):
    """The two ends of one stream, and how many characters the whole of it had."""

    __slots__ = ("_chars",)

    def __init__(self, head_limit: int, tail_limit: int) -> None:
        super().__init__(head_limit, tail_limit)
        self._chars = CharCounter()

    @classmethod
    def for_window(cls, window: Window) -> Keep:
        """A collector that always holds what `window` shows."""
        return cls(*limits_for(window))

    def write(self, data: bytes) -> None:
        """Take one piece."""
        super().write(data)
        self._chars.add(data)

    @property
    def chars(self) -> int:
        """Characters written, as if everything were decoded at once."""
        return self._chars.total


@functools.lru_cache(maxsize=64)
def limits_for(window: Window) -> tuple[int, int]:
    """Bytes of head and tail that are enough for `window` in any script, with some room for what cleaning removes."""
    head = _WIDEST_CHAR * window.head
    tail = _WIDEST_CHAR * max(window.tail, window.budget - window.head)
    return max(head, _LEAST_HEAD), max(tail, _LEAST_TAIL)
