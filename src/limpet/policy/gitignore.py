"""Patterns as in .gitignore -> whether a path is meant."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_ONE_OF = re.compile(r"\[([!^]?)(\]?(?:\[:[a-z]+:\]|[^]])*)\]")
_CLASS = re.compile(r"\[:([a-z]+):\]")
_CLASSES = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \t", "digit": "0-9", "lower": "a-z", "upper": "A-Z",
    "space": " \t\n\r\f\v", "xdigit": "0-9a-fA-F", "cntrl": "\x01-\x1f\x7f", "graph": "!-~", "print": " -~",
    "punct": "!-/:-@[-`{-~",
}  # fmt: skip

_Rule = tuple[re.Pattern[str], bool, bool]
"""What it matches, whether it takes back an earlier one, whether it is for folders only."""


def matches(path: str, patterns: Sequence[str], *, folder: bool = False) -> bool:
    """By the last pattern that matches it or a folder around it: what is in such a folder cannot be taken back.

    `folder`: whether there is one at the path, for patterns that mean only those.
    """
    rules = _rules(tuple(patterns))
    names = path.split("/")
    for count in range(1, len(names) + 1):
        last = count == len(names)
        if _decided("/".join(names[:count]), rules, folder=folder or not last):
            return True
    return False


def _decided(path: str, rules: Sequence[_Rule], *, folder: bool) -> bool:
    ignored = False
    for pattern, back, folders_only in rules:
        if (folder or not folders_only) and pattern.fullmatch(path):
            ignored = not back
    return ignored


@lru_cache(maxsize=64)
def _rules(patterns: tuple[str, ...]) -> tuple[_Rule, ...]:
    return tuple(rule for pattern in patterns if (rule := _rule(pattern)) is not None)


def _rule(line: str) -> _Rule | None:
    text = re.sub(r"(?<!\\) +$", "", line.rstrip("\r\n"))
    if not text or text.startswith("#"):
        return None
    back = text.startswith("!")
    text = text.removeprefix("!")
    if text.startswith(("\\#", "\\!")):
        text = text[1:]
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    text = text.removeprefix("/")
    try:
        return re.compile(("" if anchored else "(?:.*/)?") + _translated(text), re.DOTALL), back, folders_only
    except re.error:  # such as [z-a]: nothing is between them
        return None


def _translated(text: str) -> str:
    """A star stays within a name, two of them between slashes do not."""
    text, found, at = re.sub(r"(^|/)\*\*(?:/\*\*)+(?=/|$)", r"\1**", text), "", 0
    while at < len(text):
        piece, at = _piece(text, at)
        found += piece
    return found


def _piece(text: str, at: int) -> tuple[str, int]:
    before = at == 0 or text[at - 1] == "/"
    if before and text.startswith("**/", at):
        return "(?:.*/)?", at + 3
    if before and text[at:] == "**":
        return ".+", len(text)
    sign = text[at]
    if sign == "*":
        return "[^/]*", at + len(re.match(r"\*+", text[at:])[0])  # type: ignore[index]  # there is one
    if sign == "?":
        return "[^/]", at + 1
    if sign == "[" and (found := _ONE_OF.match(text, at)):
        inner = _CLASS.sub(lambda one: _CLASSES.get(one[1], ""), found[2])
        inner = inner.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
        return f"(?!/)[{'^' if found[1] else ''}{inner}]", found.end()
    if sign == "\\" and at + 1 < len(text):
        return re.escape(text[at + 1]), at + 2
    return re.escape(sign), at + 1
