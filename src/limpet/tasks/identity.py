"""A process, told apart from a later one that has its number: pid, start time, boot, pid namespace."""

from __future__ import annotations

import functools
import os

import msgspec

from limpet.process import tree


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """One process, for good."""

    pid: int
    start: int
    """In the kernel's ticks since boot."""
    boot: str
    space: str
    """The pid namespace in which `pid` means something."""


def mine() -> Identity:
    """This process."""
    pid = os.getpid()
    proc = tree.look_up(pid)
    return Identity(pid=pid, start=0 if proc is None else proc.start, boot=boot(), space=space())


def is_alive(who: Identity) -> bool | None:
    """Whether it is there; None when that cannot be seen from here: it is in a pid namespace that is not ours."""
    if who.boot != boot():
        return False
    if who.space != space():
        return None
    proc = tree.look_up(who.pid)
    return proc is not None and proc.start == who.start and not proc.dead


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


@functools.cache
def boot() -> str:
    """Names this run of the kernel."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()


@functools.cache
def space() -> str:
    """Names the pid namespace of this process."""
    return os.readlink("/proc/self/ns/pid")
