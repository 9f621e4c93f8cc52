"""Bytes, in whatever pieces they arrive, -> text and exact numbers of characters."""

from __future__ import annotations

import codecs

from limpet.syntax.late import late

_new_decoder = codecs.getincrementaldecoder("utf-8")
_CONTINUATION = late(rb"[\x80-\xbf]{0,3}")


class Decoder:
    """UTF-8 with replacement; a character split between two pieces is whole in the second."""

    __slots__ = ("_decoder",)

    def __init__(self) -> None:
        self._decoder = _new_decoder("replace")

    def feed(self, data: bytes, *, final: bool = False) -> str:
        """The text that is certain by now; `final` gives up on a character whose end never came."""
        return self._decoder.decode(data, final)


class CharCounter:
    """How many characters the pieces so far would decode to, without keeping any of them."""

    __slots__ = ("_count", "_decoder", "_pending")

    def __init__(self) -> None:
        self._decoder: codecs.IncrementalDecoder | None = None
        self._count = 0
        self._pending = b""

    def add(self, data: bytes) -> None:
        """Count one piece."""
        if data.isascii() and not self._pending:
            self._count += len(data)
            return
        self._decoder = self._decoder or _new_decoder("replace")
        self._count += len(self._decoder.decode(data))
        self._pending = self._decoder.getstate()[0]

    @property
    def total(self) -> int:
        """Characters, if nothing were to follow."""
        return self._count + len(decode(self._pending)) if self._pending else self._count


def decode(data: bytes) -> str:
    """All of `data` as text, with U+FFFD for what is not UTF-8."""
    return data.decode("utf-8", "replace")


def decode_head(data: bytes) -> str:
    """The text of a beginning that may stop in the middle of a character, which is left out."""
    return Decoder().feed(data)


def decode_tail(data: bytes) -> str:
    """The text of an end that may start in the middle of a character, which is left out."""
    return decode(data[torn_start(data) :])


def torn_start(data: bytes) -> int:
    """How many bytes at the start may belong to a character that began earlier: three at most."""
    found = _CONTINUATION.match(data)
    return found.end() if found else 0
