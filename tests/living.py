"""/proc -> which processes are there: how tests see that something runs, and that nothing is left of it."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


class Process(msgspec.Struct, frozen=True, kw_only=True):
    """A process, told apart by its start from a later one with the same pid."""

    pid: int
    started: int
    parent: int
    state: str
    argv: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.pid} ({self.state}) {' '.join(self.argv) or 'gone but not reaped'}"


def marker() -> str:
    """A number of seconds that no other process sleeps: run `sleep {marker()}`, then look for it."""
    return f"1234.{secrets.randbelow(10**12):012}"


def alive(marker: str) -> list[int]:
    """Who has the marker anywhere in its command line: the sleep, and shells whose script names it."""
    return [one.pid for one in processes() if one.pid != os.getpid() and marker in " ".join(one.argv)]


def sleeping(marker: str) -> list[int]:
    """Who has the marker as an argument of its own: the sleep itself, once it has really started."""
    return [one.pid for one in processes() if marker in one.argv]


def wait_for(predicate: Callable[[], T], seconds: float = 5.0) -> T:
    """What the predicate returns once that is true; fails the test if it is not within the time."""
    end = time.monotonic() + seconds
    while not (value := predicate()):
        if time.monotonic() > end:
            raise AssertionError(f"still {value!r} after {seconds} s")
        time.sleep(0.01)
    return value


def wait_gone(marker: str, seconds: float = 3.0) -> bool:
    """True once nobody has the marker in its command line; fails the test, with pids, if somebody keeps it."""
    end = time.monotonic() + seconds
    while left := alive(marker):
        if time.monotonic() > end:
            raise AssertionError(f"after {seconds} s still alive: {left}")
        time.sleep(0.01)
    return True


def descendants(pid: int) -> list[Process]:
    """Everything below a process, the dead that nobody reaped among them."""
    found: list[Process] = []
    waiting = _children(pid)
    while waiting:
        below = waiting.pop()
        if (one := _process(Path("/proc", str(below)))) is not None:
            found.append(one)
            waiting += _children(below)
    return found


def _children(pid: int) -> list[int]:
    """As the kernel lists them for each thread: to look through all processes would cost every test milliseconds."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # it has ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_bytes().split())
    return found


def processes() -> Iterator[Process]:
    """All that can be seen now."""
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (one := _process(Path("/proc", entry))):
            yield one


def _process(place: Path) -> Process | None:
    try:
        stat = (place / "stat").read_bytes()
        argv = (place / "cmdline").read_bytes()
    except OSError:
        return None  # it ended while we looked
    fields = stat[stat.rindex(b")") + 2 :].split()  # the name before it may hold anything
    words = tuple(os.fsdecode(word) for word in argv.removesuffix(b"\0").split(b"\0")) if argv else ()
    return Process(
        pid=int(place.name), started=int(fields[19]), parent=int(fields[1]), state=fields[0].decode(), argv=words
    )
