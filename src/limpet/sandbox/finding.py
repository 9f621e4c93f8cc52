"""Patterns of paths -> those that are there, with few looks at the disk."""

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.policy.place_tables import Places

Tree = dict[str, "Tree"]
"""Patterns, name by name; an empty name ends one."""
_Found = tuple[tuple[str, "Tree | None"], ...]
"""Paths, each with what to look for in it; None: it is itself what was looked for."""
_State = tuple[int, int, int]
_Names = dict[str, bool]
"""What is in a folder, each with whether more may be in it."""
_SECOND = 1_000_000_000
_COARSE, _FINE = 3 * _SECOND, _SECOND // 4
"""Nanoseconds. A folder that changed later than this before it was looked at may change again and look the same.

Old file systems write down whole seconds, or every other; the others what the kernel's clock says, a hundred times a
second or more.
"""
_MOST_KNOWN = 4096


class Seen:
    """Folders that were looked at, each as it was: as long as they are the same, another look finds the same."""

    def __init__(self) -> None:
        self._states: dict[str, _State] = {}
        self.listed: dict[str, _Names] = {}
        """What is in those that were listed."""
        self._doubted = False
        self._lost = False

    def note(self, folder: str, state: _State) -> None:
        """It was looked at. Once as this, once as that: what was found the first time is not what is there now."""
        if self._states.setdefault(folder, state) != state:
            self.doubt()

    def doubt(self) -> None:
        """One of them may change and look the same."""
        self._doubted = True

    def lose(self) -> None:
        """One could not be looked at, or what is there is decided elsewhere."""
        self._doubted = self._lost = True

    @property
    def folders(self) -> frozenset[str] | None:
        """All that decides what is found; None where there is more."""
        return None if self._lost else frozenset(folder or "/" for folder in self._states)

    def same(self) -> bool:
        """Whether all are as they were, for certain."""
        if self._doubted:
            return False
        try:
            for folder, (device, inode, changed) in self._states.items():
                now = os.lstat(folder)
                if now.st_ctime_ns != changed or now.st_ino != inode or now.st_dev != device:
                    return False
        except OSError:
            return False
        return True

    def identity(self, folder: str) -> tuple[int, int]:
        """Device and inode; zeros where it was not there."""
        return self._states.get(folder, (0, 0, 0))[:2]


class Finder:
    """Looks for paths below a folder; a name may have one `*`.

    What it has found in a folder it knows until the kernel says that something was added to it or removed: nobody who
    does that can keep the time of it from being written down.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._tree = tree_of(patterns)
        self._known: dict[tuple[str, int], tuple[_State, _Names | None, _Found]] = {}

    def find(self, folder: str, tree: Tree | None = None, *, seen: Seen | None = None) -> Iterator[str]:
        """Those that are there. Links are named, not followed, and what is in a folder that was named is not.

        `tree`: a constant, to be found in place of its own patterns. `seen` is told which folders were looked at.
        """
        return self._find(folder.rstrip("/"), self._tree if tree is None else tree, Seen() if seen is None else seen)

    def _find(self, folder: str, tree: Tree, seen: Seen) -> Iterator[str]:
        for path, below in self._in(folder, tree, seen):
            if below is None:
                yield path
            else:
                yield from self._find(path, below, seen)

    def _in(self, folder: str, tree: Tree, seen: Seen) -> _Found:
        try:
            status = os.lstat(folder or "/")
            if stat.S_ISLNK(status.st_mode):
                seen.lose()
                status = os.stat(folder)
            state = status.st_dev, status.st_ino, status.st_ctime_ns
            seen.note(folder, state)
            known = self._known.get((folder, id(tree)))
            if known is not None and known[0] == state:
                return known[2]
            age, changed = time.time_ns() - status.st_ctime_ns, status.st_ctime_ns
            settled = age > (_FINE if changed % _SECOND else _COARSE)
            if not settled:
                seen.doubt()
            names = _names(folder, tree, seen)
            same = known is not None and names is not None and known[1] == names
            found = known[2] if known is not None and same else tuple(_look(folder, tree, names))
        except OSError:
            seen.lose()
            return ()
        if settled:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[folder, id(tree)] = state, names, found
        return found


def tree_of(patterns: Iterable[str]) -> Tree:
    """The same as a tree."""
    tree: Tree = {}
    for pattern in patterns:
        below = tree
        for name in pattern.split("/"):
            below = below.setdefault(name, {})
        below[""] = {}
    return tree


def in_a_workspace(places: Places) -> Finder:
    """The paths of a table, and those about git in each folder of the workspace as well: projects hold projects."""
    paths = written(places)
    return Finder([*paths, *(f"*/{path}" for path in paths if path.startswith((".git/config", ".git/hooks")))])


def written(places: Places) -> list[str]:
    """The paths of a table."""
    return [line.strip() for lines, _ in places.tables for line in lines.strip().splitlines()]


def real(path: str) -> str:
    """Without links: the kernel knows."""
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return os.path.realpath(path)
    try:
        return os.readlink(f"/proc/self/fd/{fd}")
    finally:
        os.close(fd)


def _look(folder: str, tree: Tree, names: _Names | None) -> Iterator[tuple[str, Tree | None]]:
    """Those of a folder that was listed; else it is asked for each name."""
    for pattern, below in tree.items():
        whole = "" in below
        for name in _fitting(pattern, names or ()) if "*" in pattern else (pattern,):
            path = f"{folder}/{name}"
            if os.path.lexists(path) if names is None else name in names and (whole or names[name]):
                yield path, None if whole else below


def _fitting(pattern: str, names: Iterable[str]) -> list[str]:
    start, _, end = pattern.partition("*")
    least = len(start) + len(end)
    return [name for name in names if len(name) >= least and name.startswith(start) and name.endswith(end)]


def _names(folder: str, tree: Tree, seen: Seen) -> _Names | None:
    """What is in a folder, where a pattern asks for it, or has done so before."""
    names = seen.listed.get(folder)
    if names is None and any("*" in pattern for pattern in tree):
        with os.scandir(folder or "/") as entries:
            names = {entry.name: not entry.is_file(follow_symlinks=False) for entry in entries}
        seen.listed[folder] = names
    return names
