"""What a filter left out of the output."""

from __future__ import annotations

import enum

import msgspec


class Confidence(enum.StrEnum):
    """How well the filter knew what it read."""

    FULL = "full"
    """Every line was one that it knows."""
    PARTIAL = "partial"
    """Most lines were."""
    LOW = "low"
    """Few were; those it did not know are all there."""


class Filtered(msgspec.Struct, frozen=True, kw_only=True):
    """What was printed, and what was kept of it for the reader. The stored output has everything."""

    filter: str
    """Whose output it was taken for, such as `pip`."""
    confidence: Confidence
    raw_chars: int
    raw_lines: int
    filtered_chars: int
    """What is left."""
    filtered_lines: int
    kept_lines: tuple[tuple[int, int], ...] = ()
    """First and last number of each group of lines that was kept, counted from 1 over both streams; 200 at most."""

    @property
    def savings(self) -> float:
        """The part of the characters that was left out, in percent."""
        return 100.0 * (self.raw_chars - self.filtered_chars) / self.raw_chars if self.raw_chars else 0.0
