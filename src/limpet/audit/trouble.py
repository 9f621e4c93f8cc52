"""What SQLite or the kernel complains about -> an AuditError that says what to do."""

from __future__ import annotations

import contextlib
import errno
import sqlite3
from typing import TYPE_CHECKING

from limpet.audit.schema import VERSION
from limpet.errors import AuditError

if TYPE_CHECKING:
    from collections.abc import Iterator

_ELSEWHERE = "set LIMPET_STATE_DIR to another folder"
_WITHOUT = "(audit.required = false runs commands without a record)"

_SPACE = "no space is left on its disk", "free some"
_READ_ONLY = "it may not be written", f"make the file and its folder writable for this user, or {_ELSEWHERE}"
_DAMAGED = "it is damaged or not a database", "move it away so that a new one is begun (keep it: it is evidence)"
_DISK = "its disk is full or failing", f"free some space, check the disk, or {_ELSEWHERE}"
_UNOPENED = (
    "it cannot be opened",
    f"see that its folder may be written by this user and that `ulimit -n` leaves descriptors, or {_ELSEWHERE}",
)
_UNKNOWN = "it cannot be used", _ELSEWHERE

_BY_SQLITE = {
    sqlite3.SQLITE_FULL: _SPACE,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: _DAMAGED,
    sqlite3.SQLITE_ERROR: _DAMAGED,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_CANTOPEN: _UNOPENED,
}
_BY_ERRNO = {
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EROFS: _READ_ONLY,
    errno.EACCES: _READ_ONLY,
    errno.EPERM: _READ_ONLY,
    errno.EIO: _DISK,
}


class BusyError(AuditError):
    """Other processes kept the log locked."""


def explain(error: sqlite3.Error | OSError, path: str) -> AuditError:
    """The exception to raise in place of `error`."""
    if isinstance(error, OSError):
        what, remedy = _BY_ERRNO.get(error.errno or 0, _UNOPENED)
        return trouble(path, f"{what} ({error.strerror})", remedy)
    code = _class_of(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return busy(path)
    what, remedy = _BY_SQLITE.get(code, _UNKNOWN)
    return trouble(path, f"{what} ({error})", remedy)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether it is the content that is wrong, not the way to it."""
    return _BY_SQLITE.get(_class_of(error)) is _DAMAGED


def busy(path: str) -> BusyError:
    """For a lock that was not let go in time."""
    return BusyError(
        f"{path}: audit log: others keep it locked; find out who (`fuser {path}`), or {_ELSEWHERE} {_WITHOUT}"
    )


@contextlib.contextmanager
def explaining(path: str) -> Iterator[None]:
    """Inside, whatever SQLite complains about becomes an AuditError."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, path) from error


def wrong_version(path: str, version: int | None) -> AuditError:
    """For a database that this limpet cannot write to."""
    if version is None:
        return trouble(path, "it is a database of something else", _ELSEWHERE)
    return trouble(path, f"its schema is {version}, this limpet knows {VERSION}", f"upgrade limpet, or {_ELSEWHERE}")


def damaged(path: str, what: str) -> AuditError:
    """For a log that lacks a part."""
    return trouble(path, f"{_DAMAGED[0]} ({what})", _DAMAGED[1])


def trouble(path: str, what: str, remedy: str) -> AuditError:
    """The one shape that all these messages have."""
    return AuditError(f"{path}: audit log: {what}; {remedy} {_WITHOUT}")


def _class_of(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)  # what Python itself complains about has none
    return code & 0xFF  # the rest are its details
