"""Child processes that change state -> a descriptor that becomes readable."""

from __future__ import annotations

import contextlib
import os
import signal

_AT_ONCE = 4096


def child_wakeups() -> int:
    """A descriptor that becomes readable when a child changes state."""
    reading, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reading


def empty(fd: int) -> None:
    """Take all pending wake-ups."""
    with contextlib.suppress(BlockingIOError):
        while len(os.read(fd, _AT_ONCE)) == _AT_ONCE:
            pass
