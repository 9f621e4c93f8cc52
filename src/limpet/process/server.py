"""The small process that forks keepers, and ends what a killed keeper leaves behind.

Started once per client, single-threaded, with an empty environment and no descriptor but its socket, so that neither
it nor a keeper holds anything open or tells a command what the client's environment holds.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import select
import signal
import socket
import sys
import time
from typing import TYPE_CHECKING

from limpet.process import cgroup, scratch, tree, wire
from limpet.process.keeper import Keeper
from limpet.process.wakeups import child_wakeups, empty

if TYPE_CHECKING:
    from collections.abc import Callable

_PR_SET_CHILD_SUBREAPER = 36
_SWEEP_SECONDS = 5.0
_IGNORED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGPIPE,
)


class Server:
    """Hands out keepers until its client is gone."""

    def __init__(
        self, sock: socket.socket, client: int, *, groups: cgroup.Bases, set_subreaper: Callable[[], None]
    ) -> None:
        self._sock = sock
        self._client = client
        self._groups = groups
        self._set_subreaper = set_subreaper
        self._prefix = cgroup.prefix()
        self._forked = 0
        self._keepers: dict[int, str] = {}
        self._gone: set[int] = set()
        self._asked: set[int] = set()
        self._groups_left: set[str] = set()
        self._folders_left: set[str] = set()
        self._spare: tuple[int, socket.socket] | None = None

    def serve(self) -> None:
        """Answer requests; whatever ends this loop ends everything below."""
        waker = child_wakeups()
        poll = select.poll()
        for fd in (self._sock.fileno(), self._client, waker):
            poll.register(fd, select.POLLIN)
        self._spare = self._fork()
        while True:
            ready = {fd for fd, _ in poll.poll()}
            if waker in ready:
                empty(waker)
                self._reap()
            if self._client in ready or (self._sock.fileno() in ready and not self._answer()):
                return

    def close(self) -> None:
        """End what is left: keepers end by themselves once their client is gone."""
        if self._spare is not None:
            self._spare[1].close()
        deadline = time.monotonic() + _SWEEP_SECONDS
        while (self._keepers or self._groups_left) and time.monotonic() < deadline:
            time.sleep(0.002)
            self._reap()
        self._end_strays()

    def _answer(self) -> bool:
        received = wire.receive(self._sock)
        if received is None:
            return False
        message, fds = received
        if "keeper" in message:
            self._hand_out()
        elif "job" in message:  # not to be done, only to be tried
            wire.send(self._sock, {"trouble": _tried(wire.job_of(message, fds))})
        elif "settled" in message:
            if message["settled"] not in self._keepers.keys() | self._gone:
                wire.send(self._sock, {"unknown": message["settled"]})  # a keeper of a server before this one
                return True
            self._asked.add(message["settled"])
            self._reap()
        return True

    def _hand_out(self) -> None:
        try:
            pid, sock = self._spare or self._fork()
        except OSError as error:  # no process or descriptor to be had: the client says so and may try again
            wire.send(self._sock, {"failed": error.errno or 0, "why": error.strerror or str(error)})
            return
        self._spare = None
        with contextlib.suppress(OSError):
            wire.send(self._sock, {"keeper": pid}, (sock.fileno(),))
        sock.close()
        with contextlib.suppress(OSError):
            self._spare = self._fork()  # the next one is ready before it is asked for

    def _fork(self) -> tuple[int, socket.socket]:
        self._forked += 1
        name = f"{self._prefix}-{self._forked}"
        theirs, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            self._be_keeper(ours, name)
        ours.close()
        self._keepers[pid] = name
        return pid, theirs

    def _be_keeper(self, sock: socket.socket, name: str) -> None:
        """Live as a keeper; never returns into the server's code."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            fd, client = _keep_only(sock.fileno(), self._client)
            self._set_subreaper()
            Keeper(socket.socket(fileno=fd), client, self._groups, name).serve()
            code = 0
        finally:
            os._exit(code)

    def _reap(self) -> None:
        lost = False
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
                if pid == 0:
                    break
                if os.WIFSTOPPED(status):  # a command may stop its keeper, but not for long
                    os.kill(pid, signal.SIGCONT)
                    continue
                if (name := self._keepers.pop(pid, None)) is not None:
                    self._gone.add(pid)
                    if status != 0:
                        lost = True
                        self._folders_left.add(name)
                    self._groups_left.add(name)
        self._groups_left = {name for name in self._groups_left if not cgroup.remove(self._groups, name)}
        if lost:
            self._end_strays()
        while self._folders_left:
            scratch.remove(scratch.place(self._folders_left.pop()))
        for pid in self._asked & self._gone:
            self._asked.discard(pid)
            with contextlib.suppress(OSError):
                wire.send(self._sock, {"settled": pid})

    def _end_strays(self) -> None:
        """Children that are not keepers lost their keeper; so will theirs, until none is left."""
        deadline = time.monotonic() + _SWEEP_SECONDS
        while (strays := self._strays()) and time.monotonic() < deadline:
            for proc in strays:
                tree.send(proc, signal.SIGKILL)
            time.sleep(0.001)

    def _strays(self) -> list[tree.Proc]:
        me, strays = os.getpid(), []
        for proc in tree.descendants(me):
            if proc.parent == me and proc.pid not in self._keepers:
                if proc.dead:
                    with contextlib.suppress(ChildProcessError):
                        os.waitpid(proc.pid, os.WNOHANG)
                else:
                    strays.append(proc)
        return strays


def _tried(job: wire.Message) -> str:
    """Why such a job cannot be contained here; empty when it can be. In a child: walls cannot be left."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            from limpet.process.trial import trouble  # noqa: PLC0415 - a server that contains nothing does without

            os.write(writing, os.fsencode(trouble(job)))
        except BaseException as error:  # noqa: BLE001 - whatever it is, it does not work
            os.write(writing, os.fsencode(f"{type(error).__name__}: {error}"))
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        why = file.read()
    os.waitpid(pid, 0)
    return os.fsdecode(why)


def _keep_only(*fds: int) -> list[int]:
    """Close every descriptor above 2 but these; where they are now."""
    highest = max(fds) + 1
    for offset, fd in enumerate(fds):
        os.dup2(fd, highest + offset, inheritable=False)
    for offset in range(len(fds)):
        os.dup2(highest + offset, 3 + offset, inheritable=False)
    # Not up to the limit of descriptors: it may have been lowered after higher ones were opened.
    for name in os.listdir("/proc/self/fd"):
        if int(name) >= 3 + len(fds):
            with contextlib.suppress(OSError):
                os.close(int(name))
    return [3 + offset for offset in range(len(fds))]


def main() -> None:
    """Serve on descriptor 0 the client whose process id is the last argument."""
    sock = socket.socket(fileno=os.dup(0))
    client = _pin(int(sys.argv[-1]))
    os.dup2(1, 0)  # the socket was there only to get in: commands must not find it
    fd, client = _keep_only(sock.detach(), client)
    os.chdir("/")
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    libc = ctypes.CDLL(None, use_errno=True)

    def set_subreaper() -> None:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    set_subreaper()
    groups = cgroup.discover()
    cgroup.sweep(groups)
    gc.disable()  # forked copies share memory as long as nobody walks it
    server = Server(socket.socket(fileno=fd), client, groups=groups, set_subreaper=set_subreaper)
    try:
        server.serve()
    finally:
        server.close()


def _pin(client: int) -> int:
    """A descriptor that tells when the client ends; the socket alone would not if the client had forked."""
    if os.getppid() != client:
        sys.exit(0)  # it ended before we looked
    return os.pidfd_open(client)
