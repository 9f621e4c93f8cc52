"""A name -> the private folder where its session is found, and who holds it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import socket
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import InvalidRequestError
from limpet.kernel.identity import Identity, is_alive

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_SOCKET, _FACTS, _LOCK = "socket", "facts.json", "lock"


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a named session without asking it."""

    name: str
    workspace: str
    started_at: float
    host: Identity
    terminal: bool = False


class Place:
    """The folder of one session."""

    def __init__(self, state_dir: str, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise InvalidRequestError(
                f"{name!r} is no name for a session: letters, digits, `.`, `-` and `_`, at most 64", field="name"
            )
        self.name = name
        self.path = os.path.join(state_dir, "sessions", name)

    def make(self) -> None:
        """Have the folder, for this user alone."""
        above = os.path.dirname(self.path)
        for folder in (os.path.dirname(above), above, self.path):
            with contextlib.suppress(FileExistsError):
                os.makedirs(folder, mode=0o700)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """While somebody looks whether it is there, and starts it if it is not."""
        self.make()
        fd = os.open(os.path.join(self.path, _LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)

    def facts(self) -> Facts | None:
        """Who holds it; None when nobody does, or nobody who lives."""
        try:
            with open(os.path.join(self.path, _FACTS), "rb") as file:
                facts = msgspec.json.decode(file.read(), type=Facts)
        except (OSError, msgspec.DecodeError):
            return None
        alive = is_alive(facts.host)
        return facts if (self._answers() if alive is None else alive) else None

    def _answers(self) -> bool:
        """Whether somebody listens, for whom it cannot be seen: in another pid namespace."""
        try:
            self.connect().close()
        except OSError:
            return False
        return True

    def write(self, facts: Facts) -> None:
        """Say who holds it."""
        path = os.path.join(self.path, _FACTS)
        fd = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(fd, "wb") as file:
            file.write(msgspec.json.encode(facts))
        os.replace(f"{path}.new", path)

    def listen(self) -> socket.socket:
        """The socket that others come to."""
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with self._short() as folder:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{folder}/{_SOCKET}")
            before = os.umask(0o177)
            try:
                listening.bind(f"{folder}/{_SOCKET}")
            finally:
                os.umask(before)
        listening.listen(16)
        return listening

    def connect(self) -> socket.socket:
        """A connection to whoever holds it. Raises OSError."""
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with self._short() as folder:
                sock.connect(f"{folder}/{_SOCKET}")
        except BaseException:
            sock.close()
            raise
        return sock

    def remove(self) -> None:
        """Nobody holds it any more."""
        shutil.rmtree(self.path, ignore_errors=True)

    @contextlib.contextmanager
    def _short(self) -> Iterator[str]:
        """The folder by a path that fits into the address of a socket, wherever it lies."""
        fd = os.open(self.path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            yield f"/proc/self/fd/{fd}"
        finally:
            os.close(fd)


def places(state_dir: str) -> list[Place]:
    """Those of all names that were ever used and not cleared away."""
    with contextlib.suppress(FileNotFoundError):
        names = sorted(os.listdir(os.path.join(state_dir, "sessions")))
        return [Place(state_dir, name) for name in names if _NAME.fullmatch(name)]
    return []
