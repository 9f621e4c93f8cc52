"""A filter -> in force for this thread and everything that it starts, for good."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from limpet.kernel import syscalls

if TYPE_CHECKING:
    from collections.abc import Callable

_SET_MODE_FILTER = 1
_INSTRUCTION = 8  # bytes

# No logging: a refused call is the command's own affair, and a log line for each is a way to flood the host. Nor
# SPEC_ALLOW: how much a filter should slow down guessing processors is the kernel's decision, not ours.
_FLAGS = 0


def install(program: bytes) -> None:
    """Load it. Raises OSError when the kernel does not take it: nothing is filtered then, so start nothing."""
    prepare(program)()


def prepare(program: bytes) -> Callable[[], None]:
    """The same, ready to be done by a child that is yet to be forked.

    New privileges are forbidden first, without which the kernel takes filters from root only.
    """
    import ctypes  # noqa: PLC0415 - see syscalls

    held = ctypes.c_char_p(program)
    address = ctypes.cast(held, ctypes.c_void_p).value or 0
    header = struct.pack("=HxxxxxxQ", len(program) // _INSTRUCTION, address)  # struct sock_fprog
    forbid = syscalls.prepare(*syscalls.NO_NEW_PRIVILEGES)
    load = syscalls.prepare("seccomp", _SET_MODE_FILTER, _FLAGS, header)

    def load_filter(_held: object = held) -> None:  # the header is but an address: what lies there must stay
        forbid()
        load()

    return load_filter
