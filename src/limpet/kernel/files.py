"""What the kernel does with files and Python does not offer: exchange two, move one to a free name, share, sync all."""

from __future__ import annotations

import errno
import fcntl
import os

from limpet.kernel.syscalls import call

Entry = tuple[int, bytes]
"""A folder's descriptor, and a name in that folder."""

_NO_REPLACE, _EXCHANGE = 1, 2
_SHARE_ALL = 0x4004_9409
_UNKNOWN = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)


def exchange(one: Entry, other: Entry) -> None:
    """Each takes the place of the other, at once. Raises OSError; see `is_unknown`."""
    _rename(one, other, _EXCHANGE)


def move_to_free(one: Entry, other: Entry) -> None:
    """Rename, but never over something: raises FileExistsError."""
    try:
        _rename(one, other, _NO_REPLACE)
    except OSError as error:
        if not is_unknown(error):
            raise
        _move_after_looking(one, other)


def is_unknown(error: OSError) -> bool:
    """Whether the filesystem cannot do this at all, rather than not with these files."""
    return error.errno in _UNKNOWN


def share(source: int, target: int) -> bool:
    """Let a file have the contents of another without a copy being made; False where the filesystem cannot."""
    try:
        fcntl.ioctl(target, _SHARE_ALL, source)
    except OSError:
        return False
    return True


def sync_filesystem(fd: int) -> None:
    """Everything that was written to the filesystem of this file is on the disk when it returns."""
    call("syncfs", fd)


def _rename(one: Entry, other: Entry, flags: int) -> None:
    try:
        call("renameat2", one[0], one[1] + b"\0", other[0], other[1] + b"\0", flags)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fsdecode(other[1])) from None


def _move_after_looking(one: Entry, other: Entry) -> None:
    try:
        os.lstat(other[1], dir_fd=other[0])
    except FileNotFoundError:
        os.rename(one[1], other[1], src_dir_fd=one[0], dst_dir_fd=other[0])
    else:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fsdecode(other[1]))
