"""The two streams of a result -> styled lines: JSON and diffs are recognised, stderr is red."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limpet.output.terminal import visible
from limpet.render.paint import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_JSON = 200_000
_JSON_PIECE = re.compile(
    r'(?P<key>"(?:[^"\\\n]|\\.)*+"(?=\s{0,8}:))|(?P<string>"(?:[^"\\\n]|\\.)*+")|(?P<number>-?\b\d[\d.eE+-]*+)|(?P<word>\b(?:true|false|null)\b)'
)
_JSON_STYLES = {"key": "cyan", "string": "green", "number": "magenta", "word": "yellow"}
_DIFF = re.compile(r"(?m)^(?:diff --git |--- [^\n]+\n\+\+\+ |@@ -\d+)")
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
