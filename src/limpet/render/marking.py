"""A text and spans of its bytes -> its lines for a terminal, with carets under what the spans cover."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from limpet.output.terminal import spelled
from limpet.render.paint import columns
from limpet.syntax.parser.source import to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_LINES = 10
_LEAST_ROOM = 10


class Line(NamedTuple):
    """One line of the text, safe to show."""

    number: int
    """Counted from 1."""
    text: str
    carets: str
    """As wide as what is marked in `text`; empty when nothing is."""


class _Cell(NamedTuple):
    """A character as it is shown."""

    text: str
    columns: int
    marked: bool


def marked_lines(text: str, spans: Sequence[tuple[int, int]], *, width: int) -> list[Line]:
    """All lines of a short text; of a long one those where a span begins, the first, and others that are marked.

    A line that is wider than `width` is cut on both sides of where its marks begin. Spans may lie anywhere.
    """
    rows = _rows(text, spans)
    return [_line(number, rows[number - 1], max(width, _LEAST_ROOM)) for number in _chosen(rows)]


def slice_bytes(text: str, span: tuple[int, int]) -> str:
    """The part of a text that a span of its bytes covers."""
    if text.isascii():
        return text[span[0] : span[1]]
    return to_bytes(text)[span[0] : span[1]].decode("utf-8", "surrogateescape")


def _rows(text: str, spans: Sequence[tuple[int, int]]) -> list[list[_Cell]]:
    marks = _marks(len(to_bytes(text)) + 1, spans)
    rows: list[list[_Cell]] = [[]]
    for character, at, size in _characters(text):
        if character == "\n":
            rows.append([])
            continue
        shown = " " if character == "\t" else spelled(character)
        rows[-1].append(_Cell(shown, columns(shown), any(marks[at : at + size])))
    return rows if rows[-1] or len(rows) == 1 else rows[:-1]


def _marks(size: int, spans: Sequence[tuple[int, int]]) -> bytearray:
    marks = bytearray(size)
    for start, end in spans:
        first = min(max(start, 0), size - 1)
        last = min(max(end, first), size)
        marks[first:last] = b"\1" * (last - first)
    return marks


def _characters(text: str) -> Iterator[tuple[str, int, int]]:
    """Each with its first byte and how many it has; both ways to write surrogates are those of `to_bytes`."""
    whole = len(to_bytes(text))
    escaped = sum(_size(character, escaped=True) for character in text) == whole
    at = 0
    for character in text:
        size = _size(character, escaped=escaped)
        yield character, at, size
        at += size


def _size(character: str, *, escaped: bool) -> int:
    if character < "\x80" or (escaped and "\udc80" <= character <= "\udcff"):
        return 1
    return 2 if character < "\u0800" else 3 if character < "\U00010000" else 4


def _chosen(rows: list[list[_Cell]]) -> list[int]:
    """Numbers of the lines to show."""
    if len(rows) <= _MOST_LINES:
        return list(range(1, len(rows) + 1))
    marked = [number for number, row in enumerate(rows, 1) if any(cell.marked for cell in row)]
    begun = [number for number in marked if _begins(rows, number)]
    return sorted(list(dict.fromkeys([*begun, 1, *marked]))[:_MOST_LINES])


def _begins(rows: list[list[_Cell]], number: int) -> bool:
    """Whether a span begins in this line rather than going on from the one before."""
    before = rows[number - 2] if number > 1 else []
    gone_on = bool(before) and before[-1].marked
    runs = sum(marked for marked, _ in groupby(rows[number - 1], key=lambda cell: cell.marked))
    return not (gone_on and runs == 1 and rows[number - 1][0].marked)


def _line(number: int, cells: list[_Cell], width: int) -> Line:
    cells = _window(cells, width)
    text = "".join([cell.text for cell in cells]).rstrip(" ")
    carets = "".join([("^" if cell.marked else " ") * cell.columns for cell in cells])
    leading = len(text) - len(text.lstrip(" "))
    carets = " " * leading + carets[leading : columns(text)]
    return Line(number, text, carets.rstrip(" "))


def _window(cells: list[_Cell], width: int) -> list[_Cell]:
    """Only as much of a line as there is room for: its beginning, unless its marks are further on."""
    if sum(cell.columns for cell in cells) <= width:
        return cells
    cut = _Cell("…", 1, marked=False)
    start = _start(cells, width)
    shown, room = ([cut], width - 1) if start else ([], width)
    rest = sum(cell.columns for cell in cells[start:])
    for cell in cells[start:]:
        if cell.columns > room - (rest > room):
            return [*shown, cut]
        room, rest = room - cell.columns, rest - cell.columns
        shown.append(cell)
    return shown


def _start(cells: list[_Cell], width: int) -> int:
    """Where to begin, so that the first mark is seen, with something before it and no room wasted after it."""
    first = next((at for at, cell in enumerate(cells) if cell.marked), 0)
    if sum(cell.columns for cell in cells[:first]) <= width // 2:
        return 0
    start = max(0, first - width // 4)
    room = width - 1 - sum(cell.columns for cell in cells[start:])
    while start and room >= cells[start - 1].columns:
        start -= 1
        room -= cells[start].columns
    return start
