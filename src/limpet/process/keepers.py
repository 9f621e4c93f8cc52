"""The client's side of keepers: start the server, take one, give it back."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.process import wire
from limpet.process.lookout import Lookouts

if TYPE_CHECKING:
    from collections.abc import Hashable

_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from limpet.process.server import main; main()"
_PATIENCE = 30.0
_MAX_IDLE = 16
_TRIES = 4
_MAX_JOBS = 200
_MAX_AGE = 600.0
ALL_SIGNALS = sorted(set(range(1, 65)) - {9, 19, 32, 33})  # all that a program may set


class Held:
    """A keeper this client holds: its socket, and what it can be used for again."""

    __slots__ = ("__weakref__", "born", "jobs", "key", "lasts", "pid", "sock", "until")

    def __init__(self, pid: int, sock: socket.socket, key: Hashable) -> None:
        self.pid = pid
        self.sock = sock
        sock.settimeout(0)
        self.key = key
        self.jobs = 0
        self.born = time.monotonic()
        self.lasts = True
        """It does not end by itself while it is not used."""
        self.until = self.born + _MAX_AGE
        """From then on a new one is better: limits that count the user's processes grow stale, or it is to end."""

    def let_go(self) -> None:
        """End it, with whatever it runs. Closing would not do: a forked child of this process may hold a copy."""
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()

    def retire(self) -> bool:
        """Count a job done; True when it was the last one, and the keeper has been let go."""
        self.jobs += 1
        if self.worn():
            self.let_go()
            return True
        return False

    def worn(self) -> bool:
        """Whether a new one would be better."""
        return self.jobs >= _MAX_JOBS or time.monotonic() > self.until

    def lingers(self, seconds: float | None) -> None:
        """It ends by itself when it is not used within that time; None: it does not."""
        self.lasts = seconds is None
        aged = self.born + _MAX_AGE
        self.until = aged if seconds is None else min(aged, time.monotonic() + seconds / 2)


class Keepers:
    """All keepers of this process, for any thread and any event loop."""

    def __init__(self) -> None:
        self._forget()
        os.register_at_fork(after_in_child=self._after_fork)  # there is one of these in a process, for good

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._lent: weakref.WeakSet[Held] = weakref.WeakSet()
        self._server: socket.socket | None = None
        self._server_pid = 0
        self._idle: dict[Hashable, list[Held]] = {}
        self.lookouts = Lookouts()
        """Who listens to keepers and commands."""

    @property
    def started(self) -> bool:
        """Whether `take` answers without starting a process first."""
        return self._server is not None and self._owner == os.getpid()

    def start(self) -> None:
        """Start the server, if it is not there yet."""
        with self._lock:
            self._ensure_server()

    def take(self, key: Hashable) -> Held:
        """A keeper for jobs whose limits are `key`."""
        with self._lock:
            idle = self._idle.get(key, [])
            while idle:
                held = idle.pop()
                if not held.worn() and _connected(held.sock):
                    held.lingers(None)
                    return held
                held.let_go()
            held = self._fresh(key)
            self._lent.add(held)
            return held

    def give_back(self, held: Held) -> None:
        """Keep it for the next job, unless there are enough or it has served long."""
        if held.retire():
            return
        held.lingers(wire.LINGER)
        with self._lock:
            if self._owner != os.getpid() or sum(map(len, self._idle.values())) >= _MAX_IDLE:
                held.let_go()
            else:
                self._idle.setdefault(held.key, []).append(held)

    def trouble(self, packed_job: bytes) -> str:
        """Why such a job cannot be contained here; empty when it can be."""
        with self._lock:
            server = self._ensure_server()
            try:
                wire.send_job(server, packed_job, ())
                received = wire.receive(server)
            except OSError as error:
                return f"the process that starts commands does not answer: {error}"
        return str(received[0]["trouble"]) if received is not None else "the process that starts commands was killed"

    def settle(self, pid: int) -> bool:
        """Wait until what a killed keeper left behind is ended; False when nobody can tell."""
        with self._lock, contextlib.suppress(OSError):
            if self._server is not None:
                self.wake()
                wire.send(self._server, {"settled": pid})
                while (received := wire.receive(self._server)) is not None and "unknown" not in received[0]:
                    if received[0].get("settled") == pid:
                        return True
        return False

    def wake(self) -> None:
        """Let the server go on, if somebody has stopped it."""
        if self._server is not None and self._owner == os.getpid():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._server_pid, signal.SIGCONT)

    def close(self) -> None:
        """Let the server and all keepers end, with whatever they run, and wait for it."""
        with self._lock:
            if self._owner == os.getpid():
                for held in self._lent:
                    held.let_go()
                self._stop()
                self.lookouts.forget_closed()

    def _after_fork(self) -> None:
        """A forked child must not use its parent's server: they would answer each other's requests.

        Nor its lock: whoever held that is not in the child, and would never let go of it.
        """
        for sock in [self._server, *(held.sock for held in self._lent)]:
            if sock is not None:
                sock.close()
        self._forget()

    def _fresh(self, key: Hashable) -> Held:
        for _ in range(_TRIES):
            received = self._ask(self._ensure_server())
            if received is None:
                self._stop()  # it was killed: one more try with a new one
                continue
            held = _held(received, key)
            if _connected(held.sock):
                return held
            held.let_go()  # it was killed while it waited to be handed out
        raise LaunchError("the processes that start commands were killed again and again")

    def _ask(self, server: socket.socket) -> tuple[wire.Message, list[int]] | None:
        self.wake()
        try:
            wire.send(server, {"keeper": 1})
            return wire.receive(server)
        except ConnectionError:
            return None
        except OSError as error:
            raise LaunchError(f"the process that starts commands does not answer: {error}") from error

    def _ensure_server(self) -> socket.socket:
        if self._server is None:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                try:
                    self._server_pid = _spawn_server(theirs.fileno())
                except LaunchError:
                    ours.close()
                    raise
            ours.settimeout(_PATIENCE)
            self._server = ours
        return self._server

    def _stop(self) -> None:
        for held in [held for idle in self._idle.values() for held in idle]:
            held.let_go()
        self._idle.clear()
        if self._server is not None:
            with contextlib.suppress(OSError):
                self._server.shutdown(socket.SHUT_RDWR)
            self._server.close()
            with contextlib.suppress(ChildProcessError):  # somebody else may have reaped it
                os.waitpid(self._server_pid, 0)
        self._server = None


def _held(received: tuple[wire.Message, list[int]], key: Hashable) -> Held:
    message, fds = received
    if "failed" in message:
        raise LaunchError(f"cannot start another process: {message['why']}", errno=message["failed"])
    if not fds:
        raise LaunchError("no file descriptor left for another command", errno=errno.EMFILE)
    return Held(message["keeper"], socket.socket(fileno=fds[0]), key)


def _connected(sock: socket.socket) -> bool:
    """False when the keeper at the other end is gone."""
    try:
        return sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _spawn_server(fd: int) -> int:
    if not sys.executable:
        raise LaunchError("sys.executable is not set: limpet needs a Python interpreter to start its server with")
    package_root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    actions = [
        (os.POSIX_SPAWN_DUP2, fd, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_RDWR, 0),
        (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_RDWR, 0),
    ]
    argv = [sys.executable, "-I", "-S", "-c", _BOOT, package_root, str(os.getpid())]
    try:
        # An empty environment: whatever a command reads of its ancestors', it finds no secret of the client's.
        return os.posix_spawn(
            sys.executable, argv, {}, file_actions=actions, setsid=True, setsigdef=ALL_SIGNALS, setsigmask=()
        )
    except OSError as error:
        raise LaunchError(f"cannot start {sys.executable}: {error.strerror}", errno=error.errno) from error
