"""Folders -> whether any name in them has come, gone or changed its meaning since they were last looked at."""

from __future__ import annotations

import contextlib
import os
import re
import select
import threading
import weakref
from typing import TYPE_CHECKING

from limpet.kernel import inotify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TOLD_OF = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "tmpfs", "overlay"})
"""File systems on which nobody changes anything without this kernel's doing."""
_MOUNTS = "/proc/self/mountinfo"
_ESCAPED = re.compile(rb"\\([0-7]{3})")
_EVENTS = 65536


class Notified:
    """Has the kernel tell, in place of looking again and again.

    Several threads may ask. A forked child has to make one of its own.
    """

    def __init__(self, folders: frozenset[str]) -> None:
        """Raises OSError where the kernel cannot tell, or tells as many as it will."""
        self.folders = folders
        with contextlib.ExitStack() as undo:
            mounts = os.open(_MOUNTS, os.O_RDONLY | os.O_CLOEXEC)
            undo.callback(os.close, mounts)
            _be_told_of(folders, mounts)
            self._names = inotify.watch(folders, _around(folders))
            undo.callback(os.close, self._names)
            self._eye: select.poll | None = select.poll()
            self._eye.register(self._names, select.POLLIN)
            self._eye.register(mounts, select.POLLPRI)
            self._close = weakref.finalize(self, undo.pop_all().close)
        self._asking = threading.Lock()
        """One thread at a time: Python's poll refuses a second one."""
        self._told = 0
        self._taken_note = -1
        _notified.add(self)

    def quiet(self) -> bool:
        """Whether nothing has happened since what was found was found."""
        if self._eye is None:
            return False
        with self._asking:
            if self._eye.poll(0):
                self._told += 1
        return self._told == self._taken_note

    def begin(self) -> int:
        """Before everything is looked at: what is told from now on may be too late for that."""
        if self._eye is None:
            return self._told
        with self._asking, contextlib.suppress(BlockingIOError):
            self._eye.poll(0)  # mounts are told of once
            while os.read(self._names, _EVENTS):
                pass
        return self._told

    def end(self, begun: int) -> None:
        """Everything was looked at since `begin`."""
        self._taken_note = begun

    def close(self) -> None:
        """It is of no use any more."""
        self._eye = None
        self._close()


_notified: weakref.WeakSet[Notified] = weakref.WeakSet()


def _close_the_parents() -> None:
    """In a forked child: what it took note of, its parent would never hear."""
    for one in list(_notified):
        one.close()


os.register_at_fork(after_in_child=_close_the_parents)


def _around(folders: Iterable[str]) -> set[str]:
    """All the folders that they are in: who moves one of those moves what is in it."""
    found: set[str] = set()
    for folder in folders:
        while (folder := os.path.dirname(folder)) not in found:
            found.add(folder)
    return found


def _be_told_of(folders: Iterable[str], mounts: int) -> None:
    """Raises OSError where one is on a file system that others change, too."""
    table = b"".join(iter(lambda: os.read(mounts, _EVENTS), b""))  # the kernel gives a page at a time
    kinds = dict(_mounted(table))
    for folder in folders:
        place = folder
        while place not in kinds and place != "/":
            place = os.path.dirname(place)
        if kinds.get(place) not in _TOLD_OF:
            raise OSError(0, "the kernel is not told of every change", folder)


def _mounted(table: bytes) -> Iterator[tuple[str, str]]:
    """Where each file system is, and of which kind; the later of two at one place is the one that is seen."""
    for line in table.splitlines():
        fields, _, rest = line.partition(b" - ")
        place = _ESCAPED.sub(lambda found: bytes([int(found[1], 8)]), fields.split(b" ")[4])
        yield os.fsdecode(place), os.fsdecode(rest.split(b" ")[0])
