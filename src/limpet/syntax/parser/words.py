"""Characters -> a word and its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.bodies import read_body, read_region
from limpet.syntax.parser.quotes import read_dollar_sign, read_double, read_escape, read_single
from limpet.syntax.parser.scan import TWO_PARENS, find_close
from limpet.syntax.parser.source import JOIN
from limpet.syntax.tree import Literal, Substitution, Word

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Part

RUN = late(r"[^ \t\n;&|()<>\\\"'`$]++")
BREAKS = frozenset(" \t\n;&|()<>")
_PROCESS = late(f"[<>]{JOIN}*+\\(")
_EXTENDED = frozenset("?*+@!")


def read_word(reader: Reader) -> Word | None:
    """The word that begins here; None, and nothing read, where no word can begin."""
    start, text = reader.pos, reader.text
    found = RUN.match(text, start, reader.end)
    if found is not None:
        stop = found.end()
        if stop == reader.end or (text[stop] in BREAKS and not goes_on(reader, stop)):
            reader.pos = stop
            return Word(start, stop, (Literal(start, stop, reader.plain(start, stop)),))
    parts = read_parts(reader)
    return Word(start, reader.pos, parts) if reader.pos > start else None


def read_parts(reader: Reader) -> tuple[Part, ...]:
    """Parts up to the next blank or operator."""
    parts: list[Part] = []
    text = reader.text
    while reader.pos < reader.end:
        start = reader.pos
        found = RUN.match(text, start, reader.end)
        if found is not None:
            reader.pos = found.end()
            _add_literal(reader, parts, start)
        elif text[start] in BREAKS:
            if not goes_on(reader, start):
                break
            parts.extend(_read_bracketed(reader))
        else:
            parts.append(read_special(reader))
    return tuple(parts)


def _add_literal(reader: Reader, parts: list[Part], start: int) -> None:
    literal = reader.plain(start, reader.pos)
    if literal:  # nothing but a continuation is no part
        parts.append(Literal(start, reader.pos, literal))


def read_special(reader: Reader) -> Part:
    """What a quote, a backslash, a backtick or a dollar begins outside quotes."""
    char = reader.text[reader.pos]
    if char == "'":
        return read_single(reader)
    if char == '"':
        return read_double(reader, reader.pos)
    if char == "\\":
        return read_escape(reader)
    if char == "`":
        return reader.rules.backtick(reader, False)  # noqa: FBT003 - the seam is a plain callable
    part = reader.rules.dollar(reader, False)  # noqa: FBT003 - the seam is a plain callable
    return part if part is not None else read_dollar_sign(reader)


def goes_on(reader: Reader, pos: int) -> bool:
    """Whether the word goes on at an operator character: `<(…)`, or a pattern such as `@(…)`."""
    char = reader.text[pos]
    if char == "<" or char == ">":
        return _PROCESS.match(reader.text, pos, reader.end) is not None
    return char == "(" and reader.extglob and _ends_with_glob(reader, pos)


def _ends_with_glob(reader: Reader, pos: int) -> bool:
    while pos > 0 and reader.text[pos - 1] == JOIN:
        pos -= 1
    before = reader.text[pos - 2 : pos - 1]
    return pos > 0 and reader.text[pos - 1] in _EXTENDED and before != "\\"


def _read_bracketed(reader: Reader) -> tuple[Part, ...]:
    if reader.text[reader.pos] == "(":
        return read_pattern_list(reader)
    return (read_process(reader),)


def read_process(reader: Reader) -> Part:
    """`<(…)` or `>(…)`."""
    start = reader.pos
    kind = reader.text[start] + "("
    reader.pos = reader.text.index("(", start) + 1
    doubled = TWO_PARENS.match(reader.text, reader.pos - 1, reader.end) is not None
    close = find_close(reader, reader.pos, "(") if doubled else -1
    if doubled and close < 0:
        reader.fault(start, reader.pos, f"{kind}( that does not end")
    if close >= 0:  # `<((` is read like `$((`: up to the parenthesis that matches, whatever stands between
        script = read_region(reader, reader.pos, close)
        reader.pos = close + 1
        return Substitution(start, reader.pos, kind, script)
    body = read_body(reader, reader.pos)
    reader.pos = body.end
    if not body.closed:
        return reader.fault(start, max(body.end, start + 1), f"{kind} that does not end")
    return Substitution(start, body.end, kind, body.script)


def read_pattern_list(reader: Reader) -> tuple[Part, ...]:
    """The `(a|b)` of an extended glob, kept as unquoted text with whatever expands inside it."""
    start = reader.pos
    close = find_close(reader, start + 1, "(")
    if close < 0:
        reader.pos = reader.end
        return (reader.fault(start, reader.end, "a pattern that does not end"),)
    reader.pos += 1
    inside = read_until(reader, close)
    reader.pos = close + 1
    return (Literal(start, start + 1, "("), *inside, Literal(close, close + 1, ")"))


_ANYTHING = late(r"[^\\\"'`$<>]++")


def read_until(reader: Reader, stop: int) -> tuple[Part, ...]:
    """Parts up to a known end, with blanks and operators as plain text."""
    parts: list[Part] = []
    end, reader.end = reader.end, stop
    reader.depth += 1
    while reader.pos < stop:
        start = reader.pos
        found = _ANYTHING.match(reader.text, start, stop)
        if found is not None:
            reader.pos = found.end()
            _add_literal(reader, parts, start)
        elif reader.text[start] not in "<>":
            parts.append(read_special(reader))
        elif _PROCESS.match(reader.text, start, stop):
            parts.append(read_process(reader))
        else:
            reader.pos += 1
            _add_literal(reader, parts, start)
    reader.depth -= 1
    reader.end = end
    return tuple(parts)


def literal_text(word: Word) -> str | None:
    """The text of a word without quotes and expansions, else None."""
    texts = []
    for part in word.parts:
        if not isinstance(part, Literal) or part.quoted:
            return None
        texts.append(part.text)
    return "".join(texts)
