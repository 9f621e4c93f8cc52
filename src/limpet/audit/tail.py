"""The newest rows of the log, in a file beside its table, where a row costs a few system calls.

The file begins with where it ends: what lies behind that was never acknowledged, and does not count. Whoever has
locked the file has the whole log. Its rows go over to the table all at once, and then the file is removed.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time
import weakref
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from limpet.audit.chain import linked
from limpet.audit.entry import COLUMNS
from limpet.audit.trouble import busy, trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Row = tuple[Any, ...]
SUFFIX = "-tail"
LONG = 256 * 1024
"""Bytes: past this its rows should go over to the table."""
TOO_LONG = 16 * LONG

_HEADER = struct.Struct("<8sQQ32s")
_MAGIC = b"limpet-1"
_LENGTH = struct.Struct("<I")
_HASH = 32
_PAUSE = 0.002
"""Seconds between two looks at a lock that somebody else has: they have it for far less."""
_AT_ONCE = fcntl.LOCK_EX | fcntl.LOCK_NB
_SAFELY = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_NONE = (0, 0, 0)
_Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_decode = msgspec.msgpack.Decoder(list[_Whole | float | str | None]).decode
"""Only what a column of the table can hold."""


class End(msgspec.Struct, frozen=True):
    """The last row of a log."""

    id: int
    hash: bytes


class Newest(NamedTuple):
    """What a tail holds."""

    rows: list[Row]
    end: End
    torn: bool
    """Whether rows that it should have are not there, or cannot be read."""


class Tail:
    """An open tail. Raises OSError and AuditError. Not for several threads at once, nor across a fork."""

    def __init__(self, log: str) -> None:
        self._log = log
        self.path = log + SUFFIX
        self._fd: int | None = None
        self._file = _NONE[:2]
        self._now = self._left = _NONE
        """Which file it is and how long: now that it is locked, and when we last wrote to it."""
        self.end = End(0, b"")
        """Its last row, once it was found or written."""
        self.is_unknown = True
        """Whether it is not known yet to follow the table, since somebody else may have put it there."""
        self.is_long = False
        """Whether its rows should go over to the table."""
        _tails.add(self)

    def lock(self, wait: float) -> bool:
        """Have the log for ourselves; make the file if it is not there. Raises BusyError.

        Whether the end is known, since nobody has written to it after us, and there is room for more.
        """
        while True:
            fd = self._opened() if self._fd is None else self._fd
            try:
                fcntl.flock(fd, _AT_ONCE)
            except BlockingIOError:
                _take(fd, fcntl.LOCK_EX, wait, self._log)
            self._now = now = _look(self.path)
            if now[:2] == self._file:
                return now == self._left and now[2] <= TOO_LONG
            self.close()  # its rows went over to the table, or somebody has removed it

    def unlock(self) -> None:
        """Let others have it."""
        if self._fd is not None:
            fcntl.flock(self._fd, fcntl.LOCK_UN)

    def is_too_long(self) -> bool:
        """Whether they must: something has kept them from it."""
        return self._now[2] > TOO_LONG

    def find_end(self) -> bool | None:
        """Learn where it ends; None when it was not begun yet, False when rows are missing."""
        assert self._fd is not None
        header = os.pread(self._fd, _HEADER.size, 0)
        if len(header) < _HEADER.size:
            return None
        size, end = _unpacked(header, self._log)
        if size > self._now[2]:
            return False
        if size < self._now[2]:
            os.ftruncate(self._fd, size)  # what was begun and never acknowledged
        self._be_left(size, end)
        return True

    def begin(self, end: End) -> None:
        """Have it follow the last row of the table."""
        assert self._fd is not None
        if os.pwrite(self._fd, _HEADER.pack(_MAGIC, _HEADER.size, end.id, end.hash), 0) < _HEADER.size:
            raise _full()
        self._be_left(_HEADER.size, end)

    def add(self, values: Sequence[object]) -> End:
        """Write one row: all columns but id and hash. It counts once the header says so."""
        device, inode, size = self._left
        self._left = _NONE  # until this is done
        number = self.end.id + 1
        packed, hashed = linked(self.end.hash, (number, *values))
        row = b"".join((_LENGTH.pack(len(packed)), packed, hashed))
        fd, before, size = self._fd, size, size + len(row)
        assert fd is not None
        header = _HEADER.pack(_MAGIC, size, number, hashed)
        if os.pwrite(fd, row, before) < len(row) or os.pwrite(fd, header, 0) < len(header):
            raise _full()
        self._left, self.end, self.is_long = (device, inode, size), End(number, hashed), size > LONG
        return self.end

    def read(self) -> Newest | None:
        """All that it holds; None when it was not begun."""
        assert self._fd is not None
        return _read(self._fd, self._log)

    def remove(self) -> None:
        """Its rows are in the table."""
        os.unlink(self.path)
        self.close()

    def set_aside(self) -> str:
        """It lacks rows that it should have, which is evidence: keep it under another name, and tell which."""
        name = next(name for name in set_aside_names(self._log) if not os.path.lexists(name))
        os.rename(self.path, name)
        self.close()
        return name

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        fd, self._fd, self._left = self._fd, None, _NONE  # first: its number may be another file's once it is closed
        if fd is not None:
            os.close(fd)

    def _opened(self) -> int:
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | _SAFELY, 0o600)
        self._file = _which(self._fd)
        self.is_unknown = True
        return self._fd

    def _be_left(self, size: int, end: End) -> None:
        self._left, self.end = (*self._now[:2], size), end


_tails: weakref.WeakSet[Tail] = weakref.WeakSet()


def _close_the_parents() -> None:
    """In a forked child: a lock is held until every copy of its descriptor is closed, even if the parent is killed."""
    for tail in list(_tails):
        tail.close()


os.register_at_fork(after_in_child=_close_the_parents)


def newest(log: str, wait: float, look: Callable[[], object]) -> Newest | None:
    """What the tail of a log holds at the moment of a `look` at the table; None when there is none."""
    while True:
        try:
            fd = os.open(log + SUFFIX, os.O_RDONLY | _SAFELY)
        except FileNotFoundError:
            look()
            return None
        try:
            _take(fd, fcntl.LOCK_SH, wait, log)
            if _look(log + SUFFIX)[:2] == _which(fd):
                look()
                return _read(fd, log)
        finally:
            fcntl.flock(fd, fcntl.LOCK_UN)  # closing it is not enough where another thread has forked meanwhile
            os.close(fd)


def following(end: End, rows: list[Row]) -> Iterator[Row]:
    """The rows that come after the end of a table, one after the other."""
    number = end.id
    for row in rows:
        if row[0] == number + 1:
            number += 1
            yield row


def set_aside_names(log: str) -> Iterator[str]:
    """Where tails that lack rows are kept."""
    number = 0
    while True:
        yield f"{log}-damaged-{(number := number + 1)}"


def _read(fd: int, log: str) -> Newest | None:
    with open(fd, "rb", closefd=False) as file:
        file.seek(0)
        data = file.read()
    if len(data) < _HEADER.size:
        return None
    size, end = _unpacked(data, log)
    rows, whole = _rows(memoryview(data)[_HEADER.size : size])
    return Newest(rows, end, not whole or size > len(data))


def _unpacked(header: bytes, log: str) -> tuple[int, End]:
    """How long it is, and its last row."""
    ours, size, *end = _HEADER.unpack_from(header)
    if ours != _MAGIC:
        raise trouble(log + SUFFIX, "this limpet did not write it", "upgrade limpet, or move it away")
    return size, End(*end)


def _rows(data: memoryview) -> tuple[list[Row], bool]:
    """The rows up to one that cannot be read; whether that was the end."""
    rows: list[Row] = []
    try:
        while data:
            length = _LENGTH.size + _LENGTH.unpack_from(data)[0]
            row = *_decode(data[_LENGTH.size : length]), bytes(data[length : length + _HASH])
            if len(row) != len(COLUMNS) or not isinstance(row[0], int) or len(data) < length + _HASH:
                return rows, False
            rows.append(row)
            data = data[length + _HASH :]
    except (struct.error, msgspec.MsgspecError, UnicodeError):
        return rows, False
    return rows, True


def _take(fd: int, kind: int, wait: float, log: str) -> None:
    """Raises BusyError when somebody else has the lock for longer than we wait."""
    deadline = 0.0
    while True:
        try:
            fcntl.flock(fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            now = time.monotonic()
            deadline = deadline or now + wait
            if now >= deadline:
                raise busy(log) from None
            time.sleep(_PAUSE)
        else:
            return


def _full() -> OSError:
    """Of what was to be written, only a part was."""
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _look(path: str) -> tuple[int, int, int]:
    """Which file is there and how long it is; nothing where there is none."""
    try:
        found = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return _NONE
    return found.st_dev, found.st_ino, found.st_size


def _which(fd: int) -> tuple[int, int]:
    found = os.fstat(fd)
    return found.st_dev, found.st_ino
