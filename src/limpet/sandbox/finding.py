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
    """A folder is listed where a pattern asks for it; else it is asked for each name."""
    starred = any("*" in pattern for pattern in tree)
    names = _names(folder) if starred else {}
    for pattern, below in tree.items():
        whole = "" in below
        for name in _fitting(pattern, names) if "*" in pattern else (pattern,):
            if starred and not (name in names and (whole or names[name])):
                continue  # not there, or no folder
            path = f"{folder.rstrip('/')}/{name}"
            if not starred and not os.path.lexists(path):
                continue
            if whole:
                yield path
            else:
                yield from _find(path, below)


def _fitting(pattern: str, names: Iterable[str]) -> list[str]:
    start, _, end = pattern.partition("*")
    least = len(start) + len(end)
    return [name for name in names if len(name) >= least and name.startswith(start) and name.endswith(end)]


def _names(folder: str) -> dict[str, bool]:
    """What is in a folder, each with whether more may be in it."""
    try:
        with os.scandir(folder) as entries:
            return {entry.name: not entry.is_file(follow_symlinks=False) for entry in entries}
    except OSError:
        return {}
