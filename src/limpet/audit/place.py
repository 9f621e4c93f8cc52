"""A path -> a private file there that is ours, without ever opening it.

It is never opened here because closing any descriptor of a file drops all POSIX locks that the process holds on it,
SQLite's included. The umask is left alone, since commands inherit it.
"""

from __future__ import annotations

import contextlib
import os
import stat

from limpet.audit.trouble import explain, trouble

_OTHERS = 0o077


def claim(path: str) -> None:
    """Make the file and its folder if they are missing; raise AuditError for what is not a plain file of our own."""
    try:
        _make(path)
        for name in (path, path + "-wal", path + "-shm", path + "-tail"):
            with contextlib.suppress(FileNotFoundError):
                _inspect(name)
    except OSError as error:
        raise explain(error, path) from error


def identity(path: str) -> tuple[int, int] | None:
    """Which file is there now; None when there is none."""
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _make(path: str) -> None:
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
    with contextlib.suppress(FileExistsError):
        os.mknod(path, stat.S_IFREG | 0o600)


def _inspect(path: str) -> None:
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode):
        raise trouble(path, "it is not a plain file", "see what put it there and remove it")
    if found.st_uid != os.geteuid():
        raise trouble(
            path,
            f"it belongs to user {found.st_uid}, not {os.geteuid()}",
            "set LIMPET_STATE_DIR to a folder of your own",
        )
    if found.st_mode & _OTHERS:
        os.chmod(path, 0o600)
