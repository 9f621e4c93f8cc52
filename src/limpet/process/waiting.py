"""A tree of processes -> whether it waits for input, as the kernel has it: never guessed from what was printed.

A process waits for input when it is blocked in a system call that reads the run's own input, or in one that waits for
several things of which that input is one. Looked at from outside, now and then, for runs that have such an input.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import time

from limpet.process import tree

_EVERY = 0.25
_LOOKS = 2
"""It must be seen to wait this often, one after the other."""
_MOST_THREADS = 256
_MOST_WATCHED = 4096
_BUSY = "RD"
_POLL_IN = 0x41  # POLLIN | POLLRDNORM
_OWN_TERMINAL = os.makedev(5, 0)
_READ, _POLL, _SELECT, _EPOLL = "read", "poll", "select", "epoll"
_CALLS = {
    "x86_64": {
        0: _READ, 19: _READ, 7: _POLL, 271: _POLL, 23: _SELECT, 270: _SELECT, 232: _EPOLL, 281: _EPOLL, 441: _EPOLL,
    },
    "aarch64": {63: _READ, 65: _READ, 73: _POLL, 72: _SELECT, 22: _EPOLL, 441: _EPOLL},
}  # fmt: skip


class InputWatch:
    """Tells when this process's descendants begin to wait for input, and when they no longer do."""

    def __init__(self, source: os.stat_result) -> None:
        self._pipe = source.st_dev, source.st_ino
        self._terminal = source.st_rdev if stat.S_ISCHR(source.st_mode) else 0
        self._calls = _CALLS.get(os.uname().machine, {})
        self._seen = 0
        self._told = False
        self.next_look = time.monotonic() + _EVERY

    def changed(self, now: float) -> bool | None:
        """Look, if it is time to: whether it waits, where that is news."""
        if now < self.next_look:
            return None
        self._seen = self._seen + 1 if self._waits() else 0
        self.next_look = time.monotonic() + _EVERY
        waiting = self._seen >= _LOOKS
        if waiting == self._told:
            return None
        self._told = waiting
        return waiting

    def _waits(self) -> bool:
        """Somebody waits, and nobody is at work: a tree that computes is not stuck."""
        procs = [proc for proc in tree.descendants(os.getpid()) if not proc.dead]
        return not any(proc.state in _BUSY for proc in procs) and any(self._reads(proc.pid) for proc in procs)

    def _reads(self, pid: int) -> bool:
        with contextlib.suppress(OSError):
            return any(self._blocked(pid, thread) for thread in os.listdir(f"/proc/{pid}/task")[:_MOST_THREADS])
        return False

    def _blocked(self, pid: int, thread: str) -> bool:
        with contextlib.suppress(OSError, ValueError, IndexError, struct.error):
            number, *arguments = _contents(f"/proc/{pid}/task/{thread}/syscall").split()
            kind = self._calls.get(int(number))
            if kind is not None:
                return self._is_for_input(pid, kind, [int(argument, 16) for argument in arguments])
        return False

    def _is_for_input(self, pid: int, kind: str, arguments: list[int]) -> bool:
        if kind == _READ:
            return self._is_source(pid, arguments[0])
        watched = _watched(pid, kind, arguments)
        # Whoever also listens to the network serves others, and is not stuck without us.
        return any(self._is_source(pid, fd) for fd in watched) and not any(_is_socket(pid, fd) for fd in watched)

    def _is_source(self, pid: int, fd: int) -> bool:
        try:
            status = os.stat(f"/proc/{pid}/fd/{fd}")
        except OSError:
            return False
        if self._terminal:
            return status.st_rdev in (self._terminal, _OWN_TERMINAL)
        return (status.st_dev, status.st_ino) == self._pipe


def _watched(pid: int, kind: str, arguments: list[int]) -> list[int]:
    """The descriptors whose input a blocked process waits for."""
    if kind == _EPOLL:
        lines = [line.split() for line in _contents(f"/proc/{pid}/fdinfo/{arguments[0]}").splitlines()]
        entries = [line for line in lines if line and line[0] == b"tfd:"]
        return [int(entry[1]) for entry in entries[:_MOST_WATCHED] if int(entry[3], 16) & _POLL_IN]
    first, second = arguments[:2]
    if kind == _POLL:
        count = min(second, _MOST_WATCHED)
        return [fd for fd, events, _ in struct.iter_unpack("ihh", _memory(pid, first, count * 8)) if events & _POLL_IN]
    bits = _memory(pid, second, (min(first, _MOST_WATCHED) + 7) // 8) if second else b""
    return [fd for fd in range(min(first, len(bits) * 8)) if bits[fd // 8] >> fd % 8 & 1]


def _is_socket(pid: int, fd: int) -> bool:
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/fd/{fd}").startswith("socket:")
    return False


def _contents(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _memory(pid: int, address: int, size: int) -> bytes:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        file.seek(address)
        return file.read(size)
