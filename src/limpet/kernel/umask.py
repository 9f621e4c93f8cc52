"""This process's umask, read without setting it: another thread may be creating files."""

from __future__ import annotations

import os

_ENOUGH = 512
"""Bytes of what the kernel says of a process: the umask comes second."""


def umask() -> int:
    """As it is now; what is usual where the kernel does not tell."""
    fd = os.open("/proc/self/status", os.O_RDONLY | os.O_CLOEXEC)
    try:
        _, found, rest = os.read(fd, _ENOUGH).partition(b"\nUmask:")
    finally:
        os.close(fd)
    return int(rest.split(None, 1)[0], 8) if found else 0o022
