"""A thread -> what it is blocked on, as the kernel has it: whose input it waits for, and whether for ever."""

from __future__ import annotations

import enum
import os
import struct
from typing import NamedTuple

_MOST_WATCHED = 4096
_MOST_SOCKETS = 256
_POLL_IN = 0x41  # POLLIN | POLLRDNORM
_CONNECTED, _LISTENS, _NAMELESS, _TCP_LISTEN = b"03", 0x10000, 7, b"0A"
_READ, _POLL, _PPOLL, _SELECT, _PSELECT, _EPOLL, _EPOLL2, _SLEEP, _WAIT = range(9)
_CALLS = {
    "x86_64": {
        0: _READ, 19: _READ, 43: _READ, 45: _READ, 47: _READ, 275: _READ, 288: _READ, 7: _POLL, 271: _PPOLL,
        23: _SELECT, 270: _PSELECT, 232: _EPOLL, 281: _EPOLL, 441: _EPOLL2, 35: _SLEEP, 230: _SLEEP,
        34: _WAIT, 61: _WAIT, 128: _WAIT, 130: _WAIT, 247: _WAIT,
    },
    "aarch64": {
        63: _READ, 65: _READ, 202: _READ, 207: _READ, 212: _READ, 76: _READ, 242: _READ, 73: _PPOLL, 72: _PSELECT,
        22: _EPOLL, 441: _EPOLL2, 101: _SLEEP, 115: _SLEEP, 95: _WAIT, 133: _WAIT, 137: _WAIT, 260: _WAIT,
    },
}  # fmt: skip
"""read, readv, accept, recvfrom, recvmsg, splice, accept4 have the descriptor as their first argument.

What waits is for a child or a signal."""
_HERE = _CALLS.get(os.uname().machine, {})
_READS_BY_NAME = (b"wait_woken", b"n_tty_read", b"pipe_read", b"anon_pipe_read")


class Blocked(NamedTuple):
    """What a thread waits for."""

    fds: tuple[int, ...] = ()
    """Descriptors of which any would do, as soon as there is something to read."""
    seconds: float | None = None
    """After this long it goes on by itself; None: it does not."""


def blocked(pid: int, thread: str) -> Blocked | None:
    """None where it is not blocked, or in nothing that tells. Raises OSError or ValueError where it cannot be seen.

    PermissionError: it may not be looked into.
    """
    place = f"/proc/{pid}/task/{thread}"
    try:
        number, *words = contents(f"{place}/syscall").split()
    except PermissionError:
        if contents(f"{place}/wchan") in _READS_BY_NAME:  # which is less guarded than the call itself
            return Blocked((0,))
        raise
    kind = None if number == b"running" else _HERE.get(int(number))
    if kind is None:
        return None
    arguments = [int(word, 16) for word in words]
    if kind in (_SLEEP, _WAIT):
        return Blocked((), 0.0 if kind == _SLEEP else None)
    return Blocked(_watched(pid, kind, arguments), _bound(pid, kind, arguments))


def _watched(pid: int, kind: int, arguments: list[int]) -> tuple[int, ...]:
    """The descriptors whose input it waits for."""
    first, second = arguments[:2]
    if kind == _READ:
        return (first,)
    if kind in (_EPOLL, _EPOLL2):
        lines = [line.split() for line in contents(f"/proc/{pid}/fdinfo/{first}").splitlines()]
        entries = [line for line in lines if line and line[0] == b"tfd:"]
        return tuple(int(entry[1]) for entry in entries[:_MOST_WATCHED] if int(entry[3], 16) & _POLL_IN)
    if kind in (_POLL, _PPOLL):
        places = _memory(pid, first, min(second, _MOST_WATCHED) * 8)
        places = places[: len(places) // 8 * 8]
        return tuple(fd for fd, events, _ in struct.iter_unpack("ihh", places) if events & _POLL_IN and fd >= 0)
    bits = _memory(pid, second, (min(first, _MOST_WATCHED) + 7) // 8) if second else b""
    return tuple(fd for fd in range(min(first, len(bits) * 8)) if bits[fd // 8] >> fd % 8 & 1)


def _bound(pid: int, kind: int, arguments: list[int]) -> float | None:
    """The time limit of the call, in seconds."""
    if kind == _READ:
        return None
    if kind in (_POLL, _EPOLL):
        limit = arguments[2 if kind == _POLL else 3] & 0xFFFFFFFF
        return None if limit >> 31 else limit / 1000
    place = arguments[{_PPOLL: 2, _EPOLL2: 3}.get(kind, 4)]
    if not place:
        return None
    seconds, rest = struct.unpack("qq", _memory(pid, place, 16))
    return float(seconds + rest / (1e6 if kind == _SELECT else 1e9))


class Outward(enum.IntEnum):
    """Who else is waited for."""

    NOBODY = 0
    SOMEBODY = 1
    """At the other end of a connection."""
    ANYBODY = 2
    """Whoever may connect."""


def outward(pid: int, fds: tuple[int, ...]) -> Outward:
    """By the sockets among the descriptors. A pair that was never given a name is a program's own plumbing."""
    inodes = {inode for fd in fds[:_MOST_SOCKETS] if (inode := _socket(pid, fd))}
    if not inodes:
        return Outward.NOBODY
    unix = [row for row in _rows(pid, "unix") if row[6] in inodes]
    if any(int(row[3], 16) & _LISTENS for row in unix) or inodes & _listening(pid):
        return Outward.ANYBODY
    inodes -= {row[6] for row in unix if len(row) == _NAMELESS and row[5] == _CONNECTED}
    return Outward.SOMEBODY if inodes else Outward.NOBODY


def _socket(pid: int, fd: int) -> bytes:
    try:
        target = os.readlink(f"/proc/{pid}/fd/{fd}")
    except OSError:
        return b""
    return target[len("socket:[") : -1].encode() if target.startswith("socket:[") else b""


def _listening(pid: int) -> set[bytes]:
    return {row[9] for table in ("tcp", "tcp6") for row in _rows(pid, table) if row[3] == _TCP_LISTEN}


def _rows(pid: int, table: str) -> list[list[bytes]]:
    try:
        return [line.split() for line in contents(f"/proc/{pid}/net/{table}").splitlines()[1:]]
    except OSError:  # a kernel without this kind of socket
        return []


def contents(path: str) -> bytes:
    """Of a file in /proc."""
    with open(path, "rb") as file:
        return file.read()


def _memory(pid: int, address: int, size: int) -> bytes:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        file.seek(address)
        return file.read(size)
