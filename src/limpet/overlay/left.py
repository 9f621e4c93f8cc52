"""How a commit left the workspace -> what a later look is compared with."""

from __future__ import annotations

import contextlib
import os
import struct
from typing import TYPE_CHECKING

from limpet.overlay.journal import Left
from limpet.overlay.layer import is_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

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


def put_back(workspace: Tree, steps: Steps) -> tuple[Left, ...]:
    """What was there before, and is there again: to be moved there and back has changed when it was last changed."""
    workspace.forget()
    paths = [step.path for step in steps.steps if step.old is not None]
    paths += [folder.path for folder in steps.folders if folder.times]
    there = ((path, workspace.status(path)) for path in paths)
    return tuple(_left(path, status, "") for path, status in there if status is not None)


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


def reserve_own(folder: str, count: int) -> None:
    """Room for so many, before anything is moved: a commit that fails on a full disk has something to remember, too."""
    with _own(folder) as fd:
        os.posix_fallocate(fd, os.fstat(fd).st_size, max(1, count) * _OWN.size)


def remember_own(folder: str, left: Collection[Left]) -> None:
    """A transaction that goes on does not take its own commit for somebody else's change."""
    data = b"".join(_OWN.pack(one.inode, one.ctime_ns) for one in left)
    with _own(folder) as fd:
        os.pwrite(fd, data, _used(fd))


@contextlib.contextmanager
def _own(folder: str) -> Iterator[int]:
    fd = os.open(os.path.join(folder, "own"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield fd
    finally:
        os.close(fd)


def _used(fd: int) -> int:
    """Without the room that is left."""
    data = os.pread(fd, os.fstat(fd).st_size, 0).rstrip(b"\0")
    return -(-len(data) // _OWN.size) * _OWN.size


def own_of(folder: str) -> Own:
    """Inode and time of what it has put into the workspace so far."""
    try:
        with open(os.path.join(folder, "own"), "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return frozenset()
    return frozenset(one for one in _OWN.iter_unpack(data[: len(data) - len(data) % _OWN.size]) if any(one))
