"""What a command drew on its terminal -> the screen as text. Needs the extra `screen`, which brings pyte."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Any

from limpet.errors import ScreenUnavailableError
from limpet.model.terminal import Terminal, checked
from limpet.output.guard import Guard

if TYPE_CHECKING:
    from limpet.model.terminal import Terminal as Size


_SWITCH = re.compile(r"\x1b\[\?(?:47|1047|1049)([hl])")


class Screen:
    """A screen that is drawn on from memory: `feed` what came, `text` is what a person would see there."""

    def __init__(self, rows: int = 24, columns: int = 80) -> None:
        """Raises InvalidRequestError for a size that none has, ScreenUnavailableError where pyte is not installed."""
        size = checked(Terminal(rows=rows, columns=columns))
        self._pyte = _pyte()
        self._screen = self._pyte.Screen(size.columns, size.rows)
        self._stream = self._pyte.Stream(self._screen)
        self._main = self._screen
        """What comes back when a program leaves the alternate screen."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._guard = Guard()

    @property
    def size(self) -> Size:
        """Rows and columns."""
        return Terminal(rows=self._screen.lines, columns=self._screen.columns)

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column, counted from 0."""
        return self._screen.cursor.y, min(self._screen.cursor.x, self._screen.columns - 1)

    def feed(self, data: bytes | str) -> None:
        """More was drawn."""
        text = self._decoder.decode(data) if isinstance(data, bytes) else data
        drawn, *rest = _SWITCH.split(self._guard.feed(text))  # what reaches out of a terminal draws nothing
        self._stream.feed(drawn)
        for how, more in zip(rest[::2], rest[1::2], strict=True):
            self._switch(alternate=how == "h")
            self._stream.feed(more)

    def _switch(self, *, alternate: bool) -> None:
        if alternate and self._screen is self._main:
            self._screen = self._pyte.Screen(self._main.columns, self._main.lines)
        elif not alternate:
            self._screen = self._main
        self._stream = self._pyte.Stream(self._screen)

    def resize(self, rows: int, columns: int) -> None:
        """It is of another size now."""
        size = checked(Terminal(rows=rows, columns=columns))
        for screen in {self._screen, self._main}:
            screen.resize(size.rows, size.columns)
            screen.cursor.y = min(screen.cursor.y, size.rows - 1)  # it would stay outside
            screen.cursor.x = min(screen.cursor.x, size.columns - 1)

    def lines(self) -> list[str]:
        """Every row, without the blanks at its end."""
        columns = range(self._screen.columns)
        rows = (self._screen.buffer[row] for row in range(self._screen.lines))
        return ["".join([row[column].data for column in columns]).rstrip() for row in rows]

    def text(self) -> str:
        """The rows up to the last that is not blank."""
        return "\n".join(self.lines()).rstrip("\n")


def _pyte() -> Any:
    try:
        import pyte  # noqa: PLC0415 - an extra
    except ImportError:
        raise ScreenUnavailableError(
            "the screen as text needs pyte, which is not installed: pip install 'limpet[screen]'"
        ) from None
    return pyte
