"""The first process of a pid namespace: takes in whoever loses their parent, and takes everybody with it when it ends.

It is a copy of its keeper that runs no other program, as confined as the commands that live beside it, one after the
other. It ends when its keeper is gone. Whoever is in its namespace and is not its descendant is the shell of a
command, or a descendant of that: a child of the keeper.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import marshal
import os
import resource
import signal
import struct
from typing import TYPE_CHECKING, NoReturn

from limpet.kernel import namespaces, rights
from limpet.kernel.landlock.restrict import enforce_packed
from limpet.kernel.mounts import carry_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.process.wire import Message

BUILT, STARTED, FAILED = b"b", b"+", b"-"
"""The first bytes that it says, each read alone: it waits in between, or words may follow at once."""
ALONE = struct.Struct("=?dd")
"""Its words: whether it has no child any more, and the seconds that those it has reaped since have used."""
_REPORT, _LIFELINE = 3, 4
"""Where its descriptors are once it has started."""
_WATCHED = {signal.SIGCHLD, signal.SIGIO}


def be_first(
    confinement: Message,
    view: int,
    steps: tuple[tuple[object, ...], ...],
    load_filter: Callable[[], None],
    ends: tuple[int, int],
) -> NoReturn:
    """Live as the first process. Never returns.

    It makes a copy of the view with what belongs to its namespace, and waits until its keeper has got hold of both.
    `ends`: where it tells its keeper, and where it is asked by it, until that is gone.
    """
    report, lifeline = ends
    try:
        signal.set_wakeup_fd(-1)
        signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
        namespaces.enter(view, namespaces.MOUNT)
        namespaces.unshare(namespaces.MOUNT)
        carry_out(steps)
        os.write(report, BUILT)
        if os.read(lifeline, 1):
            restrict(confinement, load_filter)
            rights.be_unreadable()
            os.write(report, STARTED)
            _take_in(ends)
    except OSError as error:
        why = f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"
        os.write(report, FAILED + marshal.dumps((error.errno or errno.EIO, why)))
    finally:
        os._exit(1)


def restrict(confinement: Message, load_filter: Callable[[], None]) -> None:
    """This thread, and whatever it starts: for good."""
    rules = confinement["landlock"]
    if rules is not None:
        enforce_packed(rules)
    rights.give_up_capabilities()
    load_filter()


def _take_in(ends: tuple[int, int]) -> NoReturn:
    """Reap whoever comes, tell when nobody is left, answer whether that is so, and end when nobody is there to ask."""
    _keep_only(ends)
    _be_woken_by(_LIFELINE)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    while (asked := _asked()) is not None:
        reaped, alone = _reap()
        if asked or (reaped and alone):
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            _tell(ALONE.pack(alone, used.ru_utime - before.ru_utime, used.ru_stime - before.ru_stime))
            before = used
        signal.sigwait(_WATCHED)
    os._exit(0)


def _keep_only(ends: tuple[int, int]) -> None:
    """Descriptors 0 to 2 it has no use for, and must not keep anything open."""
    for offset, fd in enumerate(ends):
        os.dup2(fd, 20 + offset, inheritable=False)
    for offset in range(len(ends)):
        os.dup2(20 + offset, _REPORT + offset, inheritable=False)
    os.closerange(_LIFELINE + 1, 1 << 16)
    for fd in range(3):
        os.dup2(_LIFELINE, fd, inheritable=False)


def _be_woken_by(pipe: int) -> None:
    """Whatever happens to this pipe is told by a signal."""
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK)


def _asked() -> bool | None:
    """Whether the keeper has asked something; None when it is gone."""
    try:
        return True if os.read(_LIFELINE, 64) else None
    except BlockingIOError:
        return False


def _reap() -> tuple[bool, bool]:
    """All children that have ended: whether there were any, and whether there are none left."""
    reaped = False
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            reaped = True
    except ChildProcessError:
        return reaped, True
    return reaped, False


def _tell(word: bytes) -> None:
    with contextlib.suppress(OSError):
        os.write(_REPORT, word)
