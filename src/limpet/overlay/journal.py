"""What a commit is about to do, is doing and has done: written down so that a crash at any point can be put right.

`commits/<name>/journal` below the state directory: records, each with its length and a checksum, the last one perhaps
cut off. Beside it, `slots` has what is not in the workspace: first what is to come, afterwards what was there.
"""

from __future__ import annotations

import errno
import os
import struct
import zlib
from typing import TYPE_CHECKING

import msgspec

from limpet.model.change import Change, Conflict
from limpet.overlay.pack import pack, unpack
from limpet.overlay.staging import Times
from limpet.overlay.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = struct.Struct("<II")


class Begun(msgspec.Struct, frozen=True, kw_only=True, tag="begun"):
    """Nothing has happened to the workspace yet."""

    workspace: str
    at: float
    stage: str = ""
    """A folder in the workspace that has the slots meanwhile, where the state directory is on another filesystem."""
    upper: str = ""
    """The layer that new files are taken from."""
    label: str = ""
    times: Times = (0, 0)
    """Those of the workspace's folder, without that other folder in it; so in the following records."""


class Planned(msgspec.Struct, frozen=True, kw_only=True, tag="planned"):
    """From here on the steps may have been taken. A later one counts instead of an earlier one."""

    steps: Steps


class Left(msgspec.Struct, frozen=True, array_like=True):
    """How a path was left: what a later look is compared with."""

    path: bytes
    inode: int
    ctime_ns: int
    mode: int
    size: int
    mtime_ns: int
    digest: str = ""


class Done(msgspec.Struct, frozen=True, kw_only=True, tag="done"):
    """All steps were taken."""

    left: tuple[Left, ...] = ()
    changes: tuple[Change, ...] = ()
    kept_bytes: int = 0
    overwritten: tuple[Conflict, ...] = ()
    times: Times = (0, 0)


class Kept(msgspec.Struct, frozen=True, tag="kept"):
    """The slots are in the state directory again, and the folder in the workspace may go."""


class Undoing(msgspec.Struct, frozen=True, tag="undoing"):
    """From here on steps may have been taken back."""

    stage: str = ""
    times: Times = (0, 0)


class Undone(msgspec.Struct, frozen=True, tag="undone"):
    """All were."""

    times: Times = (0, 0)


class Restored(msgspec.Struct, frozen=True, tag="restored"):
    """An undo that did not come to its end was itself taken back: the commit stands as before."""


class Stuck(msgspec.Struct, frozen=True, tag="stuck"):
    """Some paths are in somebody else's hands: what belongs there stays in the slots."""

    paths: tuple[bytes, ...]


Record = Begun | Planned | Done | Kept | Undoing | Undone | Restored | Stuck


class Journal:
    """Records are added at the end, and are on the disk when `add` returns."""

    def __init__(self, path: str, *, durable: bool = True) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        self._durable = durable

    def add(self, record: Record) -> None:
        """Raises OSError; what is there of it then is ignored by whoever reads."""
        data = _framed(pack(record))
        end = self._end()
        os.ftruncate(self._fd, end)
        at = end
        while data:
            written = os.pwrite(self._fd, data, at)
            data, at = data[written:], at + written
        if self._durable:
            os.fsync(self._fd)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._fd)

    def _end(self) -> int:
        return max((end for _, end in _payloads(_everything(self._fd))), default=0)


def records_of(path: str) -> list[Record]:
    """In order. Raises OSError, also where it is somebody else's: what it says would be done with our rights."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        owner = os.fstat(fd).st_uid
        if owner != os.geteuid():
            raise PermissionError(errno.EPERM, f"it belongs to user {owner}, who alone can go on with it", path)
        data = _everything(fd)
    finally:
        os.close(fd)
    return [unpack(payload, Record) for payload, _ in _payloads(data)]  # type: ignore[arg-type]  # a union is no type


def _payloads(data: bytes) -> Iterator[tuple[bytes, int]]:
    at = 0
    while at + _HEAD.size <= len(data):
        size, checksum = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        payload = data[at : at + size]
        if len(payload) < size or zlib.crc32(payload) != checksum:
            return
        at += size
        yield payload, at


def _framed(payload: bytes) -> bytes:
    return _HEAD.pack(len(payload), zlib.crc32(payload)) + payload


def _everything(fd: int) -> bytes:
    pieces, at = [], 0
    while piece := os.pread(fd, 1 << 20, at):
        pieces.append(piece)
        at += len(piece)
    return b"".join(pieces)
