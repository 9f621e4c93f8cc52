"""Who a transaction belongs to: a process, told apart from others that had or will have its number."""

from __future__ import annotations

import os

import msgspec

from limpet.errors import TransactionError

_BOOT = "/proc/sys/kernel/random/boot_id"
_STARTED = 19
"""Where the start time stands among the words after the name."""


class Owner(msgspec.Struct, frozen=True):
    """A process of one boot of one machine."""

    pid: int
    started: int
    """In ticks since the boot."""
    boot: str

    @property
    def word(self) -> str:
        """For the end of a file name, as `is_abandoned` reads it."""
        return f"{self.pid}.{self.started}"

    @property
    def is_alive(self) -> bool:
        """Whether that very process still runs."""
        return self.boot == _boot() and _started(self.pid) == self.started


def this_process() -> Owner:
    """The one that asks."""
    pid = os.getpid()
    return Owner(pid, _started(pid), _boot())


def check_name(name: str) -> None:
    """Of a transaction or commit: it becomes that of a folder. Raises TransactionError."""
    if not name or name.startswith(".") or "/" in name or "\0" in name:
        raise TransactionError(f"{name!r} cannot be the name of a transaction or commit")


def is_abandoned(name: str) -> bool:
    """Whether the process whose word a file name ends in is gone."""
    words = name.rsplit(".", 2)[-2:]
    if len(words) != 2 or not all(word.isdigit() for word in words):
        return False
    return not Owner(int(words[0]), int(words[1]), _boot()).is_alive


def _started(pid: int) -> int:
    """-1 when there is no such process, or it is dead and only not yet cleared away."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            words = file.read().rpartition(b")")[2].split()
    except OSError:
        return -1
    return -1 if words[0] in (b"Z", b"X") else int(words[_STARTED])


def _boot() -> str:
    try:
        with open(_BOOT, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""
