"""A new network namespace -> one whose loopback works."""

from __future__ import annotations

import fcntl
import socket
import struct

_GET_FLAGS, _SET_FLAGS = 0x8913, 0x8914
_UP = 1


def bring_up() -> None:
    """So that programs can talk to themselves: a new network namespace has nothing but a loopback that is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        request = struct.pack("16sH22x", b"lo", 0)
        flags = struct.unpack("16sH22x", fcntl.ioctl(sock, _GET_FLAGS, request))[1]
        fcntl.ioctl(sock, _SET_FLAGS, struct.pack("16sH22x", b"lo", flags | _UP))
