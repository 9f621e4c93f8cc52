"""A workspace -> what in it makes other programs do something later, as it is at this moment."""

from __future__ import annotations

import contextlib
import functools
import os
from typing import TYPE_CHECKING

from limpet.sandbox.finding import Seen, real, tree_of
from limpet.sandbox.marks import mark
from limpet.sandbox.view import around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.sandbox.finding import Finder
    from limpet.sandbox.marks import Mark

Identity = tuple[object, ...]
_BARE = ("HEAD", "objects", "refs")
"""Where these lie, git takes the folder itself for a repository, and obeys the settings and hooks beside them."""
_OF_A_BARE_ONE = ("HEAD", "config", "hooks")
_OF_A_REPOSITORY = tree_of([".git", *_BARE, *_OF_A_BARE_ONE])
_MOST_KNOWN = 16


class Found:
    """What was there at one moment."""

    def __init__(self, workspace: str, there: dict[str, Identity], seen: Seen) -> None:
        self._workspace = workspace
        self.there = there
        """Paths, each with what tells it from another in its place."""
        self.seen = seen
        self.identity = seen.identity(workspace)
        """Device and inode of the workspace itself."""

    def is_like(self, other: Found) -> bool:
        """Whether the same was there, and nothing in the place of anything."""
        same = self.there == other.there and self.identity == other.identity
        return same and self.frozen == other.frozen and self.marks == other.marks

    @functools.cached_property
    def frozen(self) -> tuple[str, ...]:
        """What must not change during a run: where a link leads, not the link: that cannot be held."""
        ends, inside = ((path, real(path)) for path in self.there), f"{self._workspace}/"
        return tuple(dict.fromkeys(end for path, end in ends if end == path or end.startswith(inside)))

    @functools.cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What tells the workspace, what is frozen in it and the folders around that from others in their place."""
        return self.identity, *map(mark, (*around(self.frozen, self._workspace), *self.frozen))


class Later:
    """Looks around in workspaces."""

    def __init__(
        self, finder: Finder, *, allowed: frozenset[str] = frozenset(), home: tuple[Finder, str] | None = None
    ) -> None:
        """`allowed` is of no interest; `home`: what to look for in a home, which counts if it lies in the workspace."""
        self._finder = finder
        self._allowed = allowed
        self._home = home
        self._known: dict[str, Found] = {}

    def look(self, workspace: str) -> Found:
        """What is there; the same object as long as that is the same."""
        known = self._known.get(workspace)
        if known is not None and known.seen.same():
            return known
        found = self._look(workspace.rstrip("/"))
        if known is not None and known.is_like(found):
            known.seen = found.seen
            return known
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[workspace] = found
        return found

    def _look(self, workspace: str) -> Found:
        seen, there = Seen(), {}
        for path in self._paths(workspace, seen):
            if path[len(workspace) + 1 :] not in self._allowed:
                with contextlib.suppress(FileNotFoundError):  # somebody else has removed it since it was found
                    there[path] = _identity(path, workspace, seen)
        return Found(workspace, there, seen)

    def _paths(self, workspace: str, seen: Seen) -> Iterator[str]:
        yield from self._finder.find(workspace, seen=seen)
        if self._home is not None and f"{self._home[1]}/".startswith(f"{workspace}/"):
            finder, folder = self._home
            yield from finder.find(folder, seen=seen)
        found = self._finder.find(workspace, _OF_A_REPOSITORY, seen=seen)
        there = {path[len(workspace) + 1 :] for path in found}
        repository = f"{workspace}/.git"
        if ".git" in there and (os.path.islink(repository) or os.path.isfile(repository)):
            yield repository  # it leads to the real one
        if there.issuperset(_BARE):
            yield from (f"{workspace}/{name}" for name in _OF_A_BARE_ONE if name in there)


def _identity(path: str, workspace: str, seen: Seen) -> Identity:
    """The folders it is in: one that was replaced has replaced all that is in it. And where a link leads.

    Not the file itself: it is frozen, so that whoever replaced it was no command of ours.
    """
    found: list[object] = []
    if os.path.islink(path):
        found.append(os.readlink(path))
        seen.doubt()  # what it leads to may change elsewhere
    while len(path := os.path.dirname(path)) > len(workspace):
        status = os.lstat(path)
        found.append((status.st_dev, status.st_ino))
    return tuple(found)
