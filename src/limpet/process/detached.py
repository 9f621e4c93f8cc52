"""A Python process that belongs to nobody: it goes on when whoever started it ends, however that ends.

It is nobody's child, has a session of its own, an empty environment, `/` as its folder, and one descriptor: a socket to
whoever started it. What it is to do comes on that, with `hand_over`: neither its arguments nor its environment tell
anybody anything, and what was handed over arrives even if the one who did so is killed right after.
"""

from __future__ import annotations

import contextlib
import importlib
import marshal
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.process import wire
from limpet.process.keepers import ALL_SIGNALS

if TYPE_CHECKING:
    from typing import Any

_BOOT = """\
import os, sys
if os.fork():
    os._exit(0)
sys.path += sys.argv[2:]
from limpet.process.detached import enter
enter(sys.argv[1])
"""
_PACKAGES = ("limpet", "msgspec", "platformdirs")
_DEAF_TO = (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGUSR1, signal.SIGUSR2)


class Detached:
    """A process that was started: our end of its socket. Closing that is all that ever happens to it from here."""

    def __init__(self, pid: int, sock: socket.socket) -> None:
        self._pid = pid
        self.sock = sock

    def hand_over(self, message: dict[str, Any], fds: tuple[int, ...] = ()) -> None:
        """Have it all, of any size, and descriptors with it. Raises OSError when it is gone.

        `message` holds what `marshal` can write.
        """
        file = wire.anonymous_file("limpet-errand", marshal.dumps(message))
        try:
            wire.send(self.sock, {}, (file, *fds))
        finally:
            os.close(file)

    def say(self, word: str) -> None:
        """A word beside that; one that is gone need not be told."""
        with contextlib.suppress(OSError):
            wire.send(self.sock, {"say": word})

    def reap(self) -> None:
        """The process that forked it has ended by now, or is about to."""
        if self._pid:
            with contextlib.suppress(ChildProcessError):  # somebody else may have reaped it
                os.waitpid(self._pid, 0)
            self._pid = 0

    def close(self) -> None:
        """Let go of it."""
        self.reap()
        self.sock.close()


def start(module: str) -> Detached:
    """Have `main(sock)` of a module run in such a process. Raises LaunchError."""
    if not sys.executable:
        raise LaunchError("sys.executable is not set: limpet needs a Python interpreter to start another process with")
    try:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    except OSError as error:
        raise LaunchError(f"cannot start another process: {error.strerror}", errno=error.errno) from error
    try:
        with theirs:
            return Detached(_spawn(module, theirs.fileno()), ours)
    except OSError as error:
        ours.close()
        raise LaunchError(f"cannot start {sys.executable}: {error.strerror}", errno=error.errno) from error


def taken(sock: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """In the new process: what is handed over, once it comes; None when nothing will. Words said before it are late."""
    while (received := wire.receive(sock)) is not None and not received[1]:
        pass
    if received is None:
        return None
    file, *fds = received[1]
    with open(file, "rb") as opened:
        message: dict[str, Any] = marshal.loads(opened.read())  # noqa: S302 - written by limpet itself
    return message, fds


def heard(sock: socket.socket) -> str | None:
    """In the new process: the word that was said; empty when there is none yet, None when nobody is there any more."""
    try:
        received = wire.receive(sock)
    except BlockingIOError:
        return ""
    return None if received is None else str(received[0].get("say", ""))


def _spawn(module: str, fd: int) -> int:
    actions = [
        (os.POSIX_SPAWN_DUP2, fd, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_RDWR, 0),
        (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_RDWR, 0),
    ]
    argv = [sys.executable, "-I", "-S", "-c", _BOOT, module, *_roots()]
    return os.posix_spawn(
        sys.executable, argv, {}, file_actions=actions, setsid=True, setsigdef=ALL_SIGNALS, setsigmask=()
    )


def _roots() -> list[str]:
    """Where the packages lie that are loaded here; `sys.path` may name a folder that commands can write to."""
    files = (getattr(sys.modules.get(name), "__file__", None) for name in _PACKAGES)
    return list(dict.fromkeys(os.path.dirname(os.path.dirname(os.path.abspath(file))) for file in files if file))


def enter(module: str) -> None:
    """In the new process: let go of everything but the socket, and go to work."""
    for number in _DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    sock = socket.socket(fileno=os.dup(0))
    os.dup2(1, 0)
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in {0, 1, 2, sock.fileno()}:
            with contextlib.suppress(OSError):
                os.close(int(name))
    os.chdir("/")
    importlib.import_module(module).main(sock)
