"""This machine -> the files and folders that no command is to see."""

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING, NamedTuple

from limpet.policy.secret_places import SECRETS_OF_A_HOME, SECRETS_OF_THE_SYSTEM
from limpet.sandbox.finding import Finder, real, written
from limpet.sandbox.view import is_inside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LOOK_EVERY = 1.0
_OWN = ("proc/", "dev/", "run/", "var/run/", "tmp/")
"""Of these a command sees nothing of the machine's anyway."""


class Hidden(NamedTuple):
    """What a command that works in one workspace is not to see."""

    around: tuple[str, ...]
    """Files and folders that can be hidden from it."""
    holding: tuple[str, ...]
    """Folders that the workspace itself is in, the outermost alone."""
    emptied: tuple[str, ...]
    """Folders in whose place it has an empty one of its own: caches."""


class Secrets:
    """Looked up now and then: what else appears in a home is no business of a command's."""

    def __init__(self, caller: Mapping[str, str], state_dir: str) -> None:
        self.home = os.path.realpath(caller.get("HOME") or os.path.expanduser("~"))
        self._cache = os.path.join(self.home, ".cache")
        self._state_dir = os.path.realpath(state_dir)
        self._of_a_home = Finder(written(SECRETS_OF_A_HOME))
        self._of_the_system = Finder(path for path in written(SECRETS_OF_THE_SYSTEM) if not path.startswith(_OWN))
        self._of_all = Finder(["*"])
        self._looked = float("-inf")
        self._found: tuple[tuple[str, ...], bool] = ((), False)
        self._by_workspace: dict[str, Hidden] = {}

    def hidden(self, workspace: str) -> Hidden:
        """From commands that work in this workspace; the same object as long as the same was found."""
        now = time.monotonic()
        if now - self._looked > _LOOK_EVERY:
            self._looked = now
            self._look()
        known = self._by_workspace.get(workspace)
        if known is None:
            known = self._by_workspace[workspace] = self._sorted_out(workspace)
        return known

    def _look(self) -> None:
        found = tuple(dict.fromkeys(map(real, self._find()))), os.path.isdir(self._cache)
        if found != self._found:
            self._found = found
            self._by_workspace.clear()

    def _sorted_out(self, workspace: str) -> Hidden:
        found, has_cache = self._found
        around = tuple(path for path in found if not _overlaps(path, workspace))
        holding = sorted(path for path in found if path != workspace and is_inside(workspace, path))
        apart = not (is_inside(workspace, self._cache) or is_inside(self._cache, workspace))
        return Hidden(around, tuple(holding[:1]), (self._cache,) if has_cache and apart else ())

    def _find(self) -> Iterator[str]:
        for home in self._homes():
            yield from self._of_a_home.find(home)
        yield from self._of_the_system.find("/")
        yield from _sockets()
        yield self._state_dir

    def _homes(self) -> list[str]:
        """Root can read everybody's."""
        if os.geteuid() != 0:
            return [self.home]
        return list(dict.fromkeys([self.home, "/root", *self._of_all.find("/home")]))


def _overlaps(path: str, workspace: str) -> bool:
    """Whether hiding it would hide the workspace, or is about a socket of the workspace's own."""
    return is_inside(workspace, path) or (is_inside(path, workspace) and _is_socket(path))


def _sockets() -> Iterator[str]:
    """Where other programs listen: a socket can be talked to wherever it can be seen, read-only or not."""
    try:
        with open("/proc/net/unix", "rb", buffering=0) as file:
            lines = file.readall().splitlines()
    except OSError:
        return
    paths = [os.fsdecode(b"/" + path) for line in lines if (path := line.partition(b" /")[2])]
    yield from (path for path in paths if not path[1:].startswith(_OWN) and os.path.exists(path))


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.lstat(path).st_mode)
    except OSError:
        return False
