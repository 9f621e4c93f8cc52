"""What a dollar sign begins -> a part of a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.bodies import read_body, read_region
from limpet.syntax.parser.parameters import read_braced
from limpet.syntax.parser.quotes import read_ansi, read_double, read_quoted
from limpet.syntax.parser.scan import find_close, find_delimiters
from limpet.syntax.parser.source import JOIN
from limpet.syntax.tree import Arithmetic, Parameter, Substitution, Word

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Part

_DOLLAR = late(f"\\${JOIN}*+(?:([A-Za-z_][A-Za-z0-9_{JOIN}]*+)|([0-9@*#?$!-])|(\\()|(\\{{)|(\\[)|(['\"]))")
_NAME, _SPECIAL, _PAREN, _BRACE, _BRACKET, _QUOTE = range(1, 7)


def read_dollar(reader: Reader, quoted: bool) -> Part | None:  # noqa: FBT001 - called through the rules
    """The expansion or quote that begins at this `$`; None when it is just a dollar."""
    start = reader.pos
    found = _DOLLAR.match(reader.text, start, reader.end)
    kind = found.lastindex if found is not None else None
    if found is None or kind is None:
        return None
    if kind <= _SPECIAL:
        reader.pos = found.end()
        return Parameter(start, reader.pos, found[kind].replace(JOIN, ""))
    reader.pos = found.end() - 1  # at the bracket
    if kind == _QUOTE:
        return _read_quote(reader, start, quoted=quoted)
    if reader.too_deep():
        reader.pos = found.end()
        return reader.fault(start, reader.pos, "nested too deep")
    reader.depth += 1
    part = _BRACKETS[kind](reader, start, quoted)
    reader.depth -= 1
    return part


def _read_quote(reader: Reader, start: int, *, quoted: bool) -> Part | None:
    if quoted:
        reader.pos = start
        return None
    if reader.peek() == '"':
        return read_double(reader, start)
    return read_ansi(reader, start)


def _read_paren(reader: Reader, start: int, quoted: bool) -> Part:  # noqa: ARG001, FBT001 - as its siblings
    reader.pos += 1
    inner = reader.pos
    reader.skip_joins()
    if reader.peek() == "(":
        return _read_double_paren(reader, start, inner)
    return _read_substitution(reader, start, inner)


def _read_substitution(reader: Reader, start: int, inner: int) -> Part:
    body = read_body(reader, inner)
    reader.pos = body.end
    if not body.closed:
        reader.fault(start, max(body.end, inner), "$( that does not end")
    return Substitution(start, max(body.end, inner), "$(", body.script)


def _read_double_paren(reader: Reader, start: int, inner: int) -> Part:
    """`$((…))` is arithmetic when the inner parentheses are a pair, else a substitution that begins with a subshell."""
    close = find_close(reader, inner, "(")
    if close < 0:
        reader.fault(start, inner, "$(( that does not end")
        return _read_substitution(reader, start, inner)
    first = reader.pos + 1
    last = close - 1
    while reader.text[last] == JOIN:
        last -= 1
    if reader.text[last] == ")" and last >= first and find_delimiters(reader, first, last, "") is not None:
        expression = read_arithmetic(reader, first, last)
        reader.pos = close + 1
        return Arithmetic(start, close + 1, expression)
    script = read_region(reader, inner, close)
    reader.pos = close + 1
    return Substitution(start, close + 1, "$(", script)


def read_arithmetic(reader: Reader, first: int, stop: int) -> Word:
    """An arithmetic expression between two known places: text with expansions in it."""
    end, before = reader.end, reader.pos
    reader.pos, reader.end = first, stop
    parts = read_quoted(reader, "(")
    reader.pos, reader.end = before, end
    return Word(first, stop, parts)


def _read_bracket(reader: Reader, start: int, quoted: bool) -> Part:  # noqa: ARG001, FBT001 - as its siblings
    close = find_close(reader, reader.pos + 1, "[")
    if close < 0:
        reader.pos = reader.end
        return reader.fault(start, reader.end, "$[ that does not end")
    expression = read_arithmetic(reader, reader.pos + 1, close)
    reader.pos = close + 1
    return Arithmetic(start, close + 1, expression)


_BRACKETS = {_PAREN: _read_paren, _BRACE: read_braced, _BRACKET: _read_bracket}
