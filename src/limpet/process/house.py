"""Where the commands of one keeper live, one after the other: a pid namespace, and what each of them gets for itself.

Every command has mount, IPC, UTS and control group namespaces of its own. The pid namespace is the same for all: the
next is let in only when nobody is left of the one before, and one from which not everybody went by themselves is
ended as a whole.
"""

from __future__ import annotations

import contextlib
import errno
import marshal
import os
import select
import signal
from typing import TYPE_CHECKING

from limpet.kernel import namespaces
from limpet.process.first import ALONE, BUILT, FAILED, STARTED, be_first
from limpet.process.slot import put_in, wait_until_single

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.process.slot import Actions, Bind
    from limpet.process.wire import Message

_PATIENCE = 30.0
_OWN = namespaces.PID | namespaces.IPC | namespaces.UTS | namespaces.CGROUP
_QUESTION = b"?"
Steps = tuple[tuple[object, ...], ...]


class House:
    """A pid namespace, held by its first process. Raises OSError when it could not be made."""

    def __init__(self, confinement: Message, view: int, load_filter: Callable[[], None]) -> None:
        self._confinement = confinement
        self._load_filter = load_filter
        of_all, self._of_one = _divided(confinement["fresh"])
        self.report, writing = os.pipe2(os.O_CLOEXEC)
        lifeline, self._lifeline = os.pipe2(os.O_CLOEXEC)
        wait_until_single()
        try:
            self.pid = namespaces.fork_into(_OWN)
            if self.pid == 0:
                be_first(confinement, view, of_all, load_filter, (writing, lifeline))
        except BaseException:
            os.close(self.report)
            os.close(self._lifeline)
            raise
        finally:
            os.close(writing)
            os.close(lifeline)
        self._pids = self._view = self._children = -1
        try:
            self._take_hold()
        except BaseException:
            self.end()
            raise

    def _take_hold(self) -> None:
        """As soon as it has restricted itself, nobody can look into it any more."""
        self._hear(BUILT)
        self._pids = os.open(f"/proc/{self.pid}/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self._view = os.open(f"/proc/{self.pid}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
        with contextlib.suppress(FileNotFoundError):  # not all kernels list them
            self._children = os.open(f"/proc/{self.pid}/task/{self.pid}/children", os.O_RDONLY | os.O_CLOEXEC)
        os.write(self._lifeline, _QUESTION)
        self._hear(STARTED)
        os.set_blocking(self.report, False)

    def start(self, job: Message, actions: Actions, bind: Bind) -> tuple[int, Callable[[], None]]:
        """Start the job's shell in it; its number, and what lets go of its walls. Raises OSError."""
        places = (self._pids, self._view, self._of_one)
        return put_in(job, actions, bind, places, (self._confinement, self._load_filter))

    def used(self) -> tuple[float, float]:
        """Seconds, by itself and by the kernel, of those who had lost their parent and have ended since."""
        words = self._words()
        return sum(user for _, user, _ in words), sum(system for *_, system in words)

    def alone(self) -> bool:
        """Whether nobody is left of a command whose shell has ended.

        All who lost their parent are children of the first process, and the kernel looks for those at one moment.
        """
        if self._children < 0:
            return not self.ended() and self._ask()
        return not os.pread(self._children, 64, 0)  # read from its beginning, it is listed anew

    def kill(self) -> None:
        """End it, and with it everybody in it. It is our child, so its number is still its own."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def ended(self) -> bool:
        """Whether it is no more; then nobody is who was in it."""
        if self.pid:
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(self.pid, os.WNOHANG)[0] == 0:
                    return False
            self.pid = 0
        return True

    def end(self) -> None:
        """End it, if it has not, and let go of it."""
        if not self.ended():
            self.kill()
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.pid, 0)
            self.pid = 0
        for fd in (self.report, self._lifeline, self._pids, self._view, self._children):
            if fd >= 0:
                os.close(fd)
        self.report = self._lifeline = self._pids = self._view = self._children = -1

    def _words(self) -> list[tuple[bool, float, float]]:
        with contextlib.suppress(BlockingIOError):
            said = os.read(self.report, 64 * ALONE.size)
            return list(ALONE.iter_unpack(said[: len(said) - len(said) % ALONE.size]))
        return []

    def _ask(self) -> bool:
        """The first process itself, where the kernel does not list its children."""
        os.write(self._lifeline, _QUESTION)
        poll = select.poll()
        poll.register(self.report, select.POLLIN)
        poll.poll(_PATIENCE * 1000)
        words = self._words()
        return bool(words) and words[-1][0]

    def _hear(self, expected: bytes) -> None:
        """Its next word before it lives by itself."""
        poll = select.poll()
        poll.register(self.report, select.POLLIN)
        if not poll.poll(_PATIENCE * 1000):
            raise TimeoutError(errno.ETIMEDOUT, "the sandbox was not ready in time")
        said = os.read(self.report, 1)
        if said == FAILED:
            number, why = marshal.loads(os.read(self.report, 4096))  # noqa: S302 - by nothing but limpet's own code
            raise OSError(number, f"the sandbox could not be set up: {why}")
        if said != expected:
            raise OSError(errno.ECHILD, "the first process of the sandbox was ended")


def _divided(steps: Steps) -> tuple[Steps, Steps]:
    """What shows the processes of the namespace is the same for all commands in it; the rest is each one's own."""
    of_all = tuple(step for step in steps if str(step[1]).startswith("/proc"))
    return of_all, tuple(step for step in steps if step not in of_all)
