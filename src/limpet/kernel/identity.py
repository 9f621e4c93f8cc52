"""Who a process is, beyond the number that the kernel gives to another one later."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_BOOT = "/proc/sys/kernel/random/boot_id"
_PARENT, _START = 1, 19


class Identity(NamedTuple):
    """One process of one boot of one machine."""

    pid: int
    started: int
    """Ticks after the boot."""
    boot: str


def identity(pid: int | None = None) -> Identity | None:
    """That of a process, or of this one; None when there is none of that number, or it is dead already."""
    pid = os.getpid() if pid is None else pid
    fields = _fields(pid)
    return None if fields is None else Identity(pid, int(fields[_START]), _boot())


def is_alive(who: Identity) -> bool:
    """Whether that very process is still there."""
    return identity(who.pid) == who


def ancestors() -> Iterator[Identity]:
    """The processes that this one comes from, nearest first, as far up as can be seen."""
    boot, pid = _boot(), os.getppid()
    while pid > 0 and (fields := _fields(pid)) is not None:
        yield Identity(pid, int(fields[_START]), boot)
        pid = int(fields[_PARENT])


def argv_of(pid: int) -> list[str]:
    """Its command line; empty when it has none, or cannot be seen."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")]
    except OSError:
        return []


def _boot() -> str:
    with open(_BOOT, encoding="ascii") as file:
        return file.read().strip()


def _fields(pid: int) -> list[bytes] | None:
    """What the kernel says of a process, from its state on; the name before that may hold anything."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            said = file.read()
    except OSError:
        return None
    fields = said[said.rindex(b")") + 2 :].split()
    return None if fields[0] in (b"Z", b"X") else fields
