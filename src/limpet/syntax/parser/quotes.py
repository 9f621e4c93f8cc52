"""Quoted text -> the characters it stands for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.derived import read_derived
from limpet.syntax.parser.source import JOIN, decode, unmark
from limpet.syntax.tree import Double, Literal, Opaque

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Part

_ANSI_REST = late(r"(?:[^'\\]|\\.)*+", re.DOTALL)
_ANSI = late(
    r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|x\{([0-9A-Fa-f]*)\}?|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})"
    r"|c(\\\\|.)|(.))",
    re.DOTALL,
)
_NAMED = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_DOUBLE_RUN = late(r"[^\\\"`$]++")
_RUNS = {'"': _DOUBLE_RUN, "": late(r"[^\\`$]++"), "(": late(r"[^\\\"'`$]++")}
_ESCAPED = late(r"\\([\x80-\xff]++|.)", re.DOTALL)
_SPECIAL = "$`\\"
_ALIVE = late(r"[$`\\'\"}]")
ANSI_START = late(f"\\${JOIN}*+'")


def read_single(reader: Reader) -> Part:
    """`'…'`."""
    start = reader.pos
    close = reader.text.find("'", start + 1, reader.end)
    if close < 0:
        return _unclosed(reader, start, "a single quote that does not end")
    reader.pos = close + 1
    return Literal(start, close + 1, reader.raw(start + 1, close), quoted=True)


def read_ansi(reader: Reader, start: int) -> Part:
    """`$'…'`, with the reader at the quote and `start` at the dollar."""
    found = _ANSI_REST.match(reader.text, reader.pos + 1, reader.end)
    if found is None or found.end() >= reader.end:
        return _unclosed(reader, start, "a quote that does not end")
    reader.pos = found.end() + 1
    return Literal(start, reader.pos, ansi(unmark(found[0])), quoted=True)


def ansi(text: str) -> str:
    r"""What `\n`, `\x41`, `\101`, `\u20ac`, `\cA` spell; a NUL ends it. The text is one character a byte."""
    spelt = _ANSI.sub(_spell, text)
    return decode(spelt.split("\0", 1)[0])


def _spell(found: re.Match[str]) -> str:
    octal, hexadecimal, braced, short, long, control, other = found.groups()
    if octal is not None:
        return chr(int(octal, 8) & 0xFF)
    if hexadecimal is not None:
        return chr(int(hexadecimal, 16))
    if braced is not None:
        return chr(int(braced, 16) & 0xFF) if braced else "\0"
    if short is not None or long is not None:
        return _unicode(int(short or long, 16))
    if control is not None:
        return _control(control)
    return _NAMED.get(other, "\\" + other)


def _control(char: str) -> str:
    if char[0] == "?":
        return "\x7f"
    return chr(ord(char[0].upper() if char[0].isascii() else char[0]) & 0x1F)


def _unicode(number: int) -> str:
    """The bytes of a character in UTF-8, also of those that Unicode does not have."""
    if number < 0x80:
        return chr(number)
    length = next((size for size, top in ((2, 0x800), (3, 0x10000), (4, 0x200000), (5, 0x4000000)) if number < top), 6)
    if number > 0x7FFFFFFF:
        return ""
    rest = [0x80 | (number >> (6 * shift)) & 0x3F for shift in reversed(range(length - 1))]
    first = (0xFF << (8 - length)) & 0xFF | number >> (6 * (length - 1))
    return bytes([first, *rest]).decode("latin-1")


def read_double(reader: Reader, start: int) -> Part:
    """`"…"`, with the reader at the quote; `start` is at the dollar of `$"…"`."""
    reader.pos += 1
    parts = read_quoted(reader, '"')
    if reader.peek() != '"':
        parts = (*parts, reader.fault(start, reader.pos, "a double quote that does not end"))
    else:
        reader.pos += 1
    return Double(start, reader.pos, parts)


def read_quoted(reader: Reader, stop: str) -> tuple[Part, ...]:
    """What stands up to the closing `stop`, or, when that is nothing, up to the end, expanded as in double quotes.

    With `(` it is arithmetic up to the end, where double quotes come in pairs that mean nothing.
    """
    parts: list[Part] = []
    run, text = _RUNS[stop], reader.text
    while reader.pos < reader.end:
        start = reader.pos
        found = run.match(text, start, reader.end)
        if found is not None:
            reader.pos = found.end()
            _add(parts, start, reader.pos, reader.plain(start, reader.pos))
            continue
        char = text[start]
        if char == '"' and stop == '"':
            break
        if stop == "(" and not reader.in_heredoc and (char == "'" or char == "$"):
            parts.extend(_read_in_arithmetic(reader, char))
        else:
            parts.append(_read_special(reader, char, stop))
    return tuple(parts)


def _add(parts: list[Part], start: int, end: int, text: str) -> None:
    if text:  # nothing but a continuation is no part
        parts.append(Literal(start, end, text, quoted=True))


def _read_in_arithmetic(reader: Reader, char: str) -> tuple[Part, ...]:
    """Single quotes pair, but what stands in them is expanded all the same, after `$'…'` was decoded."""
    if char == "'":
        return read_powerless(reader)
    found = ANSI_START.match(reader.text, reader.pos, reader.end)
    if found is None:
        return (_read_special(reader, char, "("),)
    start, reader.pos = reader.pos, found.end() - 1
    return read_decoded(reader, start, arithmetic=True)


def read_powerless(reader: Reader) -> tuple[Part, ...]:
    """`'…'` in `"${x:-'…'}"`: what closes outside does not inside, but the quotes stay and `$` still expands."""
    start = reader.pos
    close = reader.text.find("'", start + 1, reader.end)
    if close < 0:
        return (_unclosed(reader, start, "a single quote that does not end"),)
    end, reader.end, reader.pos = reader.end, close, start + 1
    inside = read_quoted(reader, "")
    reader.end, reader.pos = end, close + 1
    return (Literal(start, start + 1, "'", quoted=True), *inside, Literal(close, close + 1, "'", quoted=True))


def read_decoded(reader: Reader, start: int, *, arithmetic: bool = False) -> tuple[Part, ...]:
    """`$'…'` where bash decodes it first and then expands what came out, `$(…)` and all.

    In arithmetic what came out has single quotes around it, or not, depending on what it stands in.
    """
    part = read_ansi(reader, start)
    if not isinstance(part, Literal) or not (arithmetic or _ALIVE.search(part.text)):
        return (part,)
    text = part.text.encode("utf-8", "surrogateescape").decode("latin-1")
    offsets = [*[part.start] * len(text), part.end]
    parts = read_derived(reader, text, offsets, lambda inner: read_quoted(inner, ""))
    return (*parts, reader.fault(part.start, part.end, "text that is decoded and then expanded"))


def _read_special(reader: Reader, char: str, stop: str) -> Part:
    if char == "\\":
        return read_quoted_escape(reader, _SPECIAL + '"' if stop else _SPECIAL)
    if char == "`":
        return reader.rules.backtick(reader, stop == '"')
    if char == '"':
        return read_double(reader, reader.pos)
    part = reader.rules.dollar(reader, True)  # noqa: FBT003 - the seam is a plain callable
    return part if part is not None else read_dollar_sign(reader)


def read_quoted_escape(reader: Reader, special: str) -> Part:
    """A backslash inside double quotes: it quotes few characters and stands for itself before the others."""
    start = reader.pos
    found = _ESCAPED.match(reader.text, start, reader.end)
    if found is None:
        reader.pos = start + 1
        return Literal(start, start + 1, "\\", quoted=True)
    reader.pos = found.end()
    text = found[1] if found[1] in special else "\\" + decode(found[1])
    return Literal(start, reader.pos, text, quoted=True)


def read_escape(reader: Reader) -> Literal:
    """A backslash outside quotes: the next character is just text."""
    start = reader.pos
    found = _ESCAPED.match(reader.text, start, reader.end)
    if found is None:  # the very last character
        reader.pos = start + 1
        return Literal(start, start + 1, "\\", quoted=True)
    reader.pos = found.end()
    return Literal(start, reader.pos, decode(found[1]), quoted=True)


def read_dollar_sign(reader: Reader) -> Literal:
    """A `$` that begins nothing."""
    reader.pos += 1
    return Literal(reader.pos - 1, reader.pos, "$", quoted=True)


def _unclosed(reader: Reader, start: int, reason: str) -> Opaque:
    reader.pos = reader.end
    return reader.fault(start, reader.end, reason)
