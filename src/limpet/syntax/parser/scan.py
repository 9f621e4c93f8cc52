"""A bracket -> where it ends, skipping what is quoted or nested inside, without reading what it means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.bodies import read_body
from limpet.syntax.parser.source import JOIN

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader

_ANSI_REST = late(r"(?:[^'\\]|\\.)*+", re.DOTALL)
BACKTICK_REST = late(r"(?:[^`\\]|\\.)*+", re.DOTALL)
_IN_DOUBLE = late(r"[\\\"`$]")
_STOPS = {
    "(": late(r"[\\'\"`$()]"),
    "[": late(r"[\\'\"`$\[\]]"),
    "{": late(r"[\\'\"`$}<>]"),
}
_DELIMITED = {
    ";": late(r"[\\'\"`$();]"),
    "": late(r"[\\'\"`$()]"),
}
TWO_PARENS = late(f"\\({JOIN}*+\\(")
_PAREN = late(f"{JOIN}*+\\(")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


def find_close(reader: Reader, pos: int, opened: str) -> int:
    """Where the bracket closes whose inside begins at `pos`, or -1. A `{` inside `${` does not nest."""
    searched = (opened, reader.end)
    if searched in reader.unclosed or reader.too_deep():
        return -1
    known = reader.closed.get((opened, pos), reader.end)
    if known < reader.end:
        return known
    reader.depth += 1
    found = _find_close(reader, pos, opened)
    reader.depth -= 1
    if found < 0:
        reader.unclosed.add(searched)
    else:
        reader.closed[opened, pos] = found
    return found


def _find_close(reader: Reader, pos: int, opened: str) -> int:
    text, end, stops, closer = reader.text, reader.end, _STOPS[opened], _CLOSERS[opened]
    count = 1
    while (found := stops.search(text, pos, end)) is not None:
        char, pos = found[0], found.end()
        if char == closer:
            count -= 1
            if count == 0:
                return pos - 1
        elif char == opened:
            count += 1
        else:
            pos = _skip(reader, pos, char, double=False)
            if pos < 0:
                return -1
    return -1


def find_delimiters(reader: Reader, pos: int, stop: int, delimiter: str) -> list[int] | None:
    """Where a delimiter stands before `stop`, outside quotes and parentheses; None if those do not pair."""
    stops, found, count = _DELIMITED[delimiter], [], 0
    end, reader.end = reader.end, stop
    while pos >= 0 and (match := stops.search(reader.text, pos, stop)) is not None:
        char, pos = match[0], match.end()
        if char in "()":
            count += 1 if char == "(" else -1
            if count < 0:
                break
        elif char == delimiter:
            if count == 0:
                found.append(pos - 1)
        else:
            pos = _skip(reader, pos, char, double=False)
    reader.end = end
    return found if count == 0 and pos >= 0 else None


def _skip(reader: Reader, pos: int, char: str, *, double: bool) -> int:
    """Behind what `char`, which stands just before `pos`, begins; -1 when it does not end."""
    if char == "\\":
        return pos + 1
    if char == "'":
        return _behind(reader, reader.text.find("'", pos, reader.end))
    if char == '"':
        return _skip_double(reader, pos)
    if char == "`":
        return _skip_backtick(reader, pos)
    if char == "$":
        return _skip_dollar(reader, pos, double=double)
    return _skip_process(reader, pos)


def _behind(reader: Reader, found: int) -> int:
    return found + 1 if 0 <= found < reader.end else -1


def _skip_double(reader: Reader, pos: int) -> int:
    while (found := _IN_DOUBLE.search(reader.text, pos, reader.end)) is not None:
        char, pos = found[0], found.end()
        if char == '"':
            return pos
        pos = _skip(reader, pos, char, double=True)
        if pos < 0:
            return -1
    return -1


def _skip_backtick(reader: Reader, pos: int) -> int:
    found = BACKTICK_REST.match(reader.text, pos, reader.end)
    return _behind(reader, found.end()) if found is not None and found.end() < reader.end else -1


def _skip_dollar(reader: Reader, pos: int, *, double: bool) -> int:
    text, end = reader.text, reader.end
    while pos < end and text[pos] == JOIN:
        pos += 1
    char = text[pos] if pos < end else ""
    if char == "'" and not double:
        found = _ANSI_REST.match(text, pos + 1, end)
        return _behind(reader, found.end()) if found is not None and found.end() < end else -1
    if char == "{" or char == "[":
        return _behind(reader, find_close(reader, pos + 1, char))
    if char == "(":
        return _skip_substitution(reader, pos)
    return pos


def _skip_process(reader: Reader, pos: int) -> int:
    opened = _PAREN.match(reader.text, pos, reader.end)
    return _skip_substitution(reader, opened.end() - 1) if opened is not None else pos


def _skip_substitution(reader: Reader, pos: int) -> int:
    """Behind the substitution whose `(` is at `pos`: where it ends, only its grammar can tell."""
    if TWO_PARENS.match(reader.text, pos, reader.end):
        return _behind(reader, find_close(reader, pos + 1, "("))
    body = read_body(reader, pos + 1)
    return body.end if body.closed else -1
