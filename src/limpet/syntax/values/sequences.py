"""`1..9..2` and `a..e` -> the texts that they count through."""

from __future__ import annotations

from limpet.syntax.late import late

MOST = 256
_NUMBERS = late(r"([-+]?[0-9]+)\.\.([-+]?[0-9]+)(?:\.\.([-+]?[0-9]+))?")
_LETTERS = late(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?[0-9]+))?")
_PADDED = late(r"-?0[0-9]")
_LONG = 15


class TooMuchError(Exception):
    """More texts than are worth following, or texts that cannot be told."""


def count_through(text: str) -> list[str] | None:
    """The texts, or None when it is not a sequence, so that its braces are just text."""
    if found := _NUMBERS.fullmatch(text):
        return _numbers(*found.groups())
    if found := _LETTERS.fullmatch(text):
        return _letters(*found.groups())
    return None


def _numbers(first: str, last: str, step: str | None) -> list[str]:
    if any("+" in number or len(number) > _LONG for number in (first, last)):
        raise TooMuchError
    padded = _PADDED.match(first) or _PADDED.match(last)
    width = max(len(first), len(last)) if padded else 0
    return [f"{number:0{width}d}" for number in _count(int(first), int(last), step)]


def _letters(first: str, last: str, step: str | None) -> list[str]:
    if first.islower() != last.islower():
        raise TooMuchError  # a backslash and a backtick stand between the two alphabets
    return [chr(code) for code in _count(ord(first), ord(last), step)]


def _count(first: int, last: int, step: str | None) -> range:
    if step is not None and len(step) > _LONG:
        raise TooMuchError
    size = abs(int(step or 1)) or 1
    counted = range(first, last + 1, size) if first <= last else range(first, last - 1, -size)
    if len(counted) > MOST:
        raise TooMuchError
    return counted
