"""Files that make other programs do something later: those that a run has made are taken out of the workspace again."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from limpet.sandbox.gitconfig import is_harmless
from limpet.sandbox.taking import stand_alone, take_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.sandbox.later import Found, Identity, Later

_OBEYED = "git obeys what it leads to"
_LEFT_TO_GIT = (".git/objects/info/alternates",)
"""Made by everyday git, and leading to nothing that runs."""


class Watch:
    """What was there before a run."""

    def __init__(self, later: Later, workspace: str, *, keep_in: str) -> None:
        self._later = later
        self._workspace = workspace.rstrip("/")
        self._keep_in = keep_in
        self.found = later.look(workspace)

    @property
    def before(self) -> dict[str, Identity]:
        """Paths, each with what tells it from another in its place."""
        return self.found.there

    def settle(self, why: Callable[[str], str]) -> tuple[str, ...]:
        """Take out what is new, and say so. Never raises: the command has run, and its answer must not be lost."""
        try:
            now = self._later.look(self._workspace)
            if now is self.found:
                return ()
            new = list(self._new(now))
        except OSError as error:
            return (f"what it made in the workspace could not be looked at: {error.strerror} ({error.filename})",)
        told = (self.take_out(path, why(path) or _OBEYED) for path in new if os.path.lexists(path))
        return tuple(filter(None, told))

    def _new(self, now: Found) -> Iterator[str]:
        for path, identity in now.there.items():
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
