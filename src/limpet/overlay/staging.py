"""A folder in the workspace, for as long as a commit or undo takes, where what is to be put in place lies ready.

Needed only where the state directory is on another filesystem: nothing can be moved from one to another at once. The
workspace itself looks afterwards as if it had never been there.
"""

from __future__ import annotations

import contextlib
import os

from limpet.overlay.flush import flush_folders
from limpet.overlay.remove import remove_tree
from limpet.overlay.tree import Tree


def place_in(workspace: str, name: str) -> str:
    """Where it is, for one commit."""
    return os.path.join(workspace, f".limpet-{name}")


Times = tuple[int, int]
"""When the workspace itself was last read and changed. A crash must not make its folder look changed."""


def times_of(workspace: str) -> Times:
    """As they are now."""
    status = os.stat(workspace)
    return status.st_atime_ns, status.st_mtime_ns


def make(stage: str, times: Times) -> None:
    """Raises OSError."""
    os.mkdir(stage, 0o700)
    _finish(os.path.dirname(stage), times)


def remove(stage: str, times: Times) -> None:
    """With whatever is in it. What is not there is gone already, and what is no folder is not it."""
    if not os.path.islink(stage):
        remove_tree(stage)
    _finish(os.path.dirname(stage), times)


def _finish(workspace: str, times: Times) -> None:
    """On the disk before the journal, on another one, says that it is there, or knows no more that it was."""
    with contextlib.suppress(OSError):  # somebody else's folder: its times are theirs to set
        os.utime(workspace, ns=times)
    with Tree(workspace) as tree:
        flush_folders(tree, [b""])
