"""Patterns of paths -> those that are there, with few looks at the disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.policy.place_tables import Places

_Tree = dict[str, "_Tree"]


class Finder:
    """Looks for paths below a folder; a name may have one `*`."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._tree: _Tree = {}
        for pattern in patterns:
            below = self._tree
            for name in pattern.split("/"):
                below = below.setdefault(name, {})
            below[""] = {}

    def find(self, folder: str) -> Iterator[str]:
        """Those that are there. Links are named, not followed, and what is in a folder that was named is not."""
        return _find(folder, self._tree)


def in_a_workspace(places: Places) -> Finder:
    """The paths of a table, and those about git in each folder of the workspace as well: projects hold projects."""
    paths = written(places)
    return Finder([*paths, *(f"*/{path}" for path in paths if path.startswith((".git/config", ".git/hooks")))])


def written(places: Places) -> list[str]:
    """The paths of a table."""
    return [line.strip() for lines, _ in places.tables for line in lines.strip().splitlines()]


def _find(folder: str, tree: _Tree) -> Iterator[str]:
    names: list[str] | None = None
    for pattern, below in tree.items():
        if "*" in pattern and names is None:
            names = _names(folder)
        for name in _fitting(pattern, names or []) if "*" in pattern else (pattern,):
            path = f"{folder.rstrip('/')}/{name}"
            if not os.path.lexists(path):
                continue
            if "" in below:
                yield path
            else:
                yield from _find(path, below)


def _fitting(pattern: str, names: list[str]) -> list[str]:
    start, _, end = pattern.partition("*")
    least = len(start) + len(end)
    return [name for name in names if len(name) >= least and name.startswith(start) and name.endswith(end)]


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
