"""A tree of processes -> whether it waits for input, as the kernel has it: never guessed from what was printed.

A process waits for input when it is blocked in a system call that reads the run's own input, or in one that waits for
several things of which that input is one. Looked at from outside, now and then, for runs that have such an input.
"""

from __future__ import annotations

import contextlib
import enum
import os
import stat
import struct
import termios
import time
from typing import TYPE_CHECKING, NamedTuple

from limpet.process import tree
from limpet.process.blocked import Outward, blocked, outward

if TYPE_CHECKING:
    from limpet.process.wire import Message

_SOONEST, _LATEST = 0.25, 1.0
_GROWS = 1 / 20
"""A run that goes on for long is looked at less often."""
_SHARE, _SHARE_IN_DOUBT = 30, 5
"""Between two looks there is this many times what a look has cost: where there is much to look at, seldom."""
_LOOKS = 2
"""It must be seen to wait this often, one after the other."""
_MOST_THREADS = 256
_BUSY = "RD"
_BUSY_TICKS = 2
_STOPPED = "Tt"
_SHORT = 1.0
"""Seconds: whoever waits no longer than this at a time has other things to do."""
_DOUBT = 3.0
"""Seconds in which nothing comes from outside either: then it is the input that it waits for."""
_OWN_TERMINAL = os.makedev(5, 0)


class Wait(enum.IntEnum):
    """How a command waits for input."""

    NO = 0
    PERHAPS = 1
    """It listens to somebody outside as well, who may be the one that it waits for. Never told."""
    A_WHILE = 2
    """It goes on by itself when nothing comes, or somebody else may make it."""
    FOR_EVER = 3


_MOST = {Outward.NOBODY: Wait.FOR_EVER, Outward.SOMEBODY: Wait.PERHAPS, Outward.ANYBODY: Wait.NO}
"""Of a process that also listens to others: whoever serves anybody is not stuck without us."""


class InputWatch:
    """Tells when this process's descendants begin to wait for input, and when they no longer do.

    `source`: a descriptor of their input, which is ours from now on. `above`: the processes that belong to us; what
    comes to them was left by its parent.
    """

    def __init__(self, source: int, above: frozenset[int]) -> None:
        self._source = source
        self._above = above
        self._began = time.monotonic()
        self._ticks = 0
        self._seen: list[Wait] = []
        self._doubtful_since = self._began
        self._told = Wait.NO
        self._answers = 0
        self.next_look = self._began + _SOONEST

    def close(self) -> None:
        """It is over."""
        os.close(self._source)

    def answered(self, count: int) -> None:
        """Something was sent: should it wait again, that is news."""
        self._answers = count
        self._told = Wait.NO
        self._seen.clear()
        self.next_look = time.monotonic() + _SOONEST

    def changed(self, now: float) -> Message | None:
        """Look, if it is time to: whether it waits, where that is news."""
        if now < self.next_look:
            return None
        self._seen = [*self._seen, self._without_doubt(self._look(), now)][-_LOOKS:]
        self.next_look = self._next(now)
        waiting = min(self._seen) if len(self._seen) == _LOOKS else Wait.NO
        if waiting == self._told:
            return None
        self._told = waiting
        return {"waiting": bool(waiting), "for_ever": waiting is Wait.FOR_EVER, "answers": self._answers}

    def _without_doubt(self, seen: Wait, now: float) -> Wait:
        if seen is not Wait.PERHAPS:
            self._doubtful_since = now
            return seen
        return Wait.A_WHILE if now - self._doubtful_since > _DOUBT else Wait.NO

    def _next(self, began: float) -> float:
        now = time.monotonic()
        usual = min(_SOONEST + (now - self._began) * _GROWS, _LATEST)
        doubtful = self._seen[-1] != self._told
        pause, share = (_SOONEST, _SHARE_IN_DOUBT) if doubtful else (usual, _SHARE)
        return now + max(pause, (now - began) * share)

    def _look(self) -> Wait:
        """Somebody waits, and nobody is at work: a tree that computes is not stuck."""
        procs = [proc for proc in tree.descendants(os.getpid()) if not proc.dead]
        ticks, self._ticks = self._ticks, sum(proc.ticks for proc in procs)
        if any(proc.state in _BUSY for proc in procs) or (ticks and self._ticks - ticks >= _BUSY_TICKS):
            return Wait.NO
        return _Picture(procs, self._above, self._source).wait()


class _Seen(NamedTuple):
    """What one process is about."""

    wait: Wait = Wait.NO
    shared: bool = False
    """It waits for other things as well."""
    outward: Outward = Outward.NOBODY
    naps: bool = False
    """It goes on by itself after a time."""
    known: bool = True
    """What it is blocked in tells what it waits for."""

    @property
    def active(self) -> bool:
        """It goes on without any input."""
        return self.outward > Outward.NOBODY or self.naps


class _Picture:
    """All of them at one moment."""

    def __init__(self, procs: list[tree.Proc], above: frozenset[int], source: int) -> None:
        self._above = above
        status = os.fstat(source)
        self._source = status.st_dev, status.st_ino
        self._terminal = stat.S_ISCHR(status.st_mode)
        self._silent = self._terminal and _is_silent(source)
        self._procs = {proc.pid: proc for proc in procs}
        first = [proc for proc in procs if proc.parent in above and proc.pid not in above]
        self._session = min(first, key=_age).session if first else 0
        self._children: dict[int, list[tree.Proc]] = {}
        for proc in procs:
            self._children.setdefault(proc.parent, []).append(proc)
        self._seen = {proc.pid: self._look_at(proc) for proc in procs if proc.pid not in above}

    def wait(self) -> Wait:
        """The most that can be said of any of them."""
        waits = [self._judged(pid, seen) for pid, seen in self._seen.items() if seen.wait and self._counts(pid, seen)]
        return max(waits, default=Wait.NO)

    def _judged(self, pid: int, seen: _Seen) -> Wait:
        """Who passes on input to others is not stuck for sure where it is not known what they do."""
        unknown = seen.shared and not all(self._seen[child].known for child in self._below(pid))
        return min(seen.wait, Wait.A_WHILE) if unknown else seen.wait

    def _counts(self, pid: int, seen: _Seen) -> bool:
        """Not where the command goes on without it: below it, or beside it in what was started later."""
        if seen.shared and any(self._seen[child].active for child in self._below(pid)):
            return False
        proc = self._procs[pid]
        while proc.parent not in self._above and proc.parent in self._procs:
            later = [other for other in self._children[proc.parent] if _age(other) > _age(proc)]
            if any(self._seen[one].active for other in later for one in (other.pid, *self._below(other.pid))):
                return False
            proc = self._procs[proc.parent]
        return True

    def _below(self, root: int) -> list[int]:
        found = [child.pid for child in self._children.get(root, ())]
        for pid in found:
            found += [child.pid for child in self._children.get(pid, ())]
        return found

    def _look_at(self, proc: tree.Proc) -> _Seen:
        seen = _Seen(known=False)
        if proc.state in _STOPPED:  # in whatever call, it is not there to take anything
            return seen
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{proc.pid}/task")[:_MOST_THREADS]:
                with contextlib.suppress(OSError, ValueError, IndexError, struct.error, OverflowError):
                    seen = _together(seen, self._thread(proc, thread))
        return seen._replace(wait=min(seen.wait, _MOST[seen.outward], Wait.A_WHILE if seen.naps else Wait.FOR_EVER))

    def _thread(self, proc: tree.Proc, thread: str) -> _Seen:
        try:
            found = blocked(proc.pid, thread)
        except PermissionError:
            return self._hidden(proc)
        if found is None:
            return _Seen(known=False)
        others = outward(proc.pid, found.fds)
        if not any(self._is_source(proc, fd) for fd in found.fds):
            return _Seen(outward=others, naps=found.seconds is not None)
        if found.seconds is not None and found.seconds < _SHORT:
            return _Seen(outward=others, naps=True)
        wait = Wait.FOR_EVER if found.seconds is None else Wait.A_WHILE
        return _Seen(wait, shared=len(found.fds) > 1, outward=others)

    def _hidden(self, proc: tree.Proc) -> _Seen:
        """One that may not be looked into, such as sudo: how it set the terminal tells that it asks for a secret."""
        in_front = proc.session == self._session and proc.group == proc.front
        return _Seen(Wait.FOR_EVER) if self._silent and in_front else _Seen(known=False)

    def _is_source(self, proc: tree.Proc, fd: int) -> bool:
        try:
            status = os.stat(f"/proc/{proc.pid}/fd/{fd}")
        except OSError:
            return False
        if (status.st_dev, status.st_ino) == self._source:
            return True
        return self._terminal and status.st_rdev == _OWN_TERMINAL and proc.session == self._session


def _is_silent(terminal: int) -> bool:
    """Whether it takes whole lines without showing them: nothing but a password is asked for like that."""
    try:
        modes: int = termios.tcgetattr(terminal)[3]
    except termios.error:
        return False
    return modes & (termios.ICANON | termios.ECHO) == termios.ICANON


def _together(one: _Seen, other: _Seen) -> _Seen:
    return _Seen(
        max(one.wait, other.wait),
        one.shared or other.shared,
        max(one.outward, other.outward),
        one.naps or other.naps,
        one.known or other.known,
    )


def _age(proc: tree.Proc) -> tuple[int, int]:
    return proc.start, proc.pid
