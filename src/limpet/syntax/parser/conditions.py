"""`[[ … ]]` -> its tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.redirects import read_redirects
from limpet.syntax.parser.reserved import operator_here, reserved_here, take_operator, take_reserved
from limpet.syntax.parser.source import JOIN
from limpet.syntax.parser.words import BREAKS, RUN, literal_text, read_pattern_list, read_special, read_word
from limpet.syntax.tree import Literal, Opaque, Term, Test, Word

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Command, Part

_UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset({
    "=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
})  # fmt: skip
_AFTER_OPERATOR = frozenset({"", *BREAKS})
_REGEX_RUN = late(r"[^ \t\n;&()<>\\\"'`$]++")


def read_test(reader: Reader, start: int) -> Command:
    """`[[ … ]]`, with the reader at its beginning."""
    take_reserved(reader, "[[")
    terms: list[Term | Opaque] = []
    depth = 0
    while True:
        depth += _read_openings(reader)
        term = _read_term(reader)
        terms.append(term)
        depth -= _read_closings(reader)
        operator = operator_here(reader)
        if operator not in ("&&", "||") or isinstance(term, Opaque):
            break
        take_operator(reader)
    if depth != 0 or not take_reserved(reader, "]]"):
        terms.append(_give_up(reader, start))
    end, redirects = read_redirects(reader)
    return Test(start, end, tuple(terms), redirects)


def _give_up(reader: Reader, start: int) -> Opaque:
    """Go on behind the next `]]`, or the line, so that what follows is still seen."""
    line = reader.text.find("\n", reader.pos, reader.end)
    line = line if line >= 0 else reader.end
    close = reader.text.find("]]", reader.pos, line)
    reader.pos = close + 2 if close >= 0 else line
    return reader.fault(start, reader.pos, "[[ that is not understood")


def _read_openings(reader: Reader) -> int:
    depth = 0
    while True:
        reader.skip_lines()
        if reader.peek() == "(":
            reader.pos += 1
            depth += 1
        elif not take_reserved(reader, "!"):
            return depth


def _read_closings(reader: Reader) -> int:
    depth = 0
    while True:
        reader.skip_lines()
        if reader.peek() != ")":
            return depth
        reader.pos += 1
        depth += 1


def _at_end(reader: Reader) -> bool:
    return reserved_here(reader) == "]]"


def _read_term(reader: Reader) -> Term | Opaque:
    start = reader.pos
    left = None if _at_end(reader) else read_word(reader)
    if left is None:
        return reader.fault(start, start, "a test is missing")
    spelled = literal_text(left)
    reader.skip_blanks()
    if spelled in _UNARY:
        return _read_unary(reader, left, spelled)
    return _read_binary(reader, left)


def _read_unary(reader: Reader, left: Word, operator: str) -> Term | Opaque:
    operand = None if _at_end(reader) else read_word(reader)
    if operand is None:
        return reader.fault(left.start, reader.pos, f"{operator} without a word")
    return Term(left.start, reader.pos, operator, (operand,))


def _read_binary(reader: Reader, left: Word) -> Term | Opaque:
    operator = _read_operator(reader)
    if operator == "":
        if reader.peek() == "#" or reader.at_line_end():
            return reader.fault(left.start, left.end, "a line that ends after a lone word")
        return Term(left.start, left.end, "", (left,))
    reader.skip_blanks()
    if _at_end(reader):
        return reader.fault(left.start, reader.pos, f"{operator} without a word after it")
    right = _read_regex(reader) if operator == "=~" else _read_right(reader, pattern=operator in ("=", "==", "!="))
    if right is None:
        return reader.fault(left.start, reader.pos, f"{operator} without a word after it")
    return Term(left.start, reader.pos, operator, (left, right))


def _read_operator(reader: Reader) -> str:
    char = reader.peek()
    if char in ("<", ">"):
        reader.pos += 1
        return char
    found = RUN.match(reader.text, reader.pos, reader.end)
    spelled = found[0].replace(JOIN, "") if found is not None else ""
    if found is None or spelled not in _BINARY or reader.text[found.end() : found.end() + 1] not in _AFTER_OPERATOR:
        return ""
    reader.pos = found.end()
    return spelled


def _read_right(reader: Reader, *, pattern: bool) -> Word | None:
    before = reader.extglob
    reader.extglob = before or pattern
    word = read_word(reader)
    reader.extglob = before
    return word


def _read_regex(reader: Reader) -> Word | None:
    """The right side of `=~`, where parentheses and bars are text."""
    start = reader.pos
    parts: list[Part] = []
    while reader.pos < reader.end:
        pos = reader.pos
        found = _REGEX_RUN.match(reader.text, pos, reader.end)
        if found is not None:
            reader.pos = found.end()
            parts.append(Literal(pos, reader.pos, reader.plain(pos, reader.pos)))
        elif reader.text[pos] == "(":
            parts.extend(read_pattern_list(reader))
        elif reader.text[pos] in " \t\n;&)<>":
            break
        else:
            parts.append(read_special(reader))
    return Word(start, reader.pos, tuple(parts)) if reader.pos > start else None
