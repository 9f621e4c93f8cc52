"""A path, perhaps with globs -> whether it could be one of some places."""

from __future__ import annotations

import re

UNSEEN = "…"
"""Stands in a path for text that is not known."""

_ANY = "?"
_RUN = "*"
_WILD = re.compile(r"[*?\[…]")
_TOKENS = re.compile(r"[?*+@!]\(.*\)|\[[!^]?\]?[^\]]*\]|.", re.DOTALL)
_LONGEST = 512  # a file's name has no more than 255 bytes


def is_wild(name: str) -> bool:
    """Whether it stands for more than itself."""
    return _WILD.search(name) is not None


def could_be(name: str, pattern: str) -> bool:
    """Whether a name that a script wrote could mean a file whose name fits the pattern, of which only `*` is a glob."""
    if not is_wild(name):
        return name == pattern or (_RUN in pattern and fits(name, pattern))
    if pattern.startswith(".") and name[0] in "*?[":
        return False  # a glob does not find hidden files by its first character
    if len(name) > _LONGEST or fits(name, pattern):
        return True
    return overlap(_tokens(name), [mark for mark in pattern if mark != _RUN])


def fits(name: str, pattern: str) -> bool:
    """Whether all that a name stands for fits the pattern, of which only `*` is a glob."""
    first, *middle = pattern.split(_RUN)
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
    row = _closed({0}, second)
    for token in first:
        row = _step(row, token, second)
        if not row:
            return False
    return len(second) in row


def _step(row: set[int], token: str, second: list[str]) -> set[int]:
    """Positions in the second list after one more mark of the first."""
    if token == _RUN:
        return set(range(min(row), len(second) + 1))
    reached = set()
    for at in row:
        if at == len(second):
            continue
        if second[at] == _RUN:
            reached.add(at)
        elif _ANY in (token, second[at]) or token == second[at]:
            reached.add(at + 1)
    return _closed(reached, second)


def _closed(row: set[int], second: list[str]) -> set[int]:
    """A `*` may also stand for nothing."""
    for at in sorted(row):
        following = at
        while following < len(second) and second[following] == _RUN:
            following += 1
            row.add(following)
    return row


def _tokens(name: str) -> list[str]:
    tokens = []
    for mark in _TOKENS.findall(name):
        if mark in (_RUN, UNSEEN) or (len(mark) > 1 and mark[0] != "["):
            tokens.append(_RUN)
        else:
            tokens.append(_ANY if len(mark) > 1 else mark)
    return tokens


class Places:
    """Paths, each of them a folder with all that is in it, or a file."""

    def __init__(self, lines: str) -> None:
        """One path a line; `*` is any run of characters within a name."""
        self._all = [line.strip().split("/") for line in lines.strip().splitlines()]
        self._starred = [place for place in self._all if _RUN in place[0]]
        self._by_first: dict[str, list[list[str]]] = {}
        for place in self._all:
            if _RUN not in place[0]:
                self._by_first.setdefault(place[0], []).append(place)

    def could_hold(self, names: list[str]) -> bool:
        """Whether a path, given name by name, could be one of the places, or be in one."""
        if not names or names[0] == UNSEEN:
            return False  # nothing speaks for it
        return any(len(names) >= len(place) and begins(names, place) for place in self._candidates(names[0]))

    def _candidates(self, name: str) -> list[list[str]]:
        return self._all if is_wild(name) else self._by_first.get(name, []) + self._starred


def begins(names: list[str], place: list[str]) -> bool:
    """Whether each name could be that of the place."""
    return all(could_be(name, pattern) for name, pattern in zip(names, place, strict=False))
