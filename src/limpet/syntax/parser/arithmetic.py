"""`((first; test; step))` -> three expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.parser.dollar import read_arithmetic
from limpet.syntax.parser.scan import find_close

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Word


def read_expressions(reader: Reader) -> tuple[Word, ...] | None:
    """With the reader at `((`; None when it is not closed by `))` or has not three expressions."""
    first = reader.pos + 2
    close = find_close(reader, first, "(")
    if close < 0 or reader.text[close + 1 : close + 2] != ")":
        reader.pos = first
        return None
    stops = [*_semicolons(reader, first, close), close]
    if len(stops) != 3:
        reader.pos = close + 2
        return None
    starts = [first, *(stop + 1 for stop in stops)]
    words = tuple(read_arithmetic(reader, start, stop) for start, stop in zip(starts, stops, strict=False))
    reader.pos = close + 2
    return words


def _semicolons(reader: Reader, first: int, close: int) -> list[int]:
    """Where the expressions part. Quotes and substitutions with a `;` inside are not worth following here."""
    found: list[int] = []
    pos = reader.text.find(";", first, close)
    while pos >= 0:
        found.append(pos)
        pos = reader.text.find(";", pos + 1, close)
    return found
