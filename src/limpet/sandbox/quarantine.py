"""Files that make other programs do something later: those that a run has made are taken out of the workspace again."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from limpet.sandbox.gitconfig import is_harmless

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.sandbox.finding import Finder

_Identity = tuple[int, int]
_LEFT_TO_GIT = (".git/modules", ".git/worktrees", ".git/objects/info/alternates")
"""Made by everyday git; what is in them is frozen from the next run on."""


class Watch:
    """What was there before a run."""

    def __init__(self, finder: Finder, workspace: str, *, allowed: frozenset[str], keep_in: str) -> None:
        self._finder = finder
        self._workspace = workspace
        self._allowed = allowed
        self._keep_in = keep_in
        self.before = dict(self._there())

    def settle(self, why: Callable[[str], str]) -> tuple[str, ...]:
        """Take out what is new, and say so."""
        return tuple(self._take_out(path, why) for path in self._new())

    def _there(self) -> Iterator[tuple[str, tuple[_Identity, ...]]]:
        """Each with the folders it is in: a folder that was replaced has replaced all that is in it."""
        for path in self._finder.find(self._workspace):
            if self._inside(path) not in self._allowed:
                yield path, self._identity(path)

    def _identity(self, path: str) -> tuple[_Identity, ...]:
        found = []
        while len(path := os.path.dirname(path)) > len(self._workspace):
            status = os.lstat(path)
            found.append((status.st_dev, status.st_ino))
        return tuple(found)

    def _new(self) -> Iterator[str]:
        for path, identity in self._there():
            if self.before.get(path) != identity and not self._inside(path).startswith(_LEFT_TO_GIT):
                yield from _parts(path)

    def _take_out(self, path: str, why: Callable[[str], str]) -> str:
        inside = self._inside(path)
        place = os.path.join(self._keep_in, inside)
        try:
            os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
            shutil.move(path, place)
        except OSError as error:
            return f"{inside} was made, {why(path)}, and could not be taken out: {error.strerror}"
        return f'{inside} was made, {why(path)}: taken out, kept in {place} (sandbox.allow = ["{inside}"] lets it be)'

    def _inside(self, path: str) -> str:
        return path[len(self._workspace.rstrip("/")) + 1 :]


def _parts(path: str) -> Iterator[str]:
    """What git makes for a new repository is harmless, and stays."""
    if path.endswith("/.git/hooks") and os.path.isdir(path) and not os.path.islink(path):
        yield from (os.path.join(path, name) for name in sorted(os.listdir(path)) if not name.endswith(".sample"))
    elif not (path.endswith("/.git/config") and is_harmless(path)):
        yield path
