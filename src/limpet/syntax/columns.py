"""A line of Markdown -> the same line, read column by column from the left, where a tab reaches to the next stop."""

from __future__ import annotations

import re

_SPACE = re.compile(r"[ \t]*")
_TAB = 4


class Line:
    """A line and how far it has been read. A tab may be read in part; the rest of it counts as spaces."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._pos = 0
        self._column = 0
        self._spare = 0  # columns of a tab before `_pos` that have not been read
        self._measure()

    @property
    def blank(self) -> bool:
        """Whether nothing but space is left."""
        return self.start == len(self.text)

    def rest(self) -> str:
        """What has not been read."""
        return " " * self._spare + self.text[self._pos :]

    def read(self, count: int) -> None:
        """Read the space that comes next and `count` characters after it, none of them a tab."""
        self._column += self.indent + count
        self._pos = self.start + count
        self._spare = 0
        self._measure()

    def skip(self, columns: int) -> None:
        """Read up to that many columns of space, and nothing else."""
        columns = min(columns, self.indent)
        self.indent -= columns
        self._column += columns
        while columns > self._spare:
            columns -= self._spare
            self._spare = self._width(self._column - columns)
            self._pos += 1
        self._spare -= columns

    def _width(self, column: int) -> int:
        return _TAB - column % _TAB if self.text[self._pos] == "\t" else 1

    def _measure(self) -> None:
        found = _SPACE.match(self.text, self._pos)
        self.start = found.end() if found else self._pos
        """Where the next character that is not space stands."""
        column = self._column
        for char in self.text[self._pos : self.start]:
            column += _TAB - column % _TAB if char == "\t" else 1
        self.indent = column - self._column
        """Columns of space that come next."""
