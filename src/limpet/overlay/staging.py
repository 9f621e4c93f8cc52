"""A folder in the workspace, for as long as a commit or undo takes, where what is to be put in place lies ready.

Needed only where the state directory is on another filesystem: nothing can be moved from one to another at once. The
workspace itself looks afterwards as if it had never been there.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from limpet.overlay.remove import remove_tree

if TYPE_CHECKING:
    from collections.abc import Iterator


def place_in(workspace: str, name: str) -> str:
    """Where it is, for one commit."""
    return os.path.join(workspace, f".limpet-{name}")


def make(stage: str) -> None:
    """Raises OSError."""
    with _unnoticed(os.path.dirname(stage)):
        os.mkdir(stage, 0o700)


def remove(stage: str) -> None:
    """With whatever is in it. What is not there is gone already."""
    if os.path.lexists(stage):
        with _unnoticed(os.path.dirname(stage)):
            remove_tree(stage)


@contextlib.contextmanager
def _unnoticed(folder: str) -> Iterator[None]:
    """The times of the folder stay."""
    status = os.stat(folder)
    yield
    with contextlib.suppress(OSError):
        os.utime(folder, ns=(status.st_atime_ns, status.st_mtime_ns))
