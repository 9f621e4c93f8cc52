"""Work that may hang or crash -> its answer in time, or none; and processes that stay and do such work when asked."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping, Sequence

_FIRST_OWN = 3
_MOST_DESCRIPTORS = 1 << 16
_LOOK_AGAIN = 5.0
_AHEAD = 2
_AFTERWARDS = 10.0
"""Seconds for what nobody waits for."""


def within(seconds: float, work: Callable[[], bytes], after: Callable[[], None] = lambda: None) -> bytes | None:
    """What `work` returns in a child of this process; None when there is nothing in time.

    Nobody waits for a child that cannot be ended, as one that reads from a disk which does not answer; nor for what it
    does `after` it has answered.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # who started us may ignore it: then its pid would not stay ours
    read, write = os.pipe2(os.O_CLOEXEC)
    child = os.fork()
    if child == 0:
        os.close(read)
        _do(lambda: _answer(write, work(), after))
    os.close(write)
    data = None
    try:
        data = _received(read, time.monotonic() + seconds)
        return data
    finally:
        os.close(read)
        if not data:
            os.kill(child, signal.SIGKILL)  # not reaped yet, so it is this child
        os.waitpid(child, os.WNOHANG)


def _answer(write: int, data: bytes, after: Callable[[], None]) -> None:
    _send(write, data)
    os.close(write)
    os.setsid()  # whoever ends its caller does not mean this
    _let_go()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, _AFTERWARDS)
    after()


def _received(read: int, end: float) -> bytes | None:
    data, waiting = b"", select.poll()
    waiting.register(read, select.POLLIN)
    while (left := end - time.monotonic()) > 0 and waiting.poll(left * 1000):
        block = os.read(read, 1 << 16)
        if not block:
            return data
        data += block
    return None


def _send(write: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(write, view) :]


def _do(work: Callable[[], None]) -> None:
    """In a child: do it and end. Never returns."""
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


class Waiting:
    """A few children that wait for callers, each for one: nothing of a caller is there for the next.

    They are forked ahead, since forking takes longer than most of what they are asked.
    """

    def __init__(
        self, listener: socket.socket, handle: Callable[[socket.socket], None], warm: Callable[[], None]
    ) -> None:
        """`warm` runs in each child before anybody has called."""
        listener.settimeout(0)
        self._listener = listener
        self._handle = handle
        self._warm = warm
        self._lifeline, self._life = os.pipe2(os.O_CLOEXEC)

    def serve(self, *, idle: float, wanted: Callable[[], bool]) -> None:
        """Returns when nobody has called for `idle` seconds, or when it is not wanted any more; children end, too."""
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        for _ in range(_AHEAD):
            self._fork()
        end = time.monotonic() + idle
        while (left := end - time.monotonic()) > 0 and wanted():
            signal.sigtimedwait([signal.SIGCHLD], min(left, _LOOK_AGAIN))
            while _reaped():  # it has answered somebody
                self._fork()
                end = time.monotonic() + idle
        os.close(self._life)

    def _fork(self) -> None:
        if os.fork() == 0:
            os.close(self._life)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
            _do(self._wait)

    def _wait(self) -> None:
        self._warm()
        while True:
            if self._lifeline in select.select([self._listener.fileno(), self._lifeline], [], [])[0]:
                return
            with contextlib.suppress(BlockingIOError):  # another child was quicker
                caller, _ = self._listener.accept()
                break
        self._listener.close()
        caller.settimeout(None)
        self._handle(caller)


def _reaped() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def detach(argv: Sequence[str], environ: Mapping[str, str]) -> None:
    """Start a program that outlives this one: own session, nothing inherited, nobody's child."""
    child = os.fork()
    if child == 0:
        _do(lambda: _become(argv, environ))
    os.waitpid(child, 0)


def _let_go() -> None:
    """Of all that was inherited: somebody may wait for its end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(_FIRST_OWN):
        os.dup2(nothing, stream)
    os.closerange(_FIRST_OWN, _MOST_DESCRIPTORS)


def _become(argv: Sequence[str], environ: Mapping[str, str]) -> None:
    os.setsid()
    if os.fork():
        return
    os.chdir("/")
    _let_go()
    os.execve(argv[0], list(argv), dict(environ))  # noqa: S606 - no shell is wanted


def become(argv: Sequence[str]) -> NoReturn:
    """Step aside for a program that is not limpet's to run: same process, streams and environment."""
    os.execv(argv[0], list(argv))  # noqa: S606 - as above
