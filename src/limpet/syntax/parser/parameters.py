"""`${…}` -> the parameter, what is done to it, and the words that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.operands import read_operand, split_substring
from limpet.syntax.parser.quotes import read_quoted
from limpet.syntax.parser.scan import find_close
from limpet.syntax.parser.source import JOIN
from limpet.syntax.tree import Parameter, Word

if TYPE_CHECKING:
    import re

    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Part

_SIMPLE = late(r"\{([A-Za-z_][A-Za-z0-9_]*+)\}")
_NAME = f"(?:[A-Za-z_][A-Za-z0-9_{JOIN}]*+|[0-9{JOIN}]++)"
_LENGTH = late(f"#{JOIN}*+({_NAME}|[@*#?$!-])(?={JOIN}*+[}}\\[])")
_PLAIN = late(f"({_NAME}|[@*#?$!-])")
_INDIRECT = late(f"!{JOIN}*+({_NAME}|[@*#?$])")
_NAMES = late(f"!{JOIN}*+({_NAME})[*@](?={JOIN}*+\\}})")
_J = f"{JOIN}*+"
_OPERATOR = late(
    f":{_J}[-=?+]|[-=?+]|#{_J}#|#|%{_J}%|%|/{_J}[/#%]|/|\\^{_J}\\^|\\^|,{_J},|,|~{_J}~|~|@{_J}[A-Za-z](?={_J}\\}})|:"
)
_PATTERN = frozenset("#%/^,~")


def read_braced(reader: Reader, start: int, quoted: bool) -> Part:  # noqa: FBT001 - as its siblings
    """`${…}`, with the reader at the brace."""
    found = _SIMPLE.match(reader.text, reader.pos, reader.end)
    if found is not None:
        reader.pos = found.end()
        return Parameter(start, reader.pos, found[1])
    brace = reader.pos
    reader.pos += 1
    reader.skip_joins()
    part = _read_head(reader, start, quoted=quoted)
    return part if part is not None else _not_understood(reader, start, brace)


def _read_head(reader: Reader, start: int, *, quoted: bool) -> Part | None:
    if (found := _match(reader, _LENGTH)) is not None:
        return _finish(reader, start, _text(found), "length", quoted=quoted)
    if (found := _match(reader, _NAMES)) is not None:
        return _finish(reader, start, _text(found), "names", quoted=quoted)
    if (found := _match(reader, _INDIRECT)) is not None:
        return _finish(reader, start, _text(found), "", quoted=quoted, indirect=True)
    if (found := _match(reader, _PLAIN)) is not None:
        return _finish(reader, start, _text(found), "", quoted=quoted)
    return None


def _match(reader: Reader, pattern: re.Pattern[str]) -> str | None:
    found = pattern.match(reader.text, reader.pos, reader.end)
    if found is None:
        return None
    reader.pos = found.end()
    reader.skip_joins()
    return found[1]


def _text(found: str) -> str:
    return found.replace(JOIN, "")


def _finish(
    reader: Reader, start: int, name: str, operator: str, *, quoted: bool, indirect: bool = False
) -> Part | None:
    """The subscript, the operator and its operands, up to the closing brace."""
    subscript = None
    if reader.peek() == "[":
        subscript = _read_braced_subscript(reader, start)
        if subscript is None:
            return None
    operands: tuple[Word, ...] = ()
    if not operator and reader.peek() != "}":
        found = _OPERATOR.match(reader.text, reader.pos, reader.end)
        if found is None:
            return None
        operator, reader.pos = _text(found[0]), found.end()
        reader.skip_joins()
        operands = _read_operands(reader, operator, quoted=quoted)
    if reader.peek() != "}":
        return None
    reader.pos += 1
    return Parameter(start, reader.pos, name, operator, operands, subscript, indirect)


def _read_braced_subscript(reader: Reader, start: int) -> Word | None:
    """`[…]` inside `${…}`, which the first closing brace ends, wherever the bracket does."""
    close = find_close(reader, reader.text.index("{", start) + 1, "{")
    if close < 0:
        return None
    end, reader.end = reader.end, close
    subscript = read_subscript(reader)
    reader.end = end
    return subscript


def _read_operands(reader: Reader, operator: str, *, quoted: bool) -> tuple[Word, ...]:
    if operator[0] == "@":
        return ()
    pattern = operator[0] in _PATTERN
    if operator[0] == "/":
        first = read_operand(reader, "/", quoted=quoted, pattern=pattern)
        if reader.peek() != "/":
            return (first,)
        reader.pos += 1
        return (first, read_operand(reader, "", quoted=quoted, pattern=pattern))
    if operator == ":":
        return split_substring(read_operand(reader, "", quoted=True, pattern=False))
    return (read_operand(reader, "", quoted=quoted, pattern=pattern),)


def read_subscript(reader: Reader) -> Word | None:
    """`[…]`: arithmetic or a key; which of them, only the run knows."""
    first = reader.pos + 1
    close = find_close(reader, first, "[")
    if close < 0:
        return None
    subscript = read_between(reader, first, close)
    reader.pos = close + 1
    reader.skip_joins()
    return subscript


def read_between(reader: Reader, first: int, stop: int) -> Word:
    """A subscript between two known places."""
    end, reader.end, reader.pos = reader.end, stop, first
    parts = read_quoted(reader, "(")
    reader.end = end
    return Word(first, stop, parts)


def _not_understood(reader: Reader, start: int, brace: int) -> Part:
    """What bash calls a bad substitution when it comes to it, or text that ends too early."""
    close = find_close(reader, brace + 1, "{")
    reader.pos = close + 1 if close >= 0 else reader.end
    return reader.fault(start, reader.pos, "${ that is not understood" if close >= 0 else "${ that does not end")
