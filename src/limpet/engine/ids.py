"""Time and chance -> names of runs that sort by time."""

from __future__ import annotations

import os
import threading
import time

RUN, TASK = "r", "t"

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: nothing that reads like something else
_AS_PYTHON_COUNTS = str.maketrans(_DIGITS, "0123456789abcdefghijklmnopqrstuv")
_TIME_DIGITS = 9
_CHANCE_DIGITS = 7
_BITS = 5
"""Of a digit."""
_PAIRS = [first + second for first in _DIGITS for second in _DIGITS]
_PAIR = len(_PAIRS) - 1
_SHIFTS = range(_BITS * (_TIME_DIGITS + _CHANCE_DIGITS - 2), -1, -2 * _BITS)
_ROOM = 6
"""Bits: so that counting up from any chance stays within the digits."""
_CHANCE_BYTES = 5
_AT_ONCE = 64
"""To ask the kernel takes longer than the rest: it is asked for many at a time."""
_turn = threading.Lock()
_last = (0, 0)
_chances = b""


def new_id(kind: str = RUN) -> str:
    """A new name: `kind`, the time in milliseconds, chance. One made later by this process comes later in order."""
    global _last  # noqa: PLW0603 - two of one millisecond are told apart by it
    with _turn:
        moment, chance = int(time.time() * 1000), _chance()
        if moment <= _last[0]:
            moment, chance = _last[0], _last[1] + 1
        _last = moment, chance
    value = moment << _BITS * _CHANCE_DIGITS | chance
    return kind + "".join([_PAIRS[value >> shift & _PAIR] for shift in _SHIFTS])


def _chance() -> int:
    global _chances  # noqa: PLW0603 - see above
    if not _chances:
        _chances = os.urandom(_CHANCE_BYTES * _AT_ONCE)
    taken, _chances = _chances[:_CHANCE_BYTES], _chances[_CHANCE_BYTES:]
    return int.from_bytes(taken, "big") >> _ROOM


def _forget() -> None:
    """In a forked child: counting on from where its parent counts on would give the same names."""
    global _last, _turn, _chances
    _last, _turn, _chances = (0, 0), threading.Lock(), b""


os.register_at_fork(after_in_child=_forget)


def is_task(name: str) -> bool:
    """Whether it is the name of a background task."""
    return name.startswith(TASK)


def time_of(name: str) -> float:
    """When a name was made, in seconds. Raises ValueError for what is no name."""
    if len(name) != 1 + _TIME_DIGITS + _CHANCE_DIGITS or name[1:].strip(_DIGITS):
        raise ValueError(name)
    return int(name[1 : 1 + _TIME_DIGITS].translate(_AS_PYTHON_COUNTS), 1 << _BITS) / 1000
