"""Text as it was given <-> text as the parser reads it: one character a byte, line continuations marked."""

from __future__ import annotations

from limpet.syntax.late import late

JOIN = "\ue000"
"""Stands twice where a backslash and a line end stood: bash reads the text as if neither were there."""

_CONTINUED = late(r"(?<!\\)((?:\\\\)*+)\\\n")
_MARK = JOIN * 2
_RAW = "\\\n"


def to_bytes(text: str) -> bytes:
    """The bytes that bash would be given; a surrogate that stands for no byte is kept as three."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def prepare(text: str) -> str:
    """One character for each byte, so that offsets count bytes, with continuations marked in place.

    Nobody has looked at the quotes yet, so marks also stand inside single quotes, where `unmark` takes them back.
    """
    if not text.isascii():
        text = to_bytes(text).decode("latin-1")
    return mark(text)


def mark(text: str) -> str:
    """Mark each backslash before a line end that is not itself behind a backslash."""
    if _RAW not in text:
        return text
    return _CONTINUED.sub(rf"\g<1>{_MARK}", text)


def unmark(text: str) -> str:
    """Text from where continuations are not removed, as it was."""
    return text.replace(_MARK, _RAW)


def joined(text: str) -> str:
    """Text as bash reads it, without its continuations."""
    return text.replace(JOIN, "")


def decode(text: str) -> str:
    """Characters that are bytes -> the text they spell; bytes that spell nothing become surrogates."""
    if text.isascii():
        return text
    return text.encode("latin-1").decode("utf-8", "surrogateescape")
