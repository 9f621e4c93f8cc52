"""A tree of tests -> classic BPF, the instructions that the kernel runs before a system call.

Instructions are laid from the last to the first, as all jumps go forward: what a test leads to is there when the test
is written. What is equal is laid once, since the kernel compiles each filter anew and takes its time by the length.
"""

from __future__ import annotations

import struct
from typing import NamedTuple, TypeAlias

from limpet.kernel.seccomp.rules import FULL_WORD

_LOAD_WORD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_AND = 0x54  # BPF_ALU | BPF_AND | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_JUMP = 0x05  # BPF_JMP | BPF_JA
EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K, without sign
_FAR = 254  # a test jumps over 255 instructions at most, and one of them may be the jump of its other side
_MOST = 4096  # BPF_MAXINSNS

NUMBER = 0
"""Where the number of the call lies in what a filter sees (struct seccomp_data)."""
ARCHITECTURE = 4
_ARGUMENTS = 16


class End(NamedTuple):
    """This is what happens with the call."""

    action: int


class Look(NamedTuple):
    """The word at an offset, without the bits that are not in the mask, becomes the one that tests are about."""

    offset: int
    then: Step
    mask: int = FULL_WORD


class Branch(NamedTuple):
    """One way or the other, by the word."""

    kind: int
    value: int
    yes: Step
    no: Step


Step: TypeAlias = "End | Look | Branch"


def argument_at(index: int, *, upper: bool) -> int:
    """Where half of an argument lies; both machines put the lower half first."""
    return _ARGUMENTS + 8 * index + 4 * upper


def assemble(first: Step) -> bytes:
    """The instructions, as the kernel reads them (struct sock_filter)."""
    layout = _Layout()
    layout.lay(first)
    if len(layout.laid) > _MOST:
        raise ValueError(f"a filter of {len(layout.laid)} instructions; the kernel takes {_MOST}")
    return b"".join(reversed(layout.laid))


class _Layout:
    """Instructions from the end; places are counted from there too."""

    def __init__(self) -> None:
        self.laid: list[bytes] = []
        self._places: dict[Step, int] = {}

    def lay(self, step: Step) -> int:
        """Its place; laid only if nothing equal is there."""
        if step not in self._places:
            self._lay_new(step)
            self._places[step] = len(self.laid) - 1
        return self._places[step]

    def _lay_new(self, step: Step) -> None:
        if isinstance(step, End):
            self._put(_RETURN, step.action)
        elif isinstance(step, Look):
            self._lay_look(step)
        else:
            no, yes = self.lay(step.no), self.lay(step.yes)
            no, yes = self._within_reach(no), self._within_reach(yes)
            self._put(step.kind, step.value, self._over(yes), self._over(no))

    def _lay_look(self, look: Look) -> None:
        then = self.lay(look.then)
        if self._over(then):
            self._put(_JUMP, self._over(then))
        if look.mask != FULL_WORD:
            self._put(_AND, look.mask)
        self._put(_LOAD_WORD, look.offset)

    def _within_reach(self, place: int) -> int:
        if self._over(place) <= _FAR:
            return place
        self._put(_JUMP, self._over(place))
        return len(self.laid) - 1

    def _over(self, place: int) -> int:
        """How many instructions the next one to be laid has to jump over."""
        return len(self.laid) - place - 1

    def _put(self, code: int, value: int, yes: int = 0, no: int = 0) -> None:
        self.laid.append(struct.pack("=HBBI", code, yes, no, value))
