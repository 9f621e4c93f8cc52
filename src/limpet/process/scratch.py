"""A folder for one command's temporary files, where it cannot have a /tmp of its own: made, emptied, gone.

Named like the control groups of its keeper, after the server and its start time: whoever finds one can tell whether
anybody still cares about it.
"""

from __future__ import annotations

import contextlib
import os
import stat

from limpet.process import cgroup

_PARENT = "/tmp"  # noqa: S108 - the folders in it are private, and are never taken when they exist already


def place(name: str) -> bytes:
    """Where the keeper of this name has its folder."""
    return os.fsencode(os.path.join(_PARENT, name))


def make(folder: bytes) -> None:
    """A new one. Raises OSError when somebody else has made one there."""
    os.mkdir(folder, 0o700)


def sweep() -> None:
    """Take away those whose server is gone: it was killed before it could."""
    with contextlib.suppress(OSError):
        for name in os.listdir(_PARENT):
            if cgroup.is_stale(name):
                remove(place(name))


def remove(folder: bytes) -> None:
    """Take it away with all that is in it, however deep. Nothing that could interfere is alive any more.

    Folders are moved to the top before they are opened: nothing here depends on how deep they were.
    """
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if os.fstat(fd).st_uid == os.geteuid():
                _empty(fd)
        finally:
            os.close(fd)
        os.rmdir(folder)


def _empty(top: int) -> None:
    moved = 0
    while names := os.listdir(top):
        for name in names:
            if _is_folder(name, top):
                moved = _hoist(name, top, moved)
                os.rmdir(name, dir_fd=top)
            else:
                os.unlink(name, dir_fd=top)


def _hoist(name: str, top: int, moved: int) -> int:
    """Empty a folder: its files are removed, its folders moved to the top under names that nobody has."""
    os.chmod(name, 0o700, dir_fd=top)
    fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
    try:
        for child in os.listdir(fd):
            if not _is_folder(child, fd):
                os.unlink(child, dir_fd=fd)
                continue
            os.chmod(child, 0o700, dir_fd=fd)  # a folder that cannot be written cannot be moved
            while _is_there(f"moved-{moved}", top):
                moved += 1
            os.rename(child, f"moved-{moved}", src_dir_fd=fd, dst_dir_fd=top)
    finally:
        os.close(fd)
    return moved


def _is_folder(name: str, folder: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
