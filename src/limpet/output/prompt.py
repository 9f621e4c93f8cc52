"""The end of what a command printed -> the line it stopped at, which is what it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.output.terminal import clean, mark_hidden

if TYPE_CHECKING:
    from limpet.output.redact import Redactor

_LONGEST = 200


def last_line(data: bytes, redactor: Redactor | None = None) -> str:
    """The last line with something on it, as a reader would see it, without secrets."""
    text = clean(data.decode("utf-8", "replace").replace("\r\n", "\n"))
    if redactor is not None:  # before it is cut: half a secret is not known as one
        text = redactor.text(text)
    line = next((line.strip() for line in reversed(mark_hidden(text).splitlines()) if line.strip()), "")
    return line if len(line) <= _LONGEST else "…" + line[1 - _LONGEST :]
