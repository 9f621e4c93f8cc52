"""One command from its start to the death of its last process: what to do next, and when.

Lives inside a keeper. Nothing here waits; the keeper sleeps until `next_move` or until something happens.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING

from limpet.process import tree

if TYPE_CHECKING:
    from limpet.process.memory import MemoryWatch
    from limpet.process.wire import Go, Message

NEVER = float("inf")
_LEFTOVER_GRACE = 0.25
_KILL_WAIT = 2.0


class Run:
    """One command from its start to the death of its last process."""

    def __init__(self, pid: int, *, memory: MemoryWatch | None) -> None:
        self.pid = pid
        self.end = -1
        """A descriptor that becomes readable when the shell has ended, where there is one."""
        self._began = time.monotonic()
        self._deadline = NEVER
        self._grace, self._drain, self._kill_wait = 0.0, 0.0, _KILL_WAIT
        self._memory = memory
        self._ending = "itself"
        self._status: int | None = None
        self._exited = False
        self._drain_until = self._kill_at = self._give_up_at = NEVER
        self._killing = False
        self._pause = 0.001
        self._cpu_user = self._cpu_system = 0.0
        self._max_rss = 0
        self._left: list[str] = []
        self.survivors: list[str] = []
        self._gave_up = False
        self.limit = ""

    @property
    def wakes(self) -> tuple[int, ...]:
        """Become readable when there is something to `hear`."""
        return ()

    def hear(self, fd: int) -> bool:  # noqa: ARG002 - there are none here
        """Take note of it; whether there may be more."""
        return False

    def let_go(self) -> None:
        """The client has its answer: nothing of it is needed any more."""

    def begin(self, go: Go) -> None:
        """The shell has its command: from now on the clock runs. It is the same clock in every process."""
        self._began = go.began
        self._deadline = NEVER if go.timeout is None else go.began + go.timeout
        self._grace, self._drain, self._kill_wait = go.grace, go.drain, go.kill_wait

    def over(self) -> bool:
        """Take the next step; True when nothing of the tree is alive, or what is cannot be killed."""
        if self._all_ended():
            return True
        now = time.monotonic()
        if self._memory is not None and not self._killing and self._memory.exceeded(now):
            self._ending, self.limit = "limit", "memory"
            self._kill(now)
        self._move(now)
        return self._gave_up

    def _all_ended(self) -> bool:
        self._reap_orphans()
        if _any_alive():
            return False
        self._reap_all()
        return True

    def next_move(self) -> float:
        """When to look again if nothing happens."""
        if self._killing:
            return min(time.monotonic() + self._pause, self._give_up_at)
        soonest = self._kill_at if self._kill_at != NEVER else min(self._deadline_left(), self._drain_until)
        return min(soonest, self._memory.next_look if self._memory else NEVER)

    def stop(self, *, now: bool) -> None:
        """Begin the ladder, or go straight to its last step."""
        if self._ending == "itself" and not self._exited:
            self._ending = "stopped"
        moment = time.monotonic()
        if now:
            self._kill(moment)
        elif self._kill_at == NEVER:
            self._terminate(moment, self._grace)

    def expire(self) -> None:
        """Its time is up."""
        if self._kill_at == NEVER and not self._exited:
            self._ending = "timeout"
            self._terminate(time.monotonic(), self._grace)

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with status 0."""
        return self._status == 0 and self._ending == "itself"

    def report(self) -> Message:
        """What the client is told when it is over."""
        return {
            "ended": self._ending,
            "status": self._status,
            "user": self._cpu_user,
            "system": self._cpu_system,
            "rss": self._max_rss,
            "wall": time.monotonic() - self._began,
            "left": self._left,
            "survivors": self.survivors,
        }

    def _deadline_left(self) -> float:
        return NEVER if self._exited else self._deadline

    def _move(self, now: float) -> None:
        if self._killing or now >= self._kill_at:
            self._kill(now)
        elif self._kill_at != NEVER:
            return
        elif self._exited:
            self._end_leftovers(now)
        elif now >= self._deadline:
            self.expire()

    def _end_leftovers(self, now: float) -> None:
        if self._drain_until == NEVER:
            self._drain_until = now + self._drain
        if now >= self._drain_until:
            self._left = [str(proc) for proc in self._living()]
            self._terminate(now, min(self._grace, _LEFTOVER_GRACE))

    def _terminate(self, now: float, grace: float) -> None:
        self._kill_at = now + grace
        living = self._living()
        for number in (signal.SIGTERM, signal.SIGCONT):  # a stopped process acts on TERM only when it goes on
            for proc in living:
                tree.send(proc, number)

    def _kill(self, now: float) -> None:
        """One pass: the shell's whole group at once, then everything else that lives; passes repeat until none does."""
        if not self._killing:
            self._killing, self._give_up_at = True, now + self._kill_wait
        self._kill_everything()
        living = self._living()
        for proc in living:
            tree.send(proc, signal.SIGKILL)
        self._pause = min(self._pause * 2, 0.05)
        if now >= self._give_up_at:
            self.survivors = [str(proc) for proc in living]
            self._gave_up = True
            self._reap_all()

    def _kill_everything(self) -> None:
        """At once, as far as that is possible; what is left is killed one by one."""
        # The shell is not reaped before the end, so its group's number cannot belong to anybody else.
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)

    def _living(self) -> list[tree.Proc]:
        me, living = os.getpid(), []
        for proc in tree.descendants(me):
            if not proc.dead:
                living.append(proc)
            elif proc.parent == me and proc.pid != self.pid:
                self._reap(proc.pid)
        return living

    def _reap_orphans(self) -> None:
        """Reap what came to us, but leave the shell: it marks its group's number as taken."""
        while not self._exited:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None:
                return
            if ended.si_pid == self.pid:
                self._exited = True
            else:
                self._reap(ended.si_pid)

    def _reap_all(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while self._reap(-1):
                pass

    def _reap(self, which: int) -> bool:
        pid, status, usage = os.wait4(which, os.WNOHANG)
        if pid == 0:
            return False
        if pid == self.pid:
            self._status = status
        self._cpu_user += usage.ru_utime
        self._cpu_system += usage.ru_stime
        self._max_rss = max(self._max_rss, usage.ru_maxrss * 1024)
        return True


def _any_alive() -> bool:
    """Whether any child lives. A zombie is not waited for here, so only living children count.

    A subreaper without living children has no living descendants.
    """
    try:
        os.waitid(os.P_ALL, 0, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
