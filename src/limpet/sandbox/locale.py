"""The name of a locale -> whether this machine has it, without changing the one in use."""

from __future__ import annotations

import functools

_ALWAYS_THERE = {"", "C", "POSIX", "C.UTF-8", "C.utf8"}
_ALL_CATEGORIES = 0x1FBF  # LC_ALL_MASK of glibc


@functools.cache
def has_locale(name: str) -> bool:
    """Ask the C library; a program given a locale it does not have warns on stderr at every start."""
    if name in _ALWAYS_THERE:
        return True
    import ctypes  # noqa: PLC0415 - costs milliseconds, needed for unusual names only

    libc = ctypes.CDLL(None)
    libc.newlocale.restype = ctypes.c_void_p
    libc.newlocale.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p]
    libc.freelocale.argtypes = [ctypes.c_void_p]
    found = libc.newlocale(_ALL_CATEGORIES, name.encode("utf-8", "surrogateescape"), None)
    if found:
        libc.freelocale(found)
    return bool(found)
