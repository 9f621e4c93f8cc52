"""Output, piece by piece -> the same with secrets blanked out, also those that a cut between pieces hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_REMEMBERED = 4_096
"""Bytes looked at again with the next piece: a secret longer than this may be cut unseen."""


class Blanker:
    """Overwrites secrets with asterisks of the same length, so that every count and offset stays right."""

    def __init__(self, spans: Callable[[bytes], list[tuple[int, int]]]) -> None:
        self._spans = spans
        self._before = b""

    def blank(self, data: bytes) -> tuple[bytes, list[tuple[int, int]]]:
        """The piece without its secrets, and what to overwrite before it: (bytes back, how many)."""
        start = len(self._before)
        whole = self._before + data
        found = self._spans(whole)
        self._before = whole[-_REMEMBERED:]
        if not found:
            return data, []
        blanked = bytearray(whole)
        for begin, end in found:
            blanked[begin:end] = b"*" * (end - begin)
        back = [(start - begin, min(end, start) - begin) for begin, end in found if begin < start]
        return bytes(blanked[start:]), back
