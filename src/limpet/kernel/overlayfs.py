"""A folder, and a place for what changes -> a mount that shows the folder and writes to the place."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from typing import TYPE_CHECKING

from limpet.kernel.syscalls import call

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOEXEC = 1
_FLAG, _STRING, _CREATE = 0, 1, 6
_PATIENCE = 5.0
_PAUSE = 0.005


def layered(lower: str, upper: str, work: str) -> int:
    """The mount, not yet put anywhere, as a descriptor. Raises OSError with the folder that is to blame.

    Nothing is forced to the disk while commands run: what they change is dropped unless it is committed. So the
    kernel leaves a mark, by which it would refuse the same folders after a crash; we know whether there was one.
    """
    end = time.monotonic() + _PATIENCE
    while True:
        _forget_mark(work)
        try:
            return _mount(lower, upper, work)
        except OSError as error:
            # An earlier mount of the same folders goes a moment after the last process that saw it.
            if error.errno != errno.EBUSY or time.monotonic() > end:
                raise OSError(error.errno, f"{error.strerror} (overlay of {lower})", upper) from None
        time.sleep(_PAUSE)


def _mount(lower: str, upper: str, work: str) -> int:
    context = call("fsopen", b"overlay\0", _CLOEXEC)
    try:
        with _by_descriptor(lower, upper, work) as paths:
            for name, path in zip((b"lowerdir\0", b"upperdir\0", b"workdir\0"), paths, strict=True):
                call("fsconfig", context, _STRING, name, path, 0)
            call("fsconfig", context, _FLAG, b"userxattr\0", 0, 0)
            call("fsconfig", context, _FLAG, b"volatile\0", 0, 0)
            # Without rights over the machine there is no index; but two mounts of one upper folder are refused.
            call("fsconfig", context, _STRING, b"index\0", b"on\0", 0)
            call("fsconfig", context, _CREATE, 0, 0, 0)
        return call("fsmount", context, _CLOEXEC, 0)
    finally:
        os.close(context)


@contextlib.contextmanager
def _by_descriptor(*paths: str) -> Iterator[list[bytes]]:
    """Names that mean the same: short, and without a comma, colon or backslash."""
    held: list[int] = []
    try:
        # Not `extend`: when one cannot be opened, those before it are to be closed.
        for path in paths:
            held += [os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)]
        yield [b"/proc/self/fd/%d\0" % fd for fd in held]
    finally:
        for fd in held:
            os.close(fd)


def _forget_mark(work: str) -> None:
    mark = os.path.join(work, "work", "incompat", "volatile")
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(mark):
            os.unlink(os.path.join(mark, name))
        os.rmdir(mark)
