"""What a command printed, as bytes -> the text that a terminal would show of it."""

from __future__ import annotations

from limpet.output.terminal import clean


def plain(data: bytes) -> str:
    """Text without control sequences; a line that was written over several times is there once."""
    return clean(data.decode("utf-8", "replace"))
