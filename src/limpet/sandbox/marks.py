"""A path -> what tells what is there from anything else that may take its place.

A wall stands at a file or folder, not at a name: where somebody outside puts another one in its place, as editors do
with every file they save, the kernel takes the wall away.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from limpet.kernel.birth import born

if TYPE_CHECKING:
    from collections.abc import Iterable

Mark = tuple[int, ...]
"""Device, inode, and a time, as the number of what was removed is soon given to something new."""


def mark(path: str) -> Mark:
    """Empty where nothing is. Of a file, when it was last changed; of a folder, in which much changes, when made."""
    try:
        status = os.lstat(path)
    except OSError:
        return ()
    moment = born(path) if stat.S_ISDIR(status.st_mode) else status.st_ctime_ns
    return status.st_dev, status.st_ino, moment


class Marked:
    """Paths with their marks, to be looked at again and again."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._states = {path: _state(path) for path in paths}  # before the marks: what happens in between is noticed
        self.marks = {path: mark(path) for path in self._states}

    def same(self) -> bool:
        """Whether all are what they were. One quick look at each about which nothing at all has changed."""
        look = os.lstat
        try:
            for path, state in self._states.items():
                now = look(path)
                if (now.st_dev, now.st_ino, now.st_ctime_ns) != state and not self._is_still(path):
                    return False
        except OSError:
            return self._same_but_for_some()
        return True

    def _same_but_for_some(self) -> bool:
        """The same where some are not there."""
        return all(_state(path) == state or self._is_still(path) for path, state in self._states.items())

    def _is_still(self, path: str) -> bool:
        now = _state(path)
        if mark(path) != self.marks[path]:
            return False
        self._states[path] = now
        return True


def _state(path: str) -> Mark:
    try:
        status = os.lstat(path)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_ctime_ns
