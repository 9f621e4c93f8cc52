"""Events of one run -> a reader that may be slow: pieces are joined, and dropped in the middle rather than pile up."""

from __future__ import annotations

import asyncio
import codecs
import collections
from typing import TYPE_CHECKING

from limpet.model.event import Event, Finished, Output

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_NAMES = {1: "stdout", 2: "stderr"}
_JOIN_UP_TO = 64 * 1024
_MOST_PENDING = 1 << 20


class Feed:
    """What happened and was not read yet: at most about a megabyte of output, whatever the command prints."""

    def __init__(self, *, lossless: bool = False) -> None:
        self._lossless = lossless
        self._events: collections.deque[Event | _Piece] = collections.deque()
        self._pending = 0
        self._skipped = {1: 0, 2: 0}
        self._arrived = asyncio.Event()
        self._ended = False
        self._decoders = {stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in _NAMES}

    def put(self, event: Event) -> None:
        """Something other than output happened."""
        if isinstance(event, Finished):
            self._own_up()
        self._events.append(event)
        self._arrived.set()

    def output(self, stream: int, data: bytes) -> None:
        """The command printed something."""
        if not self._lossless and self._pending + len(data) > _MOST_PENDING:
            self._drop_oldest(len(data))
        last = self._events[-1] if self._events else None
        if isinstance(last, _Piece) and last.stream == stream and last.size < _JOIN_UP_TO:
            last.add(data)
        else:
            self._events.append(_Piece(stream, data, self._skipped[stream]))
            self._skipped[stream] = 0
        self._pending += len(data)
        self._arrived.set()

    def end(self) -> None:
        """Nothing more will come."""
        self._ended = True
        self._arrived.set()

    def full(self) -> bool:
        """Whether the reader is so far behind that a lossless feed must wait for it."""
        return self._lossless and self._pending > _MOST_PENDING

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            while self._events:
                event = self._events.popleft()
                yield self._opened(event) if isinstance(event, _Piece) else event
            if self._ended:
                return
            self._arrived.clear()
            await self._arrived.wait()

    def _opened(self, piece: _Piece) -> Output:
        data = piece.joined()
        self._pending -= len(data)
        decoder = self._decoders[piece.stream]
        if piece.skipped:
            decoder.reset()
        return Output(
            stream=_NAMES[piece.stream], data=data, text=decoder.decode(data), skipped_bytes=piece.skipped
        )  # fmt: skip

    def _drop_oldest(self, room: int) -> None:
        """Make room. The count goes to the next piece of the same stream."""
        kept: list[Event | _Piece] = []
        while self._events and self._pending + room > _MOST_PENDING:
            event = self._events.popleft()
            if isinstance(event, _Piece):
                self._pending -= event.size
                self._skipped[event.stream] += event.size + event.skipped
            else:
                kept.append(event)
        self._events.extendleft(reversed(kept))
        self._hand_on_skipped()

    def _own_up(self) -> None:
        """No piece of a stream came after what was dropped of it: an empty one carries the count."""
        for stream, skipped in self._skipped.items():
            if skipped:
                self._events.append(_Piece(stream, b"", skipped))
                self._skipped[stream] = 0

    def _hand_on_skipped(self) -> None:
        for event in self._events:
            if isinstance(event, _Piece):
                event.skipped += self._skipped[event.stream]
                self._skipped[event.stream] = 0


class _Piece:
    """Output of one stream, being joined."""

    __slots__ = ("_parts", "size", "skipped", "stream")

    def __init__(self, stream: int, data: bytes, skipped: int) -> None:
        self.stream = stream
        self._parts = [data]
        self.size = len(data)
        self.skipped = skipped

    def add(self, data: bytes) -> None:
        self._parts.append(data)
        self.size += len(data)

    def joined(self) -> bytes:
        return b"".join(self._parts) if len(self._parts) > 1 else self._parts[0]
