"""The first process behind the walls: builds the last of them, starts the shell, and is there until nothing else is.

It is a copy of its keeper that runs no other program. When it ends, the kernel ends whatever it leaves; it ends when
nothing is left, or when its keeper is gone.
"""

from __future__ import annotations

import contextlib
import errno
import marshal
import os
import select
import signal
from typing import TYPE_CHECKING, NoReturn

from limpet.kernel import namespaces, rights
from limpet.kernel.landlock.restrict import enforce_packed
from limpet.kernel.mounts import carry_out
from limpet.kernel.seccomp.install import install
from limpet.process import rlimit
from limpet.process.wakeups import child_wakeups, empty

if TYPE_CHECKING:
    from limpet.process.wire import Message

_SETTABLE = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})
_REPORT, _LIFELINE = 3, 4
"""Where its two descriptors are once the shell has been started."""


class Behind:
    """The first process, seen by its keeper."""

    def __init__(self, pid: int, report: int, lifeline: int) -> None:
        self.pid = pid
        self.report = report
        """Tells the shell's wait status when it has ended."""
        self._lifeline = lifeline

    def status(self) -> int | None:
        """How the shell ended, once it has."""
        with contextlib.suppress(BlockingIOError):
            word = os.read(self.report, 64)
            if word:
                ended: int = marshal.loads(word)["status"]  # noqa: S302 - see `Walls`
                return ended
        return None

    def kill(self) -> None:
        """End it, and with it everything behind the walls. It is our child, so its number is still its own."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Let go of it."""
        os.close(self.report)
        os.close(self._lifeline)

    def end(self) -> None:
        """End it and wait until it has."""
        self.kill()
        os.waitpid(self.pid, 0)
        self.close()


def be_first(
    job: Message,
    confinement: Message,
    view: int,
    actions: list[tuple[int, int, int]],
    bind: dict[str, tuple[int, int, int]],
    ends: tuple[int, int],
) -> NoReturn:
    """Live as the first process. Never returns."""
    report, lifeline = ends
    try:
        signal.set_wakeup_fd(-1)
        _build(confinement, view, job["cwd"])
        rlimit.lower(bind)
        _restrict(confinement)
        shell = os.posix_spawn(
            job["executable"], job["argv"], job["env"], file_actions=actions, setsid=True, setsigdef=_SETTABLE,
            setsigmask=(),
        )  # fmt: skip
        os.write(report, marshal.dumps({"started": shell}))
        _see_out(shell, report, lifeline)
    except OSError as error:
        why = f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"
        os.write(report, marshal.dumps({"failed": error.errno or errno.EIO, "why": why}))
    finally:
        os._exit(1)


def _build(confinement: Message, view: int, cwd: bytes) -> None:
    """A copy of the prepared view, with what is this command's alone."""
    namespaces.enter(view, namespaces.MOUNT)
    namespaces.unshare(namespaces.MOUNT)
    carry_out(confinement["fresh"])
    os.chdir(cwd)


def _restrict(confinement: Message) -> None:
    """The first process as much as the shell: it needs nothing of what is taken away here."""
    rules = confinement["landlock"]
    if rules is not None:
        enforce_packed(rules)
    rights.give_up_capabilities()
    rights.be_unreadable()
    install(confinement["seccomp"])


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
    while True:
        _reap(shell)
        if any(fd == _LIFELINE for fd, _ in poll.poll()):
            os._exit(0)
        empty(wake)


def _reap(shell: int) -> None:
    """All that have ended; when there is nobody left, so do we."""
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == shell:
                os.write(_REPORT, marshal.dumps({"status": ended[1]}))
    except ChildProcessError:
        os._exit(0)
