"""`name=value` -> an assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.parameters import read_between
from limpet.syntax.parser.scan import find_close
from limpet.syntax.parser.source import JOIN
from limpet.syntax.parser.words import read_parts, read_until, read_word
from limpet.syntax.tree import Array, Assignment, Element, Word

if TYPE_CHECKING:
    import re

    from limpet.syntax.parser.reader import Reader

_NAMED = late(f"([A-Za-z_][A-Za-z0-9_{JOIN}]*+)(\\+{JOIN}*+=|=|\\[)")
_NAMED_BRACKET = late(f"[A-Za-z_][A-Za-z0-9_{JOIN}]*+\\[")
_EQUALS = late(f"{JOIN}*+(\\+{JOIN}*+=|=)")


def read_assignment(reader: Reader) -> Assignment | None:
    """The assignment that begins here; None, and nothing read, where none does."""
    start = reader.pos
    found = _NAMED.match(reader.text, start, reader.end)
    if found is None:
        return None
    subscript = None
    equals = found
    if found[2] == "[":
        close, behind = _find_equals(reader, found.end())
        if behind is None:
            return None
        equals = behind
        subscript = read_between(reader, found.end(), close)
    reader.pos = equals.end()
    value = read_value(reader)
    name, append = found[1].replace(JOIN, ""), "+" in equals[equals.lastindex or 0]
    return Assignment(start, reader.pos, name, value, subscript, append)


def _find_equals(reader: Reader, first: int) -> tuple[int, re.Match[str] | None]:
    """Where the bracket closes that opens just before `first`, and the `=` behind it."""
    close = find_close(reader, first, "[")
    return close, _EQUALS.match(reader.text, close + 1, reader.end) if close >= 0 else None


def read_named_bracket(reader: Reader) -> Word | None:
    """A word at the place of a command that begins with `name[…]` and does not assign."""
    found = _NAMED_BRACKET.match(reader.text, reader.pos, reader.end)
    return _read_bracketed(reader, found.end()) if found is not None else None


def _read_bracketed(reader: Reader, first: int) -> Word | None:
    """A word whose bracket opens just before `first`: blanks inside it belong to the word."""
    start = reader.pos
    close = find_close(reader, first, "[")
    if close < 0:
        reader.fault(start, reader.end, "[ that does not end")
        return None
    before = read_until(reader, first)
    inside = read_until(reader, close + 1)
    parts = (*before, *inside, *read_parts(reader))
    return Word(start, reader.pos, parts)


def read_value(reader: Reader) -> Word | Array:
    """What is assigned: a word, nothing, or an array."""
    reader.skip_joins()
    return read_array(reader) if reader.peek() == "(" else _word(reader)


def _word(reader: Reader) -> Word:
    start = reader.pos
    return read_word(reader) or Word(start, start, ())


def read_array(reader: Reader) -> Array:
    """`(…)` over as many lines as it likes."""
    start = reader.pos
    reader.pos += 1
    elements: list[Element] = []
    while True:
        reader.skip_lines()
        if reader.peek() == ")":
            reader.pos += 1
            return Array(start, reader.pos, tuple(elements))
        element = _read_element(reader)
        if element is None:
            reader.fault(start, reader.pos, "an array that does not end")
            return Array(start, reader.pos, tuple(elements))
        elements.append(element)


def _read_element(reader: Reader) -> Element | None:
    start = reader.pos
    if reader.peek() != "[":
        word = read_word(reader)
        return Element(start, reader.pos, word) if word is not None else None
    close, equals = _find_equals(reader, start + 1)
    if equals is None:
        word = _read_bracketed(reader, start + 1) or read_word(reader)
        return Element(start, reader.pos, word) if word is not None else None
    subscript = read_between(reader, start + 1, close)
    reader.pos = equals.end()
    value = _word(reader)
    return Element(start, reader.pos, value, subscript, "+" in equals[1])
