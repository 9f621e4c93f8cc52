"""A folder -> gone, with whatever is in it: also folders that are closed to their owner."""

from __future__ import annotations

import contextlib
import os
import shutil


def remove_tree(folder: str) -> None:
    """Links are removed and not followed. What is not there is gone already. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        try:
            shutil.rmtree(folder)
        except PermissionError:
            _open_up(folder)
            shutil.rmtree(folder)


def empty_tree(folder: str) -> None:
    """The same for everything in a folder, which stays. Raises OSError."""
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            remove_tree(entry.path)
        else:
            os.unlink(entry.path)


def _open_up(folder: str) -> None:
    """The kernel's own folders, and those of commands, may allow nothing at all."""
    os.chmod(folder, 0o700)
    for place, folders, _ in os.walk(folder):
        for name in folders:
            path = os.path.join(place, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
