"""The first process behind the walls: builds the last of them, starts the shell, and is there until nothing else is.

It is a copy of its keeper that runs no other program. When it ends, the kernel ends whatever it leaves; it ends when
nothing is left, or when its keeper is gone.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import marshal
import os
import resource
import select
import signal
from typing import TYPE_CHECKING, NoReturn

from limpet.kernel import namespaces, rights
from limpet.kernel.landlock.restrict import enforce_packed
from limpet.kernel.mounts import carry_out
from limpet.process import bound
from limpet.process.word import WORD, Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.process.wire import Message

_SETTABLE = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})
STARTED, FAILED = b"+", b"-"
"""The first byte that it says: words may follow at once, so it is read alone."""
_REPORT, _LIFELINE, _CLIENT = 3, 4, 5
"""Where its descriptors are once the shell has been started."""
_WATCHED = {signal.SIGCHLD, signal.SIGIO}


class Behind:
    """The first process, seen by its keeper."""

    def __init__(self, pid: int, report: int, lifeline: int) -> None:
        self.pid = pid
        self.report = report
        """Becomes readable when it has something to tell."""
        self._lifeline = lifeline

    def last_word(self) -> Word | None:
        """The latest that it said since it was asked; None when that is nothing."""
        with contextlib.suppress(BlockingIOError):
            said = os.read(self.report, 64 * WORD.size)
            if said:
                return Word(*WORD.unpack(said[-WORD.size :]))
        return None

    def kill(self) -> None:
        """End it, and with it everything behind the walls. It is our child, so its number is still its own."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """End it, if it has not, wait until it has, and let go of it."""
        self.kill()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        os.close(self.report)
        os.close(self._lifeline)


def be_first(
    job: Message,
    walls: tuple[Message, int, Callable[[], None]],
    actions: list[tuple[int, int, int]],
    bind: dict[str, tuple[int, int, int]],
    ends: tuple[int, int, int],
) -> NoReturn:
    """Live as the first process, behind a confinement with its view and its filter. Never returns.

    `ends`: where it tells its keeper, what tells it that the keeper is gone, and where it tells the client, or -1.
    """
    (confinement, view, load_filter), (report, *_) = walls, ends
    try:
        signal.set_wakeup_fd(-1)
        signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
        _build(confinement, view, job["cwd"])
        _restrict(confinement, load_filter)
        shell = _start(job, actions, bind)
        os.write(report, STARTED)
        _see_out(shell, ends)
    except OSError as error:
        why = f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"
        os.write(report, FAILED + marshal.dumps((error.errno or errno.EIO, why)))
    finally:
        os._exit(1)


def _start(job: Message, actions: list[tuple[int, int, int]], bind: dict[str, tuple[int, int, int]]) -> int:
    if bind:  # limits that are for the shell alone
        return bound.start({**job, "confinement": None}, actions, bind, b"")
    return os.posix_spawn(
        job["executable"], job["argv"], job["env"], file_actions=actions, setsid=True, setsigdef=_SETTABLE,
        setsigmask=(),
    )  # fmt: skip


def _build(confinement: Message, view: int, cwd: bytes) -> None:
    """A copy of the prepared view, with what is this command's alone."""
    namespaces.enter(view, namespaces.MOUNT)
    namespaces.unshare(namespaces.MOUNT)
    carry_out(confinement["fresh"])
    os.chdir(cwd)


def _restrict(confinement: Message, load_filter: Callable[[], None]) -> None:
    """The first process as much as the shell: it needs nothing of what is taken away here."""
    rules = confinement["landlock"]
    if rules is not None:
        enforce_packed(rules)
    rights.give_up_capabilities()
    rights.be_unreadable()
    load_filter()


def _see_out(shell: int, ends: tuple[int, int, int]) -> NoReturn:
    """Reap whatever comes, tell of the shell, and end when nothing is left or nobody is there to be told."""
    _keep_only(ends)
    _be_woken_by(_LIFELINE)
    listeners = [_CLIENT, _REPORT] if ends[2] >= 0 else [_REPORT]
    status = -1
    while not _is_over(_LIFELINE):
        status = _reap(shell, status, listeners)
        signal.sigwait(_WATCHED)
    os._exit(0)


def _keep_only(ends: tuple[int, int, int]) -> None:
    """Descriptors 0 to 2 it has no use for, and must not keep the pipes open."""
    for offset, fd in enumerate(ends):
        if fd >= 0:
            os.dup2(fd, 20 + offset, inheritable=False)
    for offset, fd in enumerate(ends):
        if fd >= 0:
            os.dup2(20 + offset, _REPORT + offset, inheritable=False)
    os.closerange(_REPORT + sum(fd >= 0 for fd in ends), 1 << 16)
    for fd in range(3):
        os.dup2(_LIFELINE, fd, inheritable=False)


def _be_woken_by(pipe: int) -> None:
    """Whatever happens to this pipe is told by a signal."""
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def _is_over(lifeline: int) -> bool:
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    return bool(poll.poll(0))


def _reap(shell: int, status: int, listeners: list[int]) -> int:
    """All that have ended; when there is nobody left, so do we. How the shell ended, once it has."""
    said = status
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == shell:
                status = ended[1]
    except ChildProcessError:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        _tell(Word(status, empty=True, user=used.ru_utime, system=used.ru_stime, rss=used.ru_maxrss * 1024), listeners)
        os._exit(0)
    if status != said:
        _tell(Word(status, empty=False), [_REPORT])
    return status


def _tell(word: Word, listeners: list[int]) -> None:
    said = WORD.pack(*word)
    for listener in listeners:
        with contextlib.suppress(OSError):
            os.write(listener, said)
