"""`((first; test; step))` -> three expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.parser.dollar import read_arithmetic
from limpet.syntax.parser.scan import TWO_PARENS, find_close, find_delimiters

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Word


def read_expressions(reader: Reader) -> tuple[Word, ...] | None:
    """With the reader at `((`; None when it is not closed by `))` or has not three expressions."""
    opened = TWO_PARENS.match(reader.text, reader.pos, reader.end)
    if opened is None:
        return None
    first = opened.end()
    close = find_close(reader, first, "(")
    if close < 0 or reader.text[close + 1 : close + 2] != ")":
        reader.pos = first
        return None
    stops = [*(find_delimiters(reader, first, close, ";") or ()), close]
    if len(stops) != 3:
        reader.pos = close + 2
        return None
    starts = [first, *(stop + 1 for stop in stops)]
    words = tuple(read_arithmetic(reader, start, stop) for start, stop in zip(starts, stops, strict=False))
    reader.pos = close + 2
    return words
