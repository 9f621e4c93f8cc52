"""What a process may do beyond its files: taken away for good."""

from __future__ import annotations

import struct

from limpet.kernel.syscalls import call

_DROP_FROM_BOUNDING = 24
_SET_DUMPABLE = 4
_AMBIENT, _CLEAR_ALL = 47, 4
_VERSION_3 = 0x2008_0522
_HIGHEST = 63


def bound_capabilities() -> None:
    """None can come back by running something, in this process or what it starts; those it has it keeps for now."""
    for capability in range(_HIGHEST + 1):
        try:
            call("prctl", _DROP_FROM_BOUNDING, capability, 0, 0, 0)
        except OSError:  # past the last one that this kernel has
            break


def give_up_capabilities() -> None:
    """None is left, and none can be inherited."""
    call("prctl", _AMBIENT, _CLEAR_ALL, 0, 0, 0)
    call("capset", struct.pack("=Ii", _VERSION_3, 0), bytes(24))


def be_unreadable() -> None:
    """Nobody without rights over this process may look into its memory, descriptors or environment."""
    call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)
