"""A path -> when what is there came into being, which Python does not tell."""

from __future__ import annotations

import os
import struct

from limpet.kernel.syscalls import call

_HERE = -100
_NO_FOLLOW = 0x100
_BORN = 0x800
_ROOM = 256
_SECONDS, _NANOSECONDS = 80, 88
_SECOND = 1_000_000_000


def born(path: str) -> int:
    """Nanoseconds; 0 where it is not known. Of a link, that of the link itself."""
    import ctypes  # noqa: PLC0415 - costs milliseconds, and few need it

    told = ctypes.create_string_buffer(_ROOM)
    try:
        call("statx", _HERE, os.fsencode(path), _NO_FOLLOW, _BORN, ctypes.addressof(told))
    except (OSError, ValueError):
        return 0
    (known,) = struct.unpack_from("=I", told)
    seconds, rest = *struct.unpack_from("=q", told, _SECONDS), *struct.unpack_from("=I", told, _NANOSECONDS)
    return seconds * _SECOND + rest if known & _BORN else 0
