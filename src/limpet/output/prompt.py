"""The end of what a command printed -> the line it stopped at, which is what it asks."""

from __future__ import annotations

from limpet.output.terminal import clean, mark_hidden

_LONGEST = 200


def last_line(data: bytes) -> str:
    """The last line with something on it, as a reader would see it."""
    text = mark_hidden(clean(data.decode("utf-8", "replace").replace("\r\n", "\n")))
    line = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    return line if len(line) <= _LONGEST else "…" + line[1 - _LONGEST :]
