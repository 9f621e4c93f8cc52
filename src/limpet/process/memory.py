"""The memory of a tree, looked at now and then where no control group counts it; who goes first where one does."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from limpet.process import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

_EVERY = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")


class MemoryWatch:
    """Tells when this process's descendants use more than `limit` bytes together."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.next_look = time.monotonic() + _EVERY

    def exceeded(self, now: float) -> bool:
        """Look, if it is time to."""
        if now < self.next_look:
            return False
        procs = [proc.pid for proc in tree.descendants(os.getpid()) if not proc.dead]
        over = sum(map(_resident, procs)) > self._limit and sum(map(_share, procs)) > self._limit
        self.next_look = time.monotonic() + _EVERY
        return over


def _resident(pid: int) -> int:
    """Cheap, and too high where processes share pages."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _share(pid: int) -> int:
    """What a process uses when each shared page is divided among those who share it."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss:")), 0)
    except OSError:
        return _resident(pid)


@contextlib.contextmanager
def first_to_go() -> Iterator[None]:
    """Whoever is started here is ended before its keeper when memory runs out, however small it is."""
    _oom_score(b"500")
    try:
        yield
    finally:
        _oom_score(b"0")


def _oom_score(score: bytes) -> None:
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as file:
        file.write(score)
