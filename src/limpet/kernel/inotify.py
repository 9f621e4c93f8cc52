"""Folders -> a descriptor that becomes readable when a name in one of them comes or goes, or leads elsewhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.kernel.syscalls import call

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF = 0x400, 0x800
_ONLY_A_FOLDER = 0x1000000
_ADD = 0x20000000
"""To what was asked for before: two paths may lead to one folder."""
_ITSELF = _DELETE_SELF | _MOVE_SELF | _ONLY_A_FOLDER | _ADD
_NAMES = _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE


def watch(folders: Iterable[str], around: Iterable[str]) -> int:
    """Of those `around` it is told only when they are moved or removed themselves. Raises OSError."""
    fd = call("inotify_init1", os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        for folder in folders:
            call("inotify_add_watch", fd, os.fsencode(folder), _NAMES | _ITSELF)
        for folder in around:
            call("inotify_add_watch", fd, os.fsencode(folder), _ITSELF)
    except BaseException:
        os.close(fd)
        raise
    return fd
