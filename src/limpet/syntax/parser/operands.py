"""The word after the operator in `${name operator word}` -> its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.quotes import (
    ANSI_START,
    read_ansi,
    read_decoded,
    read_dollar_sign,
    read_double,
    read_powerless,
    read_quoted_escape,
)
from limpet.syntax.parser.source import JOIN
from limpet.syntax.parser.words import read_process, read_special
from limpet.syntax.tree import Literal, Word

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Part

_RUNS = {
    "": late(r"[^\\\"'`$<>}]++"),
    "/": late(r"[^\\\"'`$<>}/]++"),
}
_IN_SUBSTRING = late(r"[()?:]")
_PROCESS = late(f"[<>]{JOIN}*+\\(")
_TRANSLATED = late(f'\\${JOIN}*+"')


def read_operand(reader: Reader, stop: str, *, quoted: bool, pattern: bool) -> Word:
    """Up to the closing brace, or to `stop`. Inside double quotes only patterns have single quotes of their own."""
    start = reader.pos
    parts: list[Part] = []
    run = _RUNS[stop]
    while reader.pos < reader.end:
        found = run.match(reader.text, reader.pos, reader.end)
        if found is not None:
            _add(reader, parts, found.end(), quoted=quoted)
            continue
        char = reader.text[reader.pos]
        if char == "}" or char == stop:
            break
        if char in "<>" and (not _PROCESS.match(reader.text, reader.pos, reader.end)):
            _add(reader, parts, reader.pos + 1, quoted=quoted)
        else:
            parts.extend(_read_special(reader, char, quoted=quoted, pattern=pattern))
    return Word(start, reader.pos, tuple(parts))


def _add(reader: Reader, parts: list[Part], end: int, *, quoted: bool) -> None:
    text = reader.plain(reader.pos, end)
    if text:
        parts.append(Literal(reader.pos, end, text, quoted))
    reader.pos = end


def _read_special(reader: Reader, char: str, *, quoted: bool, pattern: bool) -> tuple[Part, ...]:
    if char in "<>":
        return _read_process(reader, quoted=quoted)
    if not quoted:
        return (read_special(reader),)
    if char == "'" and not pattern:
        return read_powerless(reader)
    if char == "'":
        return (read_special(reader),)
    if char == "\\":
        return (read_quoted_escape(reader, '$`\\"}'),)
    if char == '"':
        return (read_double(reader, reader.pos),)
    if char == "`":
        return (reader.rules.backtick(reader, True),)  # noqa: FBT003 - the seam is a plain callable
    return _read_dollar(reader, pattern=pattern)


def _read_dollar(reader: Reader, *, pattern: bool) -> tuple[Part, ...]:
    start = reader.pos
    found = ANSI_START.match(reader.text, start, reader.end)
    if found is not None and (pattern or not reader.in_heredoc):
        reader.pos = found.end() - 1
        return _read_pattern_quote(reader, start) if pattern else read_decoded(reader, start)
    found = _TRANSLATED.match(reader.text, start, reader.end)
    if found is not None and (pattern or reader.in_heredoc):
        reader.pos = found.end() - 1
        part = read_double(reader, start)
        return (part,) if pattern else (part, reader.fault(start, part.end, "a translated text in a heredoc"))
    other = reader.rules.dollar(reader, True)  # noqa: FBT003 - the seam is a plain callable
    return (other if other is not None else read_dollar_sign(reader),)


def _read_pattern_quote(reader: Reader, start: int) -> tuple[Part, ...]:
    """`$'…'` in a pattern: bash puts single quotes around what it decoded, which a quote among that would end."""
    part = read_ansi(reader, start)
    if isinstance(part, Literal) and "'" in part.text:
        return (part, reader.fault(part.start, part.end, "a decoded quote inside a quoted pattern"))
    return (part,)


def _read_process(reader: Reader, *, quoted: bool) -> tuple[Part, ...]:
    """`<(…)`: inside double quotes it ends where its commands end, and yet it is text; rare enough to leave alone."""
    part = read_process(reader)
    if not quoted:
        return (part,)
    return (part, reader.fault(part.start, part.end, "a process substitution inside double quotes"))


def split_substring(operand: Word) -> tuple[Word, ...]:
    """Offset and length of `${x:offset:length}`; a colon in parentheses or after a `?` does not part them."""
    depth = choices = 0
    for index, part in enumerate(operand.parts):
        for found in _IN_SUBSTRING.finditer(part.text if isinstance(part, Literal) else ""):
            char = found[0]
            depth += (char == "(") - (char == ")")
            if depth == 0 and char == ":" and choices == 0 and isinstance(part, Literal):
                return _split_at(operand, index, part, found.start())
            choices += (char == "?") - (char == ":")
    return (operand,)


def _split_at(operand: Word, index: int, part: Literal, at: int) -> tuple[Word, Word]:
    before, after = part.text[:at], part.text[at + 1 :]
    middle = min(part.start + len(before.encode("utf-8", "surrogateescape")), part.end - 1)
    left = (*operand.parts[:index], Literal(part.start, middle, before, part.quoted))
    right = (Literal(middle + 1, part.end, after, part.quoted), *operand.parts[index + 1 :])
    return Word(operand.start, middle, left), Word(middle + 1, operand.end, right)
