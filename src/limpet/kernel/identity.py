"""A process, told apart from every other that has, had or will have its number: start time, boot, pid namespace."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_BOOT = "/proc/sys/kernel/random/boot_id"
_SPACE = "/proc/self/ns/pid"
_DEAD = (b"Z", b"X", b"x")
_PARENT, _STARTED = 1, 19
"""Where they stand among the words after the name."""


class Identity(msgspec.Struct, frozen=True):
    """One process, for good."""

    pid: int
    started: int
    """In the kernel's ticks since the boot."""
    boot: str
    space: str
    """The pid namespace in which `pid` means something."""


def mine() -> Identity:
    """This process. Raises OSError where /proc does not show it."""
    pid = os.getpid()
    words = _words(pid)
    if words is None:
        raise ProcessLookupError(f"/proc does not show this process ({pid})")
    return Identity(pid, int(words[_STARTED]), boot(), _space())


def is_alive(who: Identity) -> bool | None:
    """Whether that very process is there; None when that cannot be seen from here: its pid namespace is not ours."""
    if who.boot != boot():
        return False
    if who.space != _space():
        return None
    words = _words(who.pid)
    return words is not None and int(words[_STARTED]) == who.started


def pin(who: Identity) -> int | None:
    """A descriptor that is ready when it ends, and that signals reach nobody else by; None when it is not there.

    The descriptor pins whoever has the number now: who that is, is looked at only then.
    """
    try:
        pidfd = os.pidfd_open(who.pid)
    except OSError:
        return None
    if is_alive(who):
        return pidfd
    os.close(pidfd)
    return None


def as_suffix(who: Identity) -> str:
    """For the end of a file name that is to say whose the file is."""
    return f"{who.pid}.{who.started}.{who.space.removeprefix('pid:[').removesuffix(']')}.{who.boot}"


def of_suffix(name: str) -> Identity | None:
    """Whose a file with such a name is; None when its name does not say so."""
    words = name.rsplit(".", 4)[1:]
    if len(words) != 4 or not all(word.isdecimal() for word in words[:3]):
        return None
    return Identity(int(words[0]), int(words[1]), words[3], f"pid:[{words[2]}]")


def ancestors() -> Iterator[int]:
    """The processes that this one comes from, nearest first, as far up as can be seen."""
    pid = os.getppid()
    while pid > 0 and (words := _words(pid)) is not None:
        yield pid
        pid = int(words[_PARENT])


def argv_of(pid: int) -> list[str]:
    """Its command line; empty when it has none, or cannot be seen."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")]
    except OSError:
        return []


@functools.cache
def boot() -> str:
    """Names this run of the kernel."""
    with open(_BOOT, encoding="ascii") as file:
        return file.read().strip()


def _space() -> str:
    """Not kept: a forked child may be in another one."""
    return os.readlink(_SPACE)


def _words(pid: int) -> list[bytes] | None:
    """What the kernel says of a living process, from its state on; the name before that may hold anything."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            words = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return words if words and words[0] not in _DEAD else None
