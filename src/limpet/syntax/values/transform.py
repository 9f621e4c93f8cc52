"""A known value and what `${…}` does to it -> the text that comes out, or None when that cannot be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.values.match import Matcher

_PLAIN = late(r"[ -~]*")
_LONGEST = 1 << 16


def strip(operator: str, text: str, pattern: Matcher) -> str | None:
    """`${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`."""
    if not pattern.can_read(text):
        return None
    from_end = operator[0] == "%"
    read = text[::-1] if from_end else text
    length = (pattern.reversed() if from_end else pattern).length(read, longest=len(operator) == 2)
    if length is None or length <= 0:
        return None if length is None else text
    return text[:-length] if from_end else text[length:]


def replace(operator: str, text: str, pattern: Matcher, new: str) -> str | None:
    """`${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`."""
    if not pattern.can_read(text):
        return None
    if operator in ("/#", "/%"):
        return _replace_end(operator, text, pattern, new)
    if pattern.literal is not None:
        return _replace_literal(operator, text, pattern.literal, new)
    return _replace_all(operator, text, pattern, new) if text else None


def _replace_end(operator: str, text: str, pattern: Matcher, new: str) -> str | None:
    at_end = operator == "/%"
    read = text[::-1] if at_end else text
    length = (pattern.reversed() if at_end else pattern).length(read, longest=True)
    if length is None or length < 0:
        return None if length is None else text
    return text[: len(text) - length] + new if at_end else new + text[length:]


def _replace_literal(operator: str, text: str, old: str, new: str) -> str | None:
    if not old:
        return text
    count = text.count(old) if operator == "//" else 1
    if len(text) + count * len(new) > _LONGEST:
        return None
    return text.replace(old, new, count)


def _replace_all(operator: str, text: str, pattern: Matcher, new: str) -> str | None:
    done: list[str] = []
    at = size = 0
    while at < len(text):
        length = pattern.length(text, at, longest=True)
        size += len(new) if length else 0
        if length is None or size > _LONGEST:
            return None
        done.append(new if length > 0 else text[at])
        at += max(length, 1)
        if operator == "/" and length > 0:
            break
    return "".join(done) + text[at:]


def cut(text: str, offset: int, length: int | None) -> str | None:
    """`${x:offset:length}`."""
    if not text.isascii():
        return None
    start = offset + len(text) if offset < 0 else offset
    if not 0 <= start <= len(text):
        return ""
    end = len(text) if length is None else len(text) + length if length < 0 else start + length
    return text[start:end] if end >= start else None


def change_case(operator: str, text: str, pattern: Matcher | None) -> str | None:
    """`${x^p}`, `${x^^p}`, `${x,p}`, `${x,,p}`, `${x~p}`, `${x~~p}`; without a pattern each character is meant."""
    if not text.isascii():
        return None
    change = _CASES[operator[0]]
    reach = len(text) if len(operator) == 2 else 1
    if pattern is None:
        return change(text[:reach]) + text[reach:]
    # A pattern is tried on one character at a time.
    chars = [change(char) if pattern.length(char, longest=True) == 1 else char for char in text[:reach]]
    return "".join(chars) + text[reach:]


_CASES: dict[str, Callable[[str], str]] = {"^": str.upper, ",": str.lower, "~": str.swapcase}


def at(letter: str, text: str) -> str | None:
    """`${x@Q}` and the like, of which some evaluate the value again or tell of the variable: those cannot be told."""
    if letter == "Q":
        return "'" + text.replace("'", "'\\''") + "'" if _PLAIN.fullmatch(text) else None
    operator = {"U": "^^", "u": "^", "L": ",,"}.get(letter)
    return change_case(operator, text, None) if operator else None
