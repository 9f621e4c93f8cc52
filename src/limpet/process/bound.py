"""A job -> its shell, held by what a process can only put on itself: limits, Landlock, a filter, no capabilities."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import termios
from typing import TYPE_CHECKING, NoReturn

from limpet.process import rlimit

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.process.wire import Message

_SETTABLE = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})
_Actions = list[tuple[int, int, int]]
_Bind = dict[str, tuple[int, int, int]]


def start(job: Message, actions: _Actions, bind: _Bind, folder: bytes) -> int:
    """Like `posix_spawn`, with restrictions that the keeper itself could not live with. Raises OSError.

    `folder` is one of the command's own, if it is to have one.
    """
    restrict = _restrictions(job, folder, bind)
    reading, writing = os.pipe2(os.O_CLOEXEC)
    try:
        pid = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if pid == 0:
        _become(job, _environment(job, folder), actions, restrict, writing)
    os.close(writing)
    with open(reading, "rb") as file:
        failed = file.read()
    if failed:
        os.waitpid(pid, 0)
        number, _, why = failed.partition(b" ")
        raise OSError(int(number), os.fsdecode(why))
    return pid


def _restrictions(job: Message, folder: bytes, bind: _Bind) -> Callable[[], None]:
    """What the child is to put on, with everything that it takes loaded before it exists."""
    confinement = job["confinement"]
    if confinement is None:
        return lambda: rlimit.lower(bind)
    from limpet.process.confine import confine  # noqa: PLC0415 - a server that contains nothing does without

    def put_on() -> None:
        confine(confinement, folder, terminal=job["terminal"])
        rlimit.lower(bind)  # last: they may leave no descriptor to work with

    return put_on


def _environment(job: Message, folder: bytes) -> dict[bytes, bytes]:
    names = job["confinement"]["scratch"] if folder else ()
    return {**job["env"], **dict.fromkeys(names, folder)}


def _know_by_name(path: str | None) -> None:
    """Behind walls the terminal has another name: who asks for that of a descriptor is to hear the one that works."""
    if path is None:
        return
    with contextlib.suppress(OSError):  # then it is used by its descriptors alone
        fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        for target in filter(os.isatty, range(3)) if os.isatty(fd) else ():
            os.dup2(fd, target)


def _become(
    job: Message, env: dict[bytes, bytes], actions: _Actions, restrict: Callable[[], None], writing: int
) -> NoReturn:
    """In a child: become the shell."""
    try:
        signal.set_wakeup_fd(-1)
        os.setsid()
        for number in _SETTABLE:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        for _, fd, target in actions:
            os.dup2(fd, target)
            # dup2 leaves a descriptor that is in its place already as it is
            os.set_inheritable(target, True)  # noqa: FBT003 - it takes no keywords
        if job["terminal"]:
            fcntl.ioctl(1, termios.TIOCSCTTY, 0)  # not 0: a shell that lives on reads its script there
            _know_by_name(job.get("console"))
        restrict()
        os.execve(job["executable"], job["argv"], env)  # noqa: S606 - it is a shell
    except OSError as error:
        why = f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"
        os.write(writing, b"%d %b" % (error.errno or errno.EIO, os.fsencode(why)))
    finally:
        os._exit(127)
