"""A model's answer in Markdown -> the bash blocks in it.

Follows CommonMark where it decides what is a fence and what belongs to it: quotes, lists, indentation, tabs, comments.
One difference is meant: a tag such as `<answer>` on a line of its own does not hide the fence below it.
"""

from __future__ import annotations

import re

import msgspec

from limpet.syntax.columns import Line
from limpet.syntax.late import late

_LANGUAGES = frozenset({"bash", "sh", "shell"})
_DEEPEST = 32  # a blank line belongs to every open list, so without a bound the time would be quadratic
_QUOTE = 0

_LINE_END = late(r"\r\n?|\n")
_LAST_END = late(r"(?:\r\n?|\n)\Z")
_OPENING = late(r"(`{3,}+|~{3,}+)(.*)", re.DOTALL)
_CLOSING = late(r"(`{3,}+|~{3,}+)[ \t]*\Z")
_LANGUAGE = late(r"[ \t]*\{?\.?([\w+#.-]+)")
_HEADING = late(r"#{1,6}(?:[ \t]|\Z)")
_UNDERLINE = late(r"(?:=++|-++)[ \t]*\Z")
_BREAK = late(r"(?:(?:\*[ \t]*+){3,}+|(?:-[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)\Z")
_ITEM = late(r"(?:[*+-]|([0-9]{1,9})[.)])(?=[ \t]|\Z)")


class _Fence(msgspec.Struct, frozen=True, kw_only=True):
    mark: str
    indent: int
    wanted: bool

    def is_closed_by(self, line: Line) -> bool:
        found = _CLOSING.match(line.text, line.start) if line.indent < 4 else None
        return found is not None and found[1].startswith(self.mark)


def fences(text: str) -> list[str]:
    """What stands in the fences marked `bash`, `sh` or `shell`, in order, without blank ones.

    A fence that is never closed runs to the end. Lines end in a newline whatever they ended in.
    """
    answer = _Answer()
    for line in _LINE_END.split(_LAST_END.sub("", text)):
        answer.take(Line(line))
    answer.end_leaf()
    return answer.blocks


class _Answer:
    """The quotes and list items that are open, and the one leaf in the innermost of them."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self._open: list[int] = []  # _QUOTE, or the columns by which a list item's lines are indented
        self._hollow = False  # the innermost is a list item that has only its marker yet
        self._paragraph = False
        self._comment = False
        self._fence: _Fence | None = None
        self._lines: list[str] = []

    def take(self, line: Line) -> None:
        """Read one more line."""
        depth = self._enter(line)
        self._hollow = False
        if self._fence or self._comment:
            if depth == len(self._open):
                self._continue(line)
                return
            self._close(depth)
        self._read_leaf(line, self._open_containers(line, depth))

    def end_leaf(self) -> None:
        """Whatever the innermost container was holding is complete."""
        block = "\n".join(self._lines)
        if block.strip():
            self.blocks.append(block)
        self._lines = []
        self._fence = None
        self._paragraph = self._comment = False

    def _enter(self, line: Line) -> int:
        """How many of the open containers this line belongs to, with their prefixes read."""
        for depth, container in enumerate(self._open):
            hollow = self._hollow and depth == len(self._open) - 1
            entered = _enter_quote(line) if container == _QUOTE else _enter_item(line, container, hollow=hollow)
            if not entered:
                return depth
        return len(self._open)

    def _continue(self, line: Line) -> None:
        if self._fence is None:
            if "-->" in line.rest():
                self.end_leaf()
        elif self._fence.is_closed_by(line):
            self.end_leaf()
        elif self._fence.wanted:
            line.skip(self._fence.indent)
            self._lines.append(line.rest())

    def _open_containers(self, line: Line, depth: int) -> int:
        while depth < _DEEPEST and line.indent < 4:
            in_paragraph = self._paragraph and depth == len(self._open)
            container = _QUOTE if _enter_quote(line) else _start_item(line, in_paragraph=in_paragraph)
            if container is None:
                break
            self._close(depth)
            self.end_leaf()
            self._open.append(container)
            self._hollow = container != _QUOTE and line.blank
            depth += 1
        return depth

    def _close(self, depth: int) -> None:
        if depth < len(self._open):
            del self._open[depth:]
            self.end_leaf()

    def _read_leaf(self, line: Line, depth: int) -> None:
        in_paragraph = self._paragraph and depth == len(self._open)
        is_text = not line.blank and (line.indent >= 4 or not _ends_paragraph(line, in_paragraph=in_paragraph))
        if is_text and self._paragraph:
            return  # goes on with the paragraph, even one in a container whose prefix this line lacks
        self._close(depth)
        self.end_leaf()
        if line.indent >= 4 or line.blank:
            return
        self._fence = _opened_by(line)
        self._comment = line.text.startswith("<!--", line.start) and "-->" not in line.rest()
        self._paragraph = is_text


def _enter_quote(line: Line) -> bool:
    if line.indent >= 4 or not line.text.startswith(">", line.start):
        return False
    line.read(1)
    line.skip(1)
    return True


def _enter_item(line: Line, columns: int, *, hollow: bool) -> bool:
    if hollow if line.blank else line.indent < columns:
        return False
    line.skip(columns)
    return True


def _start_item(line: Line, *, in_paragraph: bool) -> int | None:
    """The columns by which the lines of the list item that starts here are indented; its marker is then read."""
    found = _ITEM.match(line.text, line.start)
    if found is None or _BREAK.match(line.text, line.start):
        return None
    if in_paragraph and (found[1] not in (None, "1") or not line.text[found.end() :].strip(" \t")):
        return None
    columns = line.indent + len(found[0])
    line.read(len(found[0]))
    space = 1 if line.blank or line.indent > 4 else line.indent
    line.skip(space)
    return columns + space


def _ends_paragraph(line: Line, *, in_paragraph: bool) -> bool:
    at = (line.text, line.start)
    return bool(
        _opened_by(line)
        or line.text.startswith("<!--", line.start)
        or _HEADING.match(*at)
        or _BREAK.match(*at)
        or (in_paragraph and _UNDERLINE.match(*at))
    )


def _opened_by(line: Line) -> _Fence | None:
    found = _OPENING.match(line.text, line.start)
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return None
    language = _LANGUAGE.match(found[2])
    wanted = language is not None and language[1].lower() in _LANGUAGES
    return _Fence(mark=found[1], indent=line.indent, wanted=wanted)
