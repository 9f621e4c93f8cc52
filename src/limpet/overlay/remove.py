"""A folder -> gone, with whatever is in it: also folders that are closed to their owner."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat

from limpet.overlay.tree import Tree, chmod


def remove_tree(folder: str) -> None:
    """Links are removed and not followed. What is not there is gone already. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        try:
            shutil.rmtree(folder)
        except (PermissionError, RecursionError):
            _remove_patiently(folder)


def empty_tree(folder: str) -> None:
    """The same for everything in a folder, which stays. Raises OSError."""
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            remove_tree(entry.path)
        else:
            os.unlink(entry.path)


def _remove_patiently(folder: str) -> None:
    """The kernel's own folders, and those of commands, may allow nothing at all, and be deep."""
    parent, own = os.path.split(os.path.abspath(folder))
    with Tree(parent) as above:
        chmod(above.entry(os.fsencode(own)), stat.S_IRWXU)
    with Tree(folder, ours=True) as tree:
        below = []
        for path, status in tree.below(b""):
            if stat.S_ISDIR(status.st_mode):
                tree.loosen(path)
            below.append((path, stat.S_ISDIR(status.st_mode)))
        for path, is_folder in reversed(below):
            around, name = tree.entry(path)
            (os.rmdir if is_folder else os.unlink)(name, dir_fd=around)
    os.rmdir(folder)
