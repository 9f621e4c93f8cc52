"""A moment -> a descriptor that can be read when it has come, whoever sleeps or is stopped until then."""

from __future__ import annotations

import struct

from limpet.kernel.syscalls import call

_MONOTONIC, _ABSOLUTE = 1, 1
_NONBLOCK, _CLOEXEC = 0o4000, 0o2000000
_SECOND = 1_000_000_000
_SETTING = struct.Struct("qqqq")


def alarm() -> int:
    """A new one, not yet set. Raises OSError."""
    return call("timerfd_create", _MONOTONIC, _NONBLOCK | _CLOEXEC)


def ring_at(fd: int, moment: float | None) -> None:
    """By the clock of `time.monotonic`; None: not at all."""
    seconds, rest = divmod(0 if moment is None else max(1, int(moment * _SECOND)), _SECOND)
    call("timerfd_settime", fd, _ABSOLUTE, _SETTING.pack(0, 0, seconds, rest), 0)
