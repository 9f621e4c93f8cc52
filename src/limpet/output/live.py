"""Text as it is printed, piece by piece -> the same, safe to pass on to a person's terminal at once."""

from __future__ import annotations

from limpet.output.screenline import ScreenLine
from limpet.output.terminal import CONTROL, mark_hidden, plain
from limpet.syntax.late import late

WIDEST = 4096
"""A line that is redrawn past this column is no progress bar; it is passed on as it is."""

_PIECE = late("\n|\r|\x08|\x1b[012]|[^\n\r\x08\x1b]+")
# The start of a sequence whose end has not come. Only what tells the rest of it apart is remembered.
_UNFINISHED = late(
    r"(?:(?P<csi>\x1b\[|\x9b)(?P<args>[0-?]*+)(?P<between>[ -/]*+)"
    r"|(?P<string>\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\n\x07\x18\x1a\x1b\x80-\x9f]*+(?P<ending>\x1b?)"
    r"|(?P<escape>\x1b[ -/]?)[ -/]*+)\Z"
)


class VisibleStream:
    r"""`visible` for text that comes in pieces; how it is cut into pieces makes no difference to what comes out.

    Nothing that moves the cursor is passed on, `\r` neither: a line may have something else on it than what the command
    wrote. The first state of a line that is redrawn is passed on as it comes; the states after that are held back until
    the line ends, and then only the last one is passed on, as a line of its own unless it continues the first. So a
    progress bar takes two lines, however often it is drawn; `held` has its present state for a status line.
    """

    __slots__ = ("_redrawn", "_rest", "_shown")

    def __init__(self) -> None:
        self._rest = ""
        self._shown: str | None = ""
        """What was passed on of the present line; None when that is too long to remember."""
        self._redrawn: ScreenLine | None = None

    @property
    def held(self) -> str:
        """The present state of a line that is being redrawn; empty when there is none."""
        return "" if self._redrawn is None else mark_hidden(self._redrawn.text().rstrip(" "))

    def feed(self, text: str) -> str:
        """What may be shown by now."""
        text = self._whole_sequences(self._rest + text)
        if self._redrawn is None and not CONTROL.search(text):
            return mark_hidden(self._pass_on(text))
        return mark_hidden("".join([self._take(piece) for piece in _PIECE.findall(plain(text))]))

    def finish(self) -> str:
        """What was held back, at the end of the stream."""
        self._rest = ""
        return mark_hidden(self._settle())

    def _whole_sequences(self, text: str) -> str:
        found = _UNFINISHED.search(text) if CONTROL.search(text) else None
        if not found:
            self._rest = ""
            return text
        if found["csi"]:
            self._rest = found["csi"] + found["args"][:2] + found["between"][:1]
        else:
            self._rest = found["string"] + found["ending"] if found["string"] else found["escape"]
        return text[: found.start()]

    def _take(self, piece: str) -> str:
        if piece == "\n":
            passed = self._settle() + "\n"
            self._shown = ""
            return passed
        if self._redrawn is None:
            if piece[0] not in "\r\x08\x1b":
                return self._pass_on(piece)
            if piece == "\x1b0":  # nothing is right of the cursor
                return ""
            self._redrawn = ScreenLine(self._shown or "")
        return self._redraw(self._redrawn, piece)

    def _redraw(self, line: ScreenLine, piece: str) -> str:
        room = WIDEST - line.column
        if piece[0] in "\r\x08\x1b" or len(piece) < room:
            line.step(piece)
            return ""
        line.step(piece[:room])
        return self._settle() + self._pass_on(piece[room:])

    def _pass_on(self, text: str) -> str:
        start = text.rfind("\n") + 1
        if start:
            self._shown = text[start:]
        elif self._shown is not None:
            self._shown += text
        if self._shown is not None and len(self._shown) >= WIDEST:
            self._shown = None
        return text

    def _settle(self) -> str:
        """The last state of a redrawn line, as far as it is not there yet."""
        line, self._redrawn = self._redrawn, None
        if line is None:
            return ""
        shown, text = self._shown or "", line.text()
        if text.startswith(shown) and self._shown is not None:
            rest = text[len(shown) :].rstrip(" ")
        else:
            text = text.rstrip(" ")
            rest = "\n" + text if text else ""
        self._shown = text if line.column < WIDEST else None
        return rest
