"""Text with terminal controls -> the plain text a terminal would show, and text that is safe on a person's terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.output.screenline import ScreenLine
from limpet.syntax.late import late

if TYPE_CHECKING:
    import re

CONTROL = late("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Text in which this finds nothing is shown as it is."""

# Each class of characters excludes whatever may follow it, so no input makes these patterns go back.
_SEQUENCE = late(
    r"(?:\x1b\[|\x9b)(?P<args>[0-?]*+)(?P<between>[ -/]*+)(?P<final>[@-~]?)"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\n\x07\x18\x1a\x1b\x80-\x9f]*+(?:[\x07\x18\x1a\x9c]|\x1b\\)?"
    r"|\x1b[ -/]*+[0-~]?"
)
_KEPT = {
    ("K", ""): "\x1b0", ("K", "0"): "\x1b0", ("K", "1"): "\x1b1", ("K", "2"): "\x1b2", ("J", ""): "\x1b0",
    ("J", "0"): "\x1b0", ("G", ""): "\r", ("G", "0"): "\r", ("G", "1"): "\r",
}  # fmt: skip
_LEFTOVER = late("[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_MOVED = late("[\r\x08]|\x1b[12]")

# Bidirectional controls, zero-width and filler characters, separators of lines, tags, lone surrogates: what can
# reorder or hide text. Joiners are among them, so a joined emoji comes apart; that is the price of seeing them.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_HIDDEN = late(f"[{_UNSEEN}]")
_UNSPOKEN = late(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_UNSEEN}]")


def clean(text: str) -> str:
    r"""What a terminal would show of `text`.

    Escape sequences are gone (one that lacks its end stops at the end of its line, so that it hides nothing further).
    `\r`, backspace and the erasing of a line do what they do on a screen on which each code point takes one column: a
    progress bar is its last state. Other control characters but tab are U+FFFD.
    """
    if not CONTROL.search(text):
        return text
    text = plain(text)
    if not _MOVED.search(text):
        return text.replace("\x1b0", "")  # nothing is right of the cursor
    return "\n".join([_drawn(line) for line in text.split("\n")])


def visible(text: str) -> str:
    """As `clean`, with a mark such as `<U+202E>` for each character that would hide or reorder text."""
    return mark_hidden(clean(text))


def spelled(text: str) -> str:
    """`text` with a mark for each control or hidden character, and nothing removed or overwritten.

    For text that a person is to judge, such as a command: what `visible` takes away may be what matters there.
    """
    return _UNSPOKEN.sub(_mark, text)


def mark_hidden(text: str) -> str:
    """Marks for what would hide or reorder text; controls are not looked at."""
    return text if text.isascii() else _HIDDEN.sub(_mark, text)


def plain(text: str) -> str:
    r"""Sequences removed, other controls replaced; left are `\r`, `\b`, and ESC 0, 1 or 2 where a line is erased."""
    if "\x1b" in text or not text.isascii():
        text = _SEQUENCE.sub(_erasing_kept, text)
    return _LEFTOVER.sub("\ufffd", text)


def _erasing_kept(found: re.Match[str]) -> str:
    """What changes the line that is being drawn; moving to its first column is what a carriage return does."""
    return "" if found["between"] else _KEPT.get((found["final"] or "", found["args"] or ""), "")


def _drawn(line: str) -> str:
    line = line.rstrip("\r")
    if not _MOVED.search(line):
        return line.replace("\x1b0", "")
    screen = ScreenLine()
    screen.draw(line)
    return screen.text().rstrip(" ")


def _mark(found: re.Match[str]) -> str:
    return f"<U+{ord(found[0]):04X}>"
