"""A path, perhaps with globs -> whether it could be one of some places."""

from __future__ import annotations

import re

from limpet.syntax.late import late

UNSEEN = "…"
"""Stands in a path for text that is not known."""

_ANY = "?"
RUN = "*"
ANY_FIRST = ("*", "?", "[")
_WILD = late(r"[*?\[…]")
_TOKENS = late(r"[?*+@!]\(.*\)|\[[!^]?\]?[^\]]*\]|.", re.DOTALL)
LONGEST = 512  # a file's name has no more than 255 bytes


def is_wild(name: str) -> bool:
    """Whether it stands for more than itself."""
    return _WILD.search(name) is not None


def could_be(name: str, pattern: str) -> bool:
    """Whether a name that a script wrote could mean a file whose name fits the pattern, of which only `*` is a glob."""
    if not is_wild(name):
        return name == pattern or (RUN in pattern and fits(name, pattern))
    if pattern.startswith(".") and name[0] in ANY_FIRST:
        return False  # a glob does not find hidden files by its first character
    if len(name) > LONGEST or fits(name, pattern):
        return True
    return overlap(_tokens(name), [mark for mark in pattern if mark != RUN])


def fits(name: str, pattern: str) -> bool:
    """Whether all that a name stands for fits the pattern, of which only `*` is a glob."""
    first, *middle = pattern.split(RUN)
    if not middle:
        return name == pattern
    last = middle.pop()
    at, end = len(first), len(name) - len(last)
    if at > end or not (name.startswith(first) and name.endswith(last)):
        return False
    for text in middle:
        at = name.find(text, at, end)
        if at < 0:
            return False
        at += len(text)
    return True


def overlap(first: list[str], second: list[str]) -> bool:
    """Whether some text fits both lists of characters, `?` being any one of them and `*` any number."""
    if RUN not in second and sum(token != RUN for token in first) > len(second):
        return False  # each of them is one character
    row = _closed({0}, second)
    for token in first:
        row = _step(row, token, second)
        if not row:
            return False
    return len(second) in row


def _step(row: set[int], token: str, second: list[str]) -> set[int]:
    """Positions in the second list after one more mark of the first."""
    if token == RUN:
        return set(range(min(row), len(second) + 1))
    reached = set()
    for at in row:
        if at == len(second):
            continue
        if second[at] == RUN:
            reached.add(at)
        elif _ANY in (token, second[at]) or token == second[at]:
            reached.add(at + 1)
    return _closed(reached, second)


def _closed(row: set[int], second: list[str]) -> set[int]:
    """A `*` may also stand for nothing."""
    for at in sorted(row):
        following = at
        while following < len(second) and second[following] == RUN:
            following += 1
            row.add(following)
    return row


def _tokens(name: str) -> list[str]:
    tokens = []
    for mark in _TOKENS.findall(name):
        if mark in (RUN, UNSEEN) or (len(mark) > 1 and mark[0] != "["):
            tokens.append(RUN)
        else:
            tokens.append(_ANY if len(mark) > 1 else mark)
    return tokens


def begins(names: list[str], place: list[str], start: int = 0) -> bool:
    """Whether each name, from one of them on, could be that of the place."""
    return all(could_be(names[at], pattern) for at, pattern in zip(range(start, len(names)), place, strict=False))
