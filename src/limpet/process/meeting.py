"""The folder by which a keeper and the first process of a container talk to each other: two named pipes, and files.

The keeper holds one end of `line` for as long as the container is to live: whatever becomes of the keeper, the kernel
closes it. Whoever could open it for writing could keep the container alive, so from the first word on nobody can: the
container sees the folder through a mount that it cannot change, and it has no rights beyond those of its user.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LINE, _UP = "line", "up"
_EMPTY = "empty"
"""A folder and a file that stand for what is hidden."""
_NOTHING = "nothing"
_READ = 65536


class Meeting:
    """Made for one container. Raises OSError."""

    def __init__(self, folder: str, files: Mapping[str, bytes]) -> None:
        self._folder = folder
        parent = os.path.dirname(folder)
        os.makedirs(parent, mode=0o700, exist_ok=True)
        unnamed = os.path.join(parent, f".{os.path.basename(folder)}")  # until it is known to be somebody's
        os.mkdir(unnamed, 0o700)
        self._held = _locked(unnamed)
        os.rename(unnamed, folder)
        try:
            for name, data in {**files, _NOTHING: b""}.items():
                _write(os.path.join(folder, name), data, 0 if name == _NOTHING else 0o400)
            os.mkdir(os.path.join(folder, _EMPTY), 0o500)
            self.up, self._line = (self._pipe(name) for name in (_UP, _LINE))
        except BaseException:
            self.remove()
            raise

    def _pipe(self, name: str) -> int:
        """Open both ways: nobody waits for the other end, and nobody sees the end of it before we are gone."""
        path = os.path.join(self._folder, name)
        os.mkfifo(path, 0o600)
        os.chmod(path, 0o600)
        return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def seal(self) -> None:
        """Nobody opens the pipes any more."""
        for fd in (self.up, self._line):
            os.fchmod(fd, 0)

    def say(self, word: str) -> None:
        """To the first process. What it does not take is lost on it anyway."""
        if self._line >= 0:
            with contextlib.suppress(OSError):
                os.write(self._line, word.encode() + b"\n")

    def heard(self) -> bytes:
        """What the first process has said since."""
        with contextlib.suppress(OSError):
            return os.read(self.up, _READ)
        return b""

    def hang_up(self) -> None:
        """The container ends."""
        if self._line >= 0:
            os.close(self._line)
            self._line = -1

    def remove(self) -> None:
        """All of it; nobody needs it any more."""
        _take_away(self._folder)
        os.close(self._held)


def abandoned(parent: str) -> Iterator[str]:
    """Names of folders there whose keeper is gone without having removed them; they are removed as it goes on."""
    with contextlib.suppress(OSError):
        for name in os.listdir(parent):
            if name.startswith("."):
                continue
            with contextlib.suppress(OSError):
                fd = _locked(os.path.join(parent, name))
                try:
                    yield name
                    _take_away(os.path.join(parent, name))
                finally:
                    os.close(fd)


def _locked(folder: str) -> int:
    """A descriptor of it. Raises OSError when it is somebody else's: nobody waits for that."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise
    return fd


def _take_away(folder: str) -> None:
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name == _EMPTY:
                os.rmdir(os.path.join(folder, name))
            else:
                os.unlink(os.path.join(folder, name))
        os.rmdir(folder)


def _write(path: str, data: bytes, mode: int) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with open(fd, "wb") as file:
        file.write(data)
        os.fchmod(fd, mode)
