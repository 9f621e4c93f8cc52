"""Files that make other programs do something later: those that a run has made are taken out of the workspace again."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from limpet.sandbox.finding import real, tree_of
from limpet.sandbox.gitconfig import is_harmless
from limpet.sandbox.taking import stand_alone, take_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.sandbox.finding import Finder

_Identity = tuple[object, ...]
_OBEYED = "git obeys what it leads to"
_LEFT_TO_GIT = (".git/objects/info/alternates",)
"""Made by everyday git, and leading to nothing that runs."""
_BARE = ("HEAD", "objects", "refs")
"""Where these lie, git takes the folder itself for a repository, and obeys the settings and hooks beside them."""
_OF_A_BARE_ONE = ("HEAD", "config", "hooks")
_OF_A_REPOSITORY = tree_of([".git", *_BARE, *_OF_A_BARE_ONE])


class Watch:
    """What was there before a run."""

    def __init__(
        self,
        finder: Finder,
        workspace: str,
        *,
        allowed: frozenset[str],
        keep_in: str,
        home: tuple[Finder, str] | None = None,
    ) -> None:
        """`home`: what to look for in a home, which counts if it lies in the workspace."""
        self._finder = finder
        self._workspace = workspace.rstrip("/")
        self._home = home if home is not None and f"{home[1]}/".startswith(f"{self._workspace}/") else None
        self._allowed = allowed
        self._keep_in = keep_in
        self.before = dict(self._there())

    @property
    def frozen(self) -> tuple[str, ...]:
        """What must not change during the run: where a link leads, not the link: that cannot be held."""
        inside = self._workspace + "/"
        ends = ((path, real(path)) for path in self.before)
        return tuple(dict.fromkeys(end for path, end in ends if end == path or end.startswith(inside)))

    def settle(self, why: Callable[[str], str]) -> tuple[str, ...]:
        """Take out what is new, and say so. Never raises: the command has run, and its answer must not be lost."""
        try:
            new = list(self._new())
        except OSError as error:
            return (f"what it made in the workspace could not be looked at: {error.strerror} ({error.filename})",)
        told = (self.take_out(path, why(path) or _OBEYED) for path in new if os.path.lexists(path))
        return tuple(filter(None, told))

    def _there(self) -> Iterator[tuple[str, _Identity]]:
        """Each with what tells it from another in its place."""
        for path in self._paths():
            if self._inside(path) not in self._allowed:
                with contextlib.suppress(FileNotFoundError):  # somebody else has removed it since it was found
                    yield path, self._identity(path)

    def _paths(self) -> Iterator[str]:
        yield from self._finder.find(self._workspace)
        if self._home is not None:
            finder, folder = self._home
            yield from finder.find(folder)
        there = {self._inside(path) for path in self._finder.find(self._workspace, _OF_A_REPOSITORY)}
        repository = f"{self._workspace}/.git"
        if ".git" in there and (os.path.islink(repository) or os.path.isfile(repository)):
            yield repository  # it leads to the real one
        if there.issuperset(_BARE):
            yield from (f"{self._workspace}/{name}" for name in _OF_A_BARE_ONE if name in there)

    def _identity(self, path: str) -> _Identity:
        """The folders it is in: one that was replaced has replaced all that is in it. And where a link leads.

        Not the file itself: it is frozen, so that whoever replaced it was no command of ours.
        """
        found: list[object] = [os.readlink(path)] if os.path.islink(path) else []
        while len(path := os.path.dirname(path)) > len(self._workspace):
            status = os.lstat(path)
            found.append((status.st_dev, status.st_ino))
        return tuple(found)

    def _new(self) -> Iterator[str]:
        for path, identity in self._there():
            if self.before.get(path) != identity and not self._inside(path).startswith(_LEFT_TO_GIT):
                yield from _parts(path)

    def take_out(self, path: str, why: str) -> str:
        """Move it out of the workspace, and say so; nothing when it went with a link that led to it."""
        inside = self._inside(path)
        try:
            inside, place = take_out(self._workspace, inside, self._keep_in)
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"{inside} was made, {why}, and could not be taken out: {error.strerror}"
        self._put_back(path)
        return f'{inside} was made, {why}: taken out, kept in {place} (sandbox.allow = ["{inside}"] lets it be)'

    def _put_back(self, path: str) -> None:
        """A link that was there before: it cannot be frozen, but what it said is known."""
        links = [part for part in self.before.get(path, ()) if isinstance(part, str)]
        if links:
            with contextlib.suppress(OSError):
                os.symlink(links[0], path)

    def _inside(self, path: str) -> str:
        return path[len(self._workspace) + 1 :]


def _parts(path: str) -> Iterator[str]:
    """What git makes for a new repository is harmless, and stays."""
    if not _is_folder(path):
        if "/.git/" not in path or not path.endswith(_SETTINGS) or not is_harmless(path):
            yield path
        else:
            stand_alone(path)
    elif path.endswith("/.git/hooks") and os.access(path, os.R_OK | os.X_OK):
        yield from (os.path.join(path, name) for name in sorted(os.listdir(path)) if not name.endswith(".sample"))
    elif path.endswith(("/.git/modules", "/.git/worktrees")):
        yield from _parts_of_others(path)
    else:
        yield path


_SETTINGS = ("/config", "/config.worktree")


def _parts_of_others(path: str) -> Iterator[str]:
    """Repositories within the repository: those of submodules, which may have some in turn, and of worktrees."""
    for folder, names, files in os.walk(path):
        yield from (os.path.join(folder, name) for name in names if os.path.islink(os.path.join(folder, name)))
        for name in files:
            if f"/{name}" in _SETTINGS and not is_harmless(os.path.join(folder, name)):
                yield os.path.join(folder, name)
        if "hooks" in names and "objects" in names:
            names.remove("hooks")
            hooks = os.path.join(folder, "hooks")
            yield from (os.path.join(hooks, one) for one in sorted(os.listdir(hooks)) if not one.endswith(".sample"))


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)
