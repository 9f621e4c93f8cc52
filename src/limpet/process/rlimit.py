"""Limits -> the kernel's per-process limits, set by a keeper on itself for what it starts."""

from __future__ import annotations

import math
import os
import resource
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.process.wire import Message

# Below this the user's own processes are counted exactly; above, the whole system's count is near enough.
_COUNT_EXACTLY_BELOW = 512


def apply(limits: Message, by_cgroup: frozenset[str], *, own: int = 1) -> list[str]:
    """Lower this process's limits for good; the names of those that now hold.

    `own`: how many processes and threads will be limpet's own, this one among them.
    """
    # One byte: too small for any file, and the one value at which the kernel feeds no program with the contents either.
    wanted = [("core", resource.RLIMIT_CORE, 1, 1)]
    if limits.get("file_size") is not None:
        wanted.append(("file_size", resource.RLIMIT_FSIZE, limits["file_size"], limits["file_size"]))
    if limits.get("processes") is not None and "processes" not in by_cgroup and os.geteuid() != 0:
        # The kernel counts all of the user's processes and threads, so those already there come on top.
        ceiling = limits["processes"] + _others(limits["processes"]) + own - 1
        wanted.append(("processes", resource.RLIMIT_NPROC, ceiling, ceiling))
    return [name for name, which, soft, hard in wanted if _lower(which, soft, hard) and name != "core"]


def binding(limits: Message, by_cgroup: frozenset[str]) -> dict[str, tuple[int, int, int]]:
    """Limits that are for the command alone: a keeper needs time, memory and descriptors itself."""
    wanted = {}
    if limits.get("cpu") is not None:
        seconds = max(1, math.ceil(limits["cpu"]))
        wanted["cpu"] = (resource.RLIMIT_CPU, seconds, seconds + 1)
    if limits.get("open_files") is not None:
        wanted["open_files"] = (resource.RLIMIT_NOFILE, limits["open_files"], limits["open_files"])
    if limits.get("memory") is not None and "memory" not in by_cgroup:
        # The keeper watches what is really in use; this only bounds how far one process can run ahead of it.
        wanted["memory"] = (resource.RLIMIT_DATA, limits["memory"] * 2, limits["memory"] * 2)
    return wanted


def lower(wanted: dict[str, tuple[int, int, int]]) -> None:
    """Set them for this process and what it starts."""
    for which, soft, hard in wanted.values():
        _lower(which, soft, hard)


def _lower(which: int, soft: int, hard: int) -> bool:
    _, ceiling = resource.getrlimit(which)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    try:
        resource.setrlimit(which, (soft, hard))
    except (OSError, ValueError, OverflowError):
        return False
    return True


def _others(limit: int) -> int:
    return _own_threads() if limit < _COUNT_EXACTLY_BELOW else _all_threads()


def _all_threads() -> int:
    with open("/proc/loadavg", "rb") as file:
        return int(file.read().split()[3].split(b"/")[1])


def _own_threads() -> int:
    me, total = os.getuid(), 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/status", "rb") as file:
                    status = file.read()
            except OSError:
                continue
            total += _threads_if_owned(status, me)
    return total


def _threads_if_owned(status: bytes, uid: int) -> int:
    fields = dict(line.split(b":", 1) for line in status.splitlines() if b":" in line)
    return int(fields[b"Threads"]) if int(fields[b"Uid"].split()[0]) == uid else 0
