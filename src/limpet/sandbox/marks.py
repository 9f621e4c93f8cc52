"""A path -> what tells what is there from anything else that may take its place.

A wall stands at a file or folder, not at a name: where somebody outside puts another one in its place, as editors do
with every file they save, the kernel takes the wall away.
"""

from __future__ import annotations

import os
import stat

from limpet.kernel.birth import born

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
    """A path with its mark, to be looked at again and again."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._state = _state(path)  # before the mark: what happens in between is noticed
        self.mark = mark(path)

    def same(self) -> bool:
        """Whether it is what it was. One quick look, as long as nothing at all has changed about it."""
        state = _state(self._path)
        if state != self._state:
            if mark(self._path) != self.mark:
                return False
            self._state = state
        return True


def _state(path: str) -> Mark:
    try:
        status = os.lstat(path)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_ctime_ns
