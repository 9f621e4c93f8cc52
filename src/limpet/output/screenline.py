r"""Text with `\r`, backspace and erasing -> the one line of a screen that it draws."""

from __future__ import annotations

from limpet.syntax.late import late

_PIECE = late("\r|\x08|\x1b[012]|[^\r\x08\x1b]+")


class ScreenLine:
    """A line of a screen, one code point to a column.

    `_blank` is a number of columns at the left that are known to be blank: each step costs as much as the text that
    moved the cursor there, so erasing the same long line again and again stays cheap.
    """

    __slots__ = ("_blank", "_cells", "column")

    def __init__(self, text: str = "") -> None:
        self._cells = list(text)
        self._blank = 0
        self.column = len(text)

    def draw(self, text: str) -> None:
        r"""Text in which `\r`, `\b` and ESC 0, 1, 2 (erase to the right, to the left, all) have their meaning."""
        for piece in _PIECE.findall(text):
            self.step(piece)

    def step(self, piece: str) -> None:
        """One control, or text without any."""
        first = piece[0]
        if first == "\r":
            self.column = 0
        elif first == "\x08":
            self.column = max(0, self.column - 1)
        elif first == "\x1b":
            self._erase(piece[1])
        else:
            self._write(piece)

    def text(self) -> str:
        """What the line shows."""
        return "".join(self._cells)

    def _write(self, text: str) -> None:
        end = self.column + len(text)
        self._cells[self.column : end] = text
        self._blank = min(self._blank, self.column)
        self.column = end

    def _erase(self, which: str) -> None:
        if which != "0":
            end = min(self.column + 1, len(self._cells))
            self._cells[self._blank : end] = " " * (end - self._blank)
            self._blank = max(self._blank, end)
        if which != "1":
            del self._cells[self.column :]
            self._blank = min(self._blank, self.column)
