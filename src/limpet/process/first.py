"""The first process behind the walls: builds the last of them, starts the shell, and is there until nothing else is.

It is a copy of its keeper that runs no other program. When it ends, the kernel ends whatever it leaves; it ends when
nothing is left, or when its keeper is gone.
"""

from __future__ import annotations

import contextlib
import errno
import marshal
import os
import resource
import select
import signal
import struct
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from limpet.kernel import namespaces, rights
from limpet.kernel.landlock.restrict import enforce_packed
from limpet.kernel.mounts import View, carry_out
from limpet.process import bound
from limpet.process.wakeups import child_wakeups, empty

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.process.wire import Message

_SETTABLE = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})
STARTED, FAILED = b"+", b"-"
"""The first byte that it says: words may follow at once, so it is read alone."""
_WORD = struct.Struct("=i?ddQ")
_CONSOLE = "/dev/console"
_REPORT, _LIFELINE = 3, 4
"""Where its two descriptors are once the shell has been started."""


class Word(NamedTuple):
    """What it tells its keeper once the shell has been started."""

    status: int
    """The shell's wait status; -1 while it runs."""
    empty: bool
    """Nothing is left but the first process itself, which ends now."""
    user: float = 0.0
    system: float = 0.0
    rss: int = 0
    """What everything that has ended has used, in seconds and bytes."""


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
            said = os.read(self.report, 64 * _WORD.size)
            if said:
                return Word(*_WORD.unpack(said[-_WORD.size :]))
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
    ends: tuple[int, int],
) -> NoReturn:
    """Live as the first process, behind a confinement with its view and its filter. Never returns."""
    (confinement, view, load_filter), (report, lifeline) = walls, ends
    try:
        signal.set_wakeup_fd(-1)
        own = _terminal(actions[0][1]) if job["terminal"] else None
        _build(confinement, view, job["cwd"])
        if own is not None:
            _show(own, job)
        _restrict(confinement, load_filter)
        shell = _start(job, actions, bind)
        os.write(report, STARTED)
        _see_out(shell, report, lifeline)
    except OSError as error:
        why = f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"
        os.write(report, FAILED + marshal.dumps((error.errno or errno.EIO, why)))
    finally:
        os._exit(1)


def _start(job: Message, actions: list[tuple[int, int, int]], bind: dict[str, tuple[int, int, int]]) -> int:
    if bind or job["terminal"]:  # what is for the shell alone
        return bound.start({**job, "confinement": None}, actions, bind, b"")
    return os.posix_spawn(
        job["executable"], job["argv"], job["env"], file_actions=actions, setsid=True, setsigdef=_SETTABLE,
        setsigmask=(),
    )  # fmt: skip


def _terminal(fd: int) -> View | None:
    """The device of the command's own terminal, taken out of the view that has those of everybody."""
    view = View()
    with contextlib.suppress(OSError):
        namespaces.unshare(namespaces.MOUNT)
        view.take(_CONSOLE, os.ttyname(fd))
        view.lock_device(_CONSOLE)
        return view
    view.close()
    return None


def _show(own: View, job: Message) -> None:
    """Where there is no place for it, the command does without a name for its terminal."""
    with contextlib.suppress(OSError):
        own.put(_CONSOLE, _CONSOLE)
        job["console"] = _CONSOLE
    own.close()


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


def _see_out(shell: int, report: int, lifeline: int) -> NoReturn:
    """Reap whatever comes, tell of the shell, and end when nothing is left or nobody is there to be told."""
    os.dup2(report, 20, inheritable=False)
    os.dup2(lifeline, 21, inheritable=False)
    os.dup2(20, _REPORT, inheritable=False)
    os.dup2(21, _LIFELINE, inheritable=False)
    os.closerange(_LIFELINE + 1, 1 << 16)
    for fd in range(3):
        os.dup2(_LIFELINE, fd, inheritable=False)  # it has no use for them, and must not keep the pipes open
    wake = child_wakeups()
    poll = select.poll()
    poll.register(_LIFELINE, select.POLLIN)
    poll.register(wake, select.POLLIN)
    status = -1
    while True:
        status = _reap(shell, status)
        if any(fd == _LIFELINE for fd, _ in poll.poll()):
            os._exit(0)
        empty(wake)


def _reap(shell: int, status: int) -> int:
    """All that have ended; when there is nobody left, so do we. How the shell ended, once it has."""
    said = status
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == shell:
                status = ended[1]
    except ChildProcessError:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        _tell(Word(status, empty=True, user=used.ru_utime, system=used.ru_stime, rss=used.ru_maxrss * 1024))
        os._exit(0)
    if status != said:
        _tell(Word(status, empty=False))
    return status


def _tell(word: Word) -> None:
    with contextlib.suppress(OSError):
        os.write(_REPORT, _WORD.pack(*word))
