"""What is to be hidden -> what is to be shown: Landlock knows no exceptions, so what is around them is named.

A folder with something hidden in it is opened up: everything in it is named but that.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Tree = dict[str, "_Tree"]
_MOST_IN_A_FOLDER = 4096
"""Of a folder with more than that, nothing is shown: every name costs each command some time."""


class Shown(NamedTuple):
    """Files and folders that may be read."""

    paths: tuple[str, ...]
    too_full: tuple[str, ...]
    """Folders that would have to be opened up, and hold too much for it: what is in them is not shown either."""


def around(hidden: Iterable[str]) -> Shown:
    """Everything but these, which are real and absolute paths."""
    tree: _Tree = {}
    for path in hidden:
        below = tree
        for name in path.strip("/").split("/"):
            below = below.setdefault(name, {})
        below[""] = {}
    too_full: list[str] = []
    return Shown(tuple(_open("", tree, too_full)), tuple(too_full))


def _open(folder: str, tree: _Tree, too_full: list[str]) -> Iterator[str]:
    entries = _entries(folder or "/")
    if len(entries) > _MOST_IN_A_FOLDER:
        too_full.append(folder or "/")
        return
    for name in entries:
        below = tree.get(name)
        if below is None:
            yield f"{folder}/{name}"
        elif "" not in below:
            yield from _open(f"{folder}/{name}", below, too_full)


def _entries(folder: str) -> list[str]:
    """Without links: what they lead to is shown where it is, or not."""
    try:
        with os.scandir(folder) as found:
            return sorted(entry.name for entry in found if not entry.is_symlink())
    except OSError:
        return []
