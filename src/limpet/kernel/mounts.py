"""Steps that change what a mount namespace shows -> carried out, one after the other."""

from __future__ import annotations

import errno
import os
import stat
import struct
from typing import Any

from limpet.kernel.overlayfs import layered
from limpet.kernel.syscalls import call

Step = tuple[Any, ...]
"""A name of one of the methods of `View`, and what it is given. Plain values: they travel between processes."""

_HERE = -100  # paths are taken from the current folder
_RECURSIVE = 0x8000
_EMPTY_PATH = 0x1000
_CLONE = 1
_CLOEXEC = 0o2000000
_FROM_EMPTY_PATH = 4
_PRIVATE_EVERYWHERE = 0x44000
_NOSUID, _NODEV, _NOEXEC = 2, 4, 8
_SET_READ_ONLY, _SET_NOSUID, _SET_NODEV = 1, 2, 4
_MISSING = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP)


def carry_out(steps: tuple[Step, ...]) -> None:
    """All of them. Raises OSError, with the path, at the first that cannot be done."""
    view = View()
    try:
        for name, *given in steps:
            getattr(view, name)(*given)
    finally:
        view.close()


class View:
    """What is mounted where, on its way to what it is to be."""

    def __init__(self) -> None:
        self._held: dict[str, int] = {}

    def close(self) -> None:
        """Let go of what was taken and not put anywhere."""
        for fd in self._held.values():
            os.close(fd)

    def private(self) -> None:
        """Nothing that changes here is seen elsewhere, nor the other way round."""
        _mount(None, "/", None, _PRIVATE_EVERYWHERE)

    def take(self, name: str, path: str, everything: bool = False) -> None:  # noqa: FBT001, FBT002 - a step is a tuple
        """A copy of what is at a path, to be put somewhere; with everything that is mounted below it.

        What is not there is not taken, and putting it does nothing.
        """
        flags = _CLONE | _CLOEXEC | (_RECURSIVE if everything else 0)
        try:
            self._held[name] = call("open_tree", _HERE, os.fsencode(path), flags)
        except OSError as error:
            if error.errno not in _MISSING:
                raise OSError(error.errno, error.strerror, path) from None

    def overlay(self, name: str, lower: str, upper: str, work: str) -> None:
        """A folder as it is, to be put somewhere: what is changed there is kept in `upper`, and the folder stays."""
        self._held[name] = layered(lower, upper, work)

    def harden(self, name: str) -> None:
        """No devices and no set-uid programs in what was taken."""
        self._set(name, _SET_NOSUID | _SET_NODEV)

    def lock(self, name: str) -> None:
        """What was taken cannot be written, and has no devices and no set-uid programs."""
        self._set(name, _SET_READ_ONLY | _SET_NOSUID | _SET_NODEV)

    def lock_device(self, name: str) -> None:
        """A device that works, whose owner, mode and times nobody changes."""
        self._set(name, _SET_READ_ONLY | _SET_NOSUID)

    def pin(self, path: str) -> None:
        """What is at a path stays there: it can be used as before, but not renamed or removed."""
        self.take(path, path, everything=True)
        self.put(path, path)

    def put(self, name: str, path: str) -> None:
        """What was taken covers what is at a path."""
        fd = self._held.pop(name, None)
        if fd is None:
            return
        try:
            call("move_mount", fd, b"\0", _HERE, os.fsencode(path), _FROM_EMPTY_PATH)
        except OSError as error:
            raise OSError(error.errno, error.strerror, path) from None
        finally:
            os.close(fd)

    def put_new(self, name: str, path: str) -> None:
        """The same where there is nothing yet."""
        fd = self._held.get(name)
        if fd is not None:
            if stat.S_ISDIR(os.fstat(fd).st_mode):
                self.folder(path)
            else:
                self.folder(os.path.dirname(path))
                self.file(path)
            self.put(name, path)

    def remount_locked(self, path: str) -> None:
        """A folder in memory that is complete: nothing is added to it any more."""
        attributes = struct.pack("=QQQQ", _SET_READ_ONLY, 0, 0, 0)
        call("mount_setattr", _HERE, os.fsencode(path), 0, attributes, len(attributes))

    def lock_all(self) -> None:
        """Nothing that is there can be written, and no device or set-uid program in it works."""
        attributes = struct.pack("=QQQQ", _SET_READ_ONLY | _SET_NOSUID | _SET_NODEV, 0, 0, 0)
        call("mount_setattr", _HERE, b"/\0", _RECURSIVE, attributes, len(attributes))

    def empty(self, path: str, options: str) -> None:
        """An empty folder in memory, for this namespace alone."""
        _mount("tmpfs", path, "tmpfs", _NOSUID | _NODEV, options)

    def empty_if_there(self, path: str, options: str) -> None:
        """The same where there is such a folder."""
        if _kind(path) == "folder":
            self.empty(path, options)

    def processes(self, path: str) -> None:
        """The processes of this pid namespace."""
        _mount("proc", path, "proc", _NOSUID | _NODEV | _NOEXEC)

    def terminals(self, path: str) -> None:
        """Pseudo-terminals of our own."""
        _mount("devpts", path, "devpts", _NOSUID | _NOEXEC, "newinstance,ptmxmode=0666,mode=0620")

    def freeze(self, path: str) -> None:
        """What is at a path, if anything is, can be read and not written."""
        self.take(path, path, everything=True)
        if path in self._held:
            self.lock(path)
            self.put(path, path)

    def hide(self, path: str, nothing: str) -> None:
        """What is at a path, if anything is, cannot be seen: a folder is empty, a file is `nothing`."""
        kind = _kind(path)
        if kind == "folder":
            self.empty(path, "mode=0000,size=4k,ro")
        elif kind:
            self.take(path, nothing)
            self.lock(path)
            self.put(path, path)

    def folder(self, path: str, mode: int = 0o755) -> None:
        """A folder, with those around it."""
        os.makedirs(path, exist_ok=True)
        os.chmod(path, mode)

    def file(self, path: str, mode: int = 0o600) -> None:
        """An empty file."""
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, mode))
        os.chmod(path, mode)

    def link(self, path: str, target: str) -> None:
        """A symbolic link."""
        os.symlink(target, path)

    def _set(self, name: str, what: int) -> None:
        fd = self._held.get(name)
        if fd is not None:
            attributes = struct.pack("=QQQQ", what, 0, 0, 0)
            call("mount_setattr", fd, b"\0", _EMPTY_PATH | _RECURSIVE, attributes, len(attributes))


def _kind(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return "folder" if stat.S_ISDIR(status.st_mode) else "file"


def _mount(source: str | None, path: str, kind: str | None, flags: int, options: str | None = None) -> None:
    texts = [None if text is None else os.fsencode(text) + b"\0" for text in (source, path, kind, options)]
    source_, path_, kind_, options_ = (0 if text is None else text for text in texts)
    try:
        call("mount", source_, path_, kind_, flags, options_)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
