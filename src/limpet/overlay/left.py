"""How a commit left the workspace -> what a later look is compared with."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING

from limpet.overlay.journal import Left
from limpet.overlay.layer import is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.model.change import Change
    from limpet.overlay.conflicts import Own
    from limpet.overlay.steps import Steps
    from limpet.overlay.tree import Tree

_OWN = struct.Struct("<Qq")


def left_by(workspace: Tree, steps: Steps, changes: Iterable[Change]) -> tuple[Left, ...]:
    """Everything that the steps put there, with all that is in it, and the folders around it."""
    workspace.forget()
    digests = {os.fsencode(change.path): change.after.digest for change in changes if change.after is not None}
    paths = dict(_there(workspace, steps))
    return tuple(_left(path, status, digests.get(path, "")) for path, status in sorted(paths.items()))


def _there(workspace: Tree, steps: Steps) -> Iterator[tuple[bytes, os.stat_result]]:
    tops = [step.path for step in steps.steps if step.new is not None] + [folder.path for folder in steps.folders]
    for path in tops:
        status = workspace.status(path)
        if status is not None:
            yield path, status
    for step in steps.steps:
        if step.new is not None and is_folder(workspace.status(step.path)):
            yield from workspace.below(step.path)


def _left(path: bytes, status: os.stat_result, digest: str) -> Left:
    return Left(path, status.st_ino, status.st_ctime_ns, status.st_mode, status.st_size, status.st_mtime_ns, digest)


def is_as_left(left: Left, status: os.stat_result) -> bool:
    """Whether nobody has touched it. What is in a folder is looked at by itself."""
    if left.mode != status.st_mode:
        return False
    return is_folder(status) or (left.inode, left.ctime_ns) == (status.st_ino, status.st_ctime_ns)


def remember_own(folder: str, left: Iterable[Left]) -> None:
    """A transaction that goes on does not take its own commit for somebody else's change."""
    fd = os.open(os.path.join(folder, "own"), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with open(fd, "wb") as file:
        file.write(b"".join(_OWN.pack(one.inode, one.ctime_ns) for one in left))


def own_of(folder: str) -> Own:
    """Inode and time of what it has put into the workspace so far."""
    try:
        with open(os.path.join(folder, "own"), "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return frozenset()
    return frozenset(_OWN.iter_unpack(data[: len(data) - len(data) % _OWN.size]))
