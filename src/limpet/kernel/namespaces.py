"""Namespaces: made, entered, and the ids that hold in them."""

from __future__ import annotations

import functools
import os
import signal
from typing import TYPE_CHECKING

from limpet.kernel.syscall_numbers import number
from limpet.kernel.syscalls import call, machine

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = 0x0000_0200
"""No namespace: the current folder and the umask, which threads share until they are unshared."""
MOUNT = 0x0002_0000
CGROUP = 0x0200_0000
UTS = 0x0400_0000
IPC = 0x0800_0000
USER = 0x1000_0000
PID = 0x2000_0000
NETWORK = 0x4000_0000

_ALL_IDS = 0xFFFF_FFFF


def unshare(flags: int) -> None:
    """Leave the namespaces of these kinds for new ones; a new pid namespace is for the next child."""
    call("unshare", flags)


def enter(fd: int, kind: int) -> None:
    """Enter the namespace that a descriptor stands for."""
    call("setns", fd, kind)


def fork_into(flags: int) -> int:
    """Like `os.fork`, into new namespaces: with PID the child is the first process there. For one thread only.

    Python is not told. It need not be: nothing is held by another thread, and the child only ever starts one program.
    """
    here = machine()
    which = None if here is None else number(here, "clone")
    pid = _raw()(which if which is not None else -1, flags | signal.SIGCHLD, 0, 0, 0, 0)
    if pid < 0:
        import ctypes  # noqa: PLC0415 - loaded already

        errno = ctypes.get_errno()
        raise OSError(errno, os.strerror(errno), "clone")
    return pid


@functools.cache
def _raw() -> Callable[..., int]:
    """The C library's `syscall`, called with the interpreter's lock held: a child that waited for it would hang."""
    import ctypes  # noqa: PLC0415 - costs milliseconds

    function = ctypes.PyDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    function.argtypes = [ctypes.c_long] * 6
    return function


def keep_all_ids(pid: int) -> None:
    """In the user namespace of another process everybody is who they are. Only root may, and only from outside."""
    for name in ("uid_map", "gid_map"):
        _write(f"/proc/{pid}/{name}", b"0 0 %d" % _ALL_IDS)


def keep_own_ids(uid: int, gid: int) -> None:
    """In this process's new user namespace its user is who they are, and everybody else is nobody."""
    _write("/proc/self/setgroups", b"deny")
    _write("/proc/self/uid_map", b"%d %d 1" % (uid, uid))
    _write("/proc/self/gid_map", b"%d %d 1" % (gid, gid))


def _write(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)
