"""Files and folders -> on the disk, so that not even a power loss takes them back."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from limpet.kernel.files import sync_filesystem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.overlay.steps import Steps
    from limpet.overlay.tree import Tree

_FEW = 64
"""More than these are flushed with everything else on their filesystem: that costs less."""


def flush(tree: Tree, paths: Iterable[bytes]) -> None:
    """Contents of files and folders, with all that is below them. Raises OSError."""
    found: list[bytes] = []
    for path in paths:
        status = tree.status(path)
        if status is None:
            continue
        if _is_flushable(status):
            found.append(path)
        if path and stat.S_ISDIR(status.st_mode):
            found += [one for one, below in tree.below(path) if _is_flushable(below)]
        if len(found) > _FEW:
            _flush_all(tree)
            return
    for path in found:
        _flush_one(tree, path)


def flush_folders(tree: Tree, paths: Iterable[bytes]) -> None:
    """Which names are in them."""
    found = list(paths)
    if len(found) > _FEW:
        _flush_all(tree)
        return
    for path in found:
        _flush_one(tree, path)


def flush_taken(steps: Steps, workspace: Tree, slots: Tree) -> None:
    """Whatever was moved between them is where it is now: to be known before that is written down, or forgotten."""
    flush_folders(workspace, [folder.path for folder in steps.folders if workspace.status(folder.path) is not None])
    flush_folders(slots, [b""])


def _is_flushable(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)


def _flush_one(tree: Tree, path: bytes) -> None:
    folder, name = tree.entry(path)
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except PermissionError:  # closed even to us: then with all others
        _flush_all(tree)
        return
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _flush_all(tree: Tree) -> None:
    fd = os.open(tree.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        sync_filesystem(fd)
    finally:
        os.close(fd)
