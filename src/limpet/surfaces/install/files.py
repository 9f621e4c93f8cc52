"""Files of other programs: read whole, replaced in one step, with their mode and behind their links."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile

from limpet.surfaces.install.jsonc import UnreadableError

_MOST = 16 * 1024 * 1024


def read(path: str) -> bytes | None:
    """What is in it; None when there is no such file. Raises UnreadableError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableError("is not a regular file")
    with open(descriptor, "rb") as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise UnreadableError("is larger than 16 MiB")
    return data


def decoded(data: bytes) -> str:
    """As text. Raises UnreadableError."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"is not UTF-8 (byte {error.start + 1})") from None


def replace(path: str, data: bytes) -> list[str]:
    """Write the file in one step; the folders that had to be made. A link stays, and what it leads to is replaced."""
    target = os.path.realpath(path)
    made = _make_folders(os.path.dirname(target))
    descriptor, temporary = tempfile.mkstemp(prefix=".limpet-", dir=os.path.dirname(target))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            _like(target, descriptor)
            file.flush()
            os.fsync(descriptor)
        os.rename(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    return made


def _like(target: str, descriptor: int) -> None:
    """Mode and owner of the file that is replaced; those of any new file where there was none."""
    try:
        before = os.stat(target)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(descriptor, 0o666 & ~mask)
        return
    with contextlib.suppress(OSError):  # only root can give a file away
        os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))


def _make_folders(folder: str) -> list[str]:
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for each in reversed(missing):
        os.mkdir(each)
    return missing


def remove(path: str) -> None:
    """Remove a file; a link to it stays."""
    os.unlink(os.path.realpath(path))


def remove_empty(folders: list[str]) -> None:
    """Remove those of the folders in which nothing is."""
    for folder in folders:
        with contextlib.suppress(OSError):  # somebody uses it by now
            os.rmdir(folder)
