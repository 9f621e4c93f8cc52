"""The lines after a command -> the bodies of its heredocs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.syntax.late import late
from limpet.syntax.parser.derived import read_derived
from limpet.syntax.parser.quotes import read_quoted
from limpet.syntax.parser.source import JOIN, decode, joined, unmark
from limpet.syntax.tree import Double, Literal, Word

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Part, Redirect

_LINES = late(r"[^\n]*+\n|[^\n]++")


def read_bodies(reader: Reader) -> None:
    """Read the bodies of all heredocs that wait for one, in order."""
    waiting, reader.pending = reader.pending, []
    for heredoc in waiting:
        body = _read_body(reader, heredoc)
        msgspec.structs.force_setattr(heredoc, "body", body)  # nobody else has seen the redirection yet


def _read_body(reader: Reader, heredoc: Redirect) -> Word:
    word = heredoc.target.parts[0]
    assert isinstance(word, Literal)
    strip, first = heredoc.operator == "<<-", reader.pos
    end_line = word.text.encode("utf-8", "surrogateescape").decode("latin-1")
    stop, after = _find_end(reader, end_line, quoted=word.quoted, strip=strip)
    read = _read_text if word.quoted else _read_expanding
    parts = read(reader, first, stop, strip=strip)
    if stop > first and stop == reader.end and reader.text[stop - 1] != "\n":
        parts = (*parts, Literal(stop, stop, "\n", quoted=True))  # the last line of the text ends, too
    reader.pos = after
    return Word(first, stop, parts)


def delimiter(reader: Reader, word: Word) -> Word:
    """The line that ends a heredoc: the word with quotes removed and nothing expanded."""
    text = decode("".join(_without_quotes(reader, part) for part in word.parts))
    return Word(word.start, word.end, (Literal(word.start, word.end, text, _is_quoted(word)),))


def _is_quoted(word: Word) -> bool:
    """Whether any part of it is quoted: then the body is just text."""
    return any(isinstance(part, Double) or (isinstance(part, Literal) and part.quoted) for part in word.parts)


def _without_quotes(reader: Reader, part: Part) -> str:
    """The text of a part, one character a byte."""
    if isinstance(part, Literal):
        return part.text.encode("utf-8", "surrogateescape").decode("latin-1")
    if isinstance(part, Double):
        return "".join(_without_quotes(reader, each) for each in part.parts)
    return joined(reader.text[part.start : part.end])


def _find_end(reader: Reader, end_line: str, *, quoted: bool, strip: bool) -> tuple[int, int]:
    """Where the body ends, and where the text goes on behind the line that ends it."""
    start = reader.pos
    while start < reader.end:
        stop = _line_end(reader, start, quoted=quoted)
        marked = stop < reader.end and reader.text[stop] == JOIN
        line = reader.text[start:stop] + "\\" * marked
        line = line if quoted else joined(line)
        line = line.lstrip("\t") if strip else line
        if line == end_line:
            return start, min(stop + 1, reader.end)
        if reader.in_substitution and line.startswith(end_line) and ")" in line[len(end_line) :]:
            return start, stop - len(line) + len(end_line)  # the parenthesis may stand on the line that ends it
        start = stop + 1 + marked
    return reader.end, reader.end


def _line_end(reader: Reader, start: int, *, quoted: bool) -> int:
    """Where the line ends. A quoted body is read as it stands, so a backslash does not join its lines."""
    stop = reader.text.find("\n", start, reader.end)
    stop = stop if stop >= 0 else reader.end
    mark = reader.text.find(JOIN, start, stop) if quoted else -1
    return mark if mark >= 0 else stop


def _read_text(reader: Reader, first: int, stop: int, *, strip: bool) -> tuple[Part, ...]:
    text = reader.raw(first, stop)
    if strip:
        text = "".join(line.lstrip("\t") for line in _LINES.findall(text))
    return (Literal(first, stop, text, quoted=True),) if text else ()


def _read_expanding(reader: Reader, first: int, stop: int, *, strip: bool) -> tuple[Part, ...]:
    text = reader.text[first:stop]
    if strip and "\t" in text:
        return _read_stripped(reader, first, text)
    end, reader.end, reader.pos = reader.end, stop, first
    parts = _read_parts(reader)
    reader.end = end
    return parts


def _read_parts(reader: Reader) -> tuple[Part, ...]:
    before, reader.in_heredoc = reader.in_heredoc, True
    parts = read_quoted(reader, "")
    reader.in_heredoc = before
    return parts


def _read_stripped(reader: Reader, first: int, text: str) -> tuple[Part, ...]:
    kept: list[int] = []
    start = 0
    for line in _LINES.findall(text):
        kept.extend(range(start + len(line) - len(line.lstrip(f"\t{JOIN}")), start + len(line)))
        start += len(line)
    offsets = [first + index for index in (*kept, len(text))]
    changed = unmark("".join(text[index] for index in kept))
    return read_derived(reader, changed, offsets, _read_parts)
