"""The arguments of `echo` and `printf` -> what these print, where every bash prints the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 1 << 16
_ECHO_OPTION = late(r"-[neE]+")
_ESCAPE = late(r"\\(?:x([0-9A-Fa-f]{1,2})|0([0-7]{0,3})|([\\abeEfnrtv])|(.?))", re.DOTALL)
_FORMAT_ESCAPE = late(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|([\\abeEfnrtv\"'?])|(.?))", re.DOTALL)
_CODES = {
    "\\": "\\", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    '"': '"', "'": "'", "?": "?",
}  # fmt: skip
_CONVERSION = late(r"%(.?)", re.DOTALL)
_PLAIN_FORMAT = late(r"(?:[^%\\]|%[s%]|\\[nt\\])*")
_NUMBER = late(r"-?(?:0|[1-9][0-9]{0,17})")


def echoed(words: Sequence[str], *, any_shell: bool = False) -> str | None:
    """What `echo` prints; with `any_shell` only where each of them prints that. None when it cannot be told."""
    rest = list(words)
    options = ""
    while rest and _ECHO_OPTION.fullmatch(rest[0]):
        options += rest.pop(0)[1:]
    text = " ".join(rest)
    if any_shell and (options or "\\" in text or text.startswith("-")):
        return None
    escapes = [letter for letter in options if letter in "eE"][-1:] == ["e"]
    shown = _decoded(text, _ESCAPE) if escapes else text
    return None if shown is None else shown + ("" if "n" in options else "\n")


def _decoded(text: str, escape: re.Pattern[str]) -> str | None:
    """The text with its escapes undone; None when one of them is of another kind, or no plain character."""
    found: list[str] = []
    done = 0
    for match in escape.finditer(text):
        char = _char(match)
        if char is None:
            return None
        found += [text[done : match.start()], char]
        done = match.end()
    return "".join(found) + text[done:]


def _char(match: re.Match[str]) -> str | None:
    hexadecimal, octal, letter, other = match.groups()
    if letter is not None or other is not None:
        return _CODES[letter] if letter is not None else None
    code = int(hexadecimal, 16) if hexadecimal is not None else int(octal or "0", 8)
    return chr(code) if code < 128 else None


def printed(words: Sequence[str], *, any_shell: bool = False) -> str | None:
    """What `printf` prints; None when it cannot be told."""
    rest = list(words[1:]) if words[:1] == ["--"] else list(words)
    if not rest or rest[0].startswith("-") or (any_shell and not _PLAIN_FORMAT.fullmatch(rest[0])):
        return None
    pieces = _pieces(rest[0])
    if pieces is None:
        return None
    shown: list[str] = []
    values = rest[1:]
    size = 0
    while True:
        before = len(values)
        text = _fill(pieces, values)
        if text is None or size > _LONGEST:
            return None
        shown.append(text)
        size += len(text) + 1
        if not values or len(values) == before:
            return "".join(shown)


def _pieces(template: str) -> list[tuple[str, bool]] | None:
    """Text as it stands, and the letters of conversions, which are marked."""
    pieces: list[tuple[str, bool]] = []
    done = 0
    for found in _CONVERSION.finditer(template):
        text = _decoded(template[done : found.start()], _FORMAT_ESCAPE)
        if text is None or found[1] not in tuple("sbdic%"):
            return None
        pieces += [(text, False), ("%", False) if found[1] == "%" else (found[1], True)]
        done = found.end()
    text = _decoded(template[done:], _FORMAT_ESCAPE)
    return None if text is None else [*pieces, (text, False)]


def _fill(pieces: list[tuple[str, bool]], values: list[str]) -> str | None:
    """The format once, with values taken from the front."""
    shown: list[str] = []
    for text, converts in pieces:
        one = _convert(text, values.pop(0) if values else None) if converts else text
        if one is None:
            return None
        shown.append(one)
    return "".join(shown)


def _convert(letter: str, value: str | None) -> str | None:
    if letter == "s":
        return value or ""
    if letter == "b":
        return _decoded(value or "", _ESCAPE)
    if letter == "c":
        return value[0] if value and value.isascii() else None
    if value is None:
        return "0"
    return value if _NUMBER.fullmatch(value) and value != "-0" else None
