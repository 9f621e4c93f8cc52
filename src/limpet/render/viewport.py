"""Output, whole or as it comes -> styled text: JSON and diffs are recognised, stderr is red."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.output.terminal import visible
from limpet.render.paint import Span
from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_JSON = 200_000
_JSON_PIECE = late(
    r'(?P<key>"(?:[^"\\\n]|\\.)*+"(?=\s{0,8}:))|(?P<string>"(?:[^"\\\n]|\\.)*+")|(?P<number>-?\b\d[\d.eE+-]*+)|(?P<word>\b(?:true|false|null)\b)'
)
_JSON_STYLES = {"key": "cyan", "string": "green", "number": "magenta", "word": "yellow"}
_DIFF = late(r"(?m)^(?:diff --git |--- [^\n]+\n\+\+\+ |@@ -\d+)")
_DIFF_STARTS = late(r"diff --git |@@ -\d")
_DIFF_GOES_ON = late(r"[ +@\\-]|(?:index|new|deleted|old|similarity|rename|copy|Binary) ")
_MAY_START = late(r"(?m)^(?:diff --git |@@ -\d|[ \t]*[\[{])")
_DIFF_STYLES = (("+++", "bold"), ("---", "bold"), ("diff ", "bold"), ("@@", "cyan"), ("+", "green"), ("-", "red"))


def viewport(stdout: str, stderr: str) -> list[list[Span]]:
    """Lines to show, made safe; a line that says so when nothing was printed."""
    out, err = visible(stdout).strip("\n"), visible(stderr).strip("\n")
    lines = [_styled(out)] if out else []
    if err:
        lines.append([Span(err, "red")])
    return lines or [[Span("(no output)", "dim")]]


def _styled(text: str) -> list[Span]:
    if _is_json(text):
        return list(_json_spans(text))
    return list(_diff_spans(text)) if _DIFF.search(text[:4096]) else [Span(text)]


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")) or len(text) > _LONGEST_JSON:
        return False
    try:
        msgspec.json.decode(text.encode("utf-8", "replace"), type=msgspec.Raw)
    except msgspec.DecodeError:
        return False
    return True


def _json_spans(text: str) -> Iterator[Span]:
    at = 0
    for found in _JSON_PIECE.finditer(text):
        yield Span(text[at : found.start()])
        yield Span(found[0], _JSON_STYLES[found.lastgroup or "word"])
        at = found.end()
    yield Span(text[at:])


def _diff_spans(text: str) -> Iterator[Span]:
    for line in text.splitlines(keepends=True):
        yield Span(line, next((style for start, style in _DIFF_STYLES if line.startswith(start)), ""))


class Highlighter:
    """The same for stdout that is still coming, line by line; a line that comes in pieces stays plain."""

    __slots__ = ("_inside", "_torn")

    def __init__(self) -> None:
        self._inside = ""
        """`diff` or `json`, while in one."""
        self._torn = False

    def feed(self, text: str) -> list[Span]:
        """The next piece, which is safe to show."""
        if not (self._inside or self._torn or _MAY_START.search(text)):
            self._torn = not text.endswith("\n")
            return [Span(text)]
        return [span for line in text.splitlines(keepends=True) for span in self._line(line)]

    def _line(self, line: str) -> list[Span]:
        torn, self._torn = self._torn, not line.endswith("\n")
        if torn or self._torn:
            return [Span(line)]
        self._enter_or_leave(line)
        if self._inside == "diff":
            return list(_diff_spans(line))
        if self._inside == "json" or _is_json(line):
            return self._json_line(line)
        return [Span(line)]

    def _enter_or_leave(self, line: str) -> None:
        if _DIFF_STARTS.match(line):
            self._inside = "diff"
        elif self._inside == "diff" and not _DIFF_GOES_ON.match(line):
            self._inside = ""
        if not self._inside and line.rstrip() in ("{", "[", "[{"):
            self._inside = "json"

    def _json_line(self, line: str) -> list[Span]:
        if line[0] in "]}":
            self._inside = ""
        return list(_json_spans(line))
