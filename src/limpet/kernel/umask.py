"""This process's umask, read without setting it: another thread may be creating files."""

from __future__ import annotations

from limpet.kernel.told import Told

_ENOUGH = 512
"""Bytes of what the kernel says of a process: the umask comes second."""
_status = Told("/proc/self/status", begins=b"Name:")


def umask() -> int:
    """As it is now; what is usual where the kernel does not tell."""
    _, found, rest = _status.now(_ENOUGH).partition(b"\nUmask:")
    return int(rest.split(None, 1)[0], 8) if found else 0o022
