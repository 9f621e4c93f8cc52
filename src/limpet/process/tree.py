"""A process id -> its living descendants, and signals that reach only them."""

from __future__ import annotations

import contextlib
import os
import signal

_DEAD = "ZXx"


class Proc:
    """One line of the process table, as /proc/<pid>/stat had it."""

    __slots__ = ("front", "group", "name", "parent", "pid", "session", "start", "state", "ticks")

    def __init__(self, pid: int, stat: bytes) -> None:
        # The name may hold spaces and parentheses: it ends at the last one.
        opening, closing = stat.index(b"("), stat.rindex(b")")
        fields = stat[closing + 2 :].split(None, 20)
        self.pid = pid
        self.name = stat[opening + 1 : closing].decode("utf-8", "backslashreplace")
        self.state = chr(fields[0][0])
        self.parent = int(fields[1])
        self.group = int(fields[2])
        self.session = int(fields[3])
        self.front = int(fields[5])
        self.ticks = int(fields[11]) + int(fields[12])
        self.start = int(fields[19])

    @property
    def dead(self) -> bool:
        """A zombie: it has ended and waits to be reaped."""
        return self.state in _DEAD

    def __str__(self) -> str:
        return f"{self.name} ({self.pid})"


def look_up(pid: int) -> Proc | None:
    """The process with this id, if there is one."""
    try:
        fd = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return Proc(pid, os.read(fd, 1024))
    except (OSError, ValueError, IndexError):  # it went while we looked
        return None
    finally:
        os.close(fd)


def descendants(root: int) -> list[Proc]:
    """Everything below `root`, zombies too, parents before children."""
    children: dict[int, list[Proc]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (proc := look_up(int(entry))) is not None:
            children.setdefault(proc.parent, []).append(proc)
    found: list[Proc] = []
    waiting = [root]
    while waiting:
        below = children.pop(waiting.pop(), [])
        found += below
        waiting += [proc.pid for proc in below]
    return found


def send(proc: Proc, number: int) -> None:
    """Signal exactly this process: its id may belong to somebody else by now, so its start time is checked first.

    The descriptor pins the process; what it pins is verified before anything is sent.
    """
    with contextlib.suppress(OSError):
        pidfd = os.pidfd_open(proc.pid)
        try:
            now = look_up(proc.pid)
            if now is not None and now.start == proc.start:
                signal.pidfd_send_signal(pidfd, number)
        finally:
            os.close(pidfd)
