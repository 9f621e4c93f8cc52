"""Classic BPF and one system call -> the answer, and what was looked at on the way: the kernel's machine in small."""

from __future__ import annotations

import operator
import struct
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

FULL = 0xFFFFFFFF
TESTS: dict[int, Callable[[int, int], bool]] = {
    0x10: operator.eq,
    0x20: operator.gt,
    0x30: operator.ge,
    0x40: lambda a, b: bool(a & b),
}
LOAD, RETURN, AND, JUMP = 0x20, 0x06, 0x54, 0x05

ALLOW, ERRNO, KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000


class Verdict(NamedTuple):
    """What the filter said."""

    action: int
    looked_at: frozenset[int]
    """Offsets: 0 the number, 4 the architecture, from 16 the arguments."""
    steps: int


def run(program: bytes, architecture: int, number: int, *arguments: int) -> Verdict:
    """Run it as the kernel would; an instruction that a filter may not have is an error."""
    data = seen(architecture, number, *arguments)
    code = list(struct.iter_unpack("=HBBI", program))
    place, word, steps = 0, 0, 0
    looked: set[int] = set()
    while True:
        kind, yes, no, value = code[place]
        place, steps = place + 1, steps + 1
        if kind == RETURN:
            return Verdict(value, frozenset(looked), steps)
        if kind == LOAD:
            looked.add(value)
            (word,) = struct.unpack_from("=I", data, value)
        elif kind == AND:
            word &= value
        elif kind == JUMP:
            place += value
        else:
            assert kind & 0x0F == 0x05, f"instruction {kind:#x}"
            place += yes if TESTS[kind & 0xF0](word, value) else no


def seen(architecture: int, number: int, *arguments: int) -> bytes:
    """What the kernel shows to a filter (struct seccomp_data)."""
    words = [*arguments, *(0,) * (6 - len(arguments))]
    return struct.pack("=IIQ6Q", number & FULL, architecture, 0, *(word % 2**64 for word in words))
