"""The socket of a task that takes input: what others send -> its command.

A socket in the folder of the task, which belongs to its user alone. Who connects is asked for a key that is written
down in the same folder: a command that is contained may reach a socket, but never reads that. Packets are a letter and
what belongs to it; each is answered by `+`, or by `-` and why not.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import socket
import struct
from typing import TYPE_CHECKING

from limpet.errors import limpetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.engine.handle import Handle

NAME = "control"
KEY, SEND, END, SIZE = b"k", b"s", b"e", b"r"
DONE, REFUSED = b"+", b"-"
MOST_AT_ONCE = 32 * 1024
SIZES = struct.Struct("!HH")
_MOST_CALLERS = 64
_PEER = struct.Struct("3i")


class Control:
    """The holder's end."""

    def __init__(self, folder: str, handle: Handle, resized: Callable[[int, int], None]) -> None:
        self._folder = folder
        self._handle = handle
        self._resized = resized
        self._callers: dict[socket.socket, bool] = {}
        """Who has connected, and whether they have said the key."""
        self.key = os.urandom(16).hex()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def open(self) -> None:
        """Begin to listen. Raises OSError."""
        with short_path(self._folder) as path:
            self._socket.bind(path)
            os.chmod(path, 0o600)
        self._socket.listen(_MOST_CALLERS)
        self._socket.settimeout(0)
        asyncio.get_running_loop().add_reader(self._socket, self._called)

    def close(self) -> None:
        """The command is over."""
        for caller in (*self._callers, self._socket):
            self._drop(caller)
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(self._folder, NAME))

    def _called(self) -> None:
        try:
            caller, _ = self._socket.accept()
        except OSError:
            return
        if _user(caller) not in (os.geteuid(), 0) or len(self._callers) >= _MOST_CALLERS:
            caller.close()
            return
        caller.settimeout(0)
        self._callers[caller] = False
        asyncio.get_running_loop().add_reader(caller, self._heard, caller)

    def _heard(self, caller: socket.socket) -> None:
        try:
            said = caller.recv(MOST_AT_ONCE + 1)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if not said:
            self._drop(caller)
            return
        with contextlib.suppress(OSError):  # they may not wait for the answer
            caller.send(self._answer(caller, said[:1], said[1:]))

    def _answer(self, caller: socket.socket, kind: bytes, rest: bytes) -> bytes:
        if kind == KEY and hmac.compare_digest(rest, self.key.encode()):
            self._callers[caller] = True
        elif not self._callers[caller]:
            return REFUSED + b"the key of this task was not said"
        else:
            return self._act(kind, rest)
        return DONE

    def _act(self, kind: bytes, rest: bytes) -> bytes:
        try:
            if kind == SEND:
                self._handle.send(rest)
            elif kind == END:
                self._handle.close_input()
            elif kind == SIZE:
                rows, columns = SIZES.unpack(rest)
                self._handle.resize(rows, columns)
                self._resized(rows, columns)
            else:
                return REFUSED + b"not understood: it was started by another version of limpet"
        except (limpetError, struct.error) as error:
            return REFUSED + str(error).encode()
        return DONE

    def _drop(self, one: socket.socket) -> None:
        self._callers.pop(one, None)
        asyncio.get_running_loop().remove_reader(one)
        one.close()


@contextlib.contextmanager
def short_path(folder: str) -> Iterator[str]:
    """The socket's path by way of a descriptor: the name of a socket may have no more than a hundred bytes."""
    fd = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{fd}/{NAME}"
    finally:
        os.close(fd)


def _user(caller: socket.socket) -> int:
    _, user, _ = _PEER.unpack(caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return int(user)
