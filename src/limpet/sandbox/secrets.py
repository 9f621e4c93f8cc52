"""This machine -> the files and folders that no command is to see."""

from __future__ import annotations

import os
import re
import stat
import time
from typing import TYPE_CHECKING, NamedTuple

from limpet.kernel.told import Told
from limpet.policy.secret_places import SECRETS_OF_A_HOME, SECRETS_OF_THE_SYSTEM
from limpet.sandbox.finding import Finder, Seen, real, written
from limpet.sandbox.marks import Marked
from limpet.sandbox.notified import Notified
from limpet.sandbox.view import is_inside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limpet.sandbox.marks import Mark

_LOOK_EVERY, _LOOK_AGAIN = 1.0, 0.1
"""Seconds: where nobody tells when there is something new, and where somebody does who may have much to tell."""
_NAMED_SOCKETS = re.compile(rb" (/.*)")
_all_sockets = Told("/proc/net/unix", begins=b"Num")
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
    marks: tuple[Mark, ...]
    """What tells all of them from others in their place."""


class _Known(NamedTuple):
    """What was found, and made of it."""

    there: Marked
    cache: Marked
    """One path, or none."""
    sockets: tuple[str, ...]
    by_workspace: dict[str, Hidden]


class Secrets:
    """Looked up when the kernel says that there may be others; where it cannot be asked to, now and then."""

    def __init__(self, caller: Mapping[str, str], state_dir: str) -> None:
        self.home = os.path.realpath(caller.get("HOME") or os.path.expanduser("~"))
        self._cache = os.path.join(self.home, ".cache")
        self._state_dir = os.path.realpath(state_dir)
        self._of_a_home = Finder(written(SECRETS_OF_A_HOME))
        self._of_the_system = Finder(path for path in written(SECRETS_OF_THE_SYSTEM) if not path.startswith(_OWN))
        self._of_all = Finder(["*"])
        self._looked = float("-inf")
        self._known = _Known(Marked(()), Marked(()), (), {})
        self._notified: Notified | None = None

    def hidden(self, workspace: str) -> Hidden:
        """From commands that work in this workspace; the same object as long as the same was found.

        What was found is looked at each time: a file that was replaced would be seen, and what it says with it.
        """
        now, known = time.monotonic(), self._known
        if not self._is_still(known, now):
            known = self._look()
            self._looked = now  # not before: another thread may ask meanwhile
        found = known.by_workspace.get(workspace)
        if found is None:
            found = known.by_workspace[workspace] = self._sorted_out(workspace, known)
        return found

    def _is_still(self, known: _Known, now: float) -> bool:
        """Whether it is what would be found now; of what else may be there, what would have been a moment ago."""
        notified, age = self._notified, now - self._looked
        if notified is None or not notified.quiet():
            late = age > (_LOOK_EVERY if notified is None else _LOOK_AGAIN)
            return not late and known.there.same() and known.cache.same()
        if age > _LOOK_EVERY:
            self._looked = now
            return _sockets() == known.sockets  # of which the kernel tells nothing
        return True

    def _look(self) -> _Known:
        notified = self._notified
        begun = 0 if notified is None else notified.begin()
        known, folders = self._find()
        if notified is not None and notified.folders == folders:
            notified.end(begun)
        elif self._looked > float("-inf"):  # a single command is over before there is anything to tell
            known = self._be_notified(folders) or known
        return known

    def _be_notified(self, folders: frozenset[str] | None) -> _Known | None:
        """Of what happens in these. What has happened until now is looked for once more."""
        self._notified = None  # not closed: another thread may be asking it
        if folders is None:
            return None
        try:
            notified = Notified(folders)
        except OSError:
            return None
        known, again = self._find()
        if again == folders:
            notified.end(0)
        self._notified = notified
        return known

    def _find(self) -> tuple[_Known, frozenset[str] | None]:
        """What is there now, and in which folders others would be; None where that cannot be told."""
        seen, known, sockets = Seen(), self._known, _sockets()
        found = [*self._found(seen)]
        there = Marked(dict.fromkeys(map(real, [*found, *sockets, self._state_dir])))
        cache = Marked([real(self._cache)] if os.path.isdir(self._cache) else ())
        if (there.marks, cache.marks, sockets) != (known.there.marks, known.cache.marks, known.sockets):
            self._known = known = _Known(there, cache, sockets, {})
        if seen.folders is None or any(path not in there.marks for path in found):  # links lead anywhere
            return known, None
        return known, seen.folders | {os.path.dirname(path) for path in (*there.marks, *cache.marks)}

    def _sorted_out(self, workspace: str, known: _Known) -> Hidden:
        there, cache = known.there.marks, known.cache.marks
        around = tuple(path for path in there if not _overlaps(path, workspace))
        holding = tuple(sorted(path for path in there if path != workspace and is_inside(workspace, path))[:1])
        apart = not (is_inside(workspace, self._cache) or is_inside(self._cache, workspace))
        marks = tuple(there[path] for path in (*around, *holding))
        if not (cache and apart):
            return Hidden(around, holding, (), marks)
        return Hidden(around, holding, (self._cache,), (*marks, *cache.values()))

    def _found(self, seen: Seen) -> Iterator[str]:
        for home in self._homes(seen):
            yield from self._of_a_home.find(home, seen=seen)
        yield from self._of_the_system.find("/", seen=seen)

    def _homes(self, seen: Seen) -> list[str]:
        """Root can read everybody's."""
        if os.geteuid() != 0:
            return [self.home]
        others = self._of_all.find("/home", seen=seen) if os.path.isdir("/home") else ()
        return list(dict.fromkeys([self.home, "/root", *others]))


def _overlaps(path: str, workspace: str) -> bool:
    """Whether hiding it would hide the workspace, or is about a socket of the workspace's own."""
    return is_inside(workspace, path) or (is_inside(path, workspace) and _is_socket(path))


def _sockets() -> tuple[str, ...]:
    """Where other programs listen: a socket can be talked to wherever it can be seen, read-only or not."""
    try:
        paths = _NAMED_SOCKETS.findall(_all_sockets.whole())
    except OSError:
        return ()
    return tuple(filter(_is_of_others, map(os.fsdecode, paths)))


def _is_of_others(path: str) -> bool:
    return not path[1:].startswith(_OWN) and os.path.exists(path)


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.lstat(path).st_mode)
    except OSError:
        return False
