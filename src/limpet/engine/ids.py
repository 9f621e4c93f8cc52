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
_DIGIT = len(_DIGITS) - 1
_LATE_DIGITS = 2
"""Of the time: the others are the same for a second."""
_ROOM = 6
"""Bits: so that counting up from any chance stays within the digits."""
_CHANCE_BYTES = 5
_AT_ONCE = 64
_turn = threading.Lock()
_last = (0, 0)
_chances: list[tuple[int, str]] = []
_early = (0, "")
"""The early digits of a time, and how they are written."""


def new_id(kind: str = RUN) -> str:
    """A new name: `kind`, the time in milliseconds, chance. One made later by this process comes later in order."""
    global _last  # noqa: PLW0603 - two of one millisecond are told apart by it
    with _turn:
        moment, (chance, written) = int(time.time() * 1000), _chance()
        if moment <= _last[0]:
            moment, chance = _last[0], _last[1] + 1
            written = _written(chance, _CHANCE_DIGITS)
        _last = moment, chance
    return kind + _moment(moment) + written


def _moment(moment: int) -> str:
    global _early  # noqa: PLW0603 - the next one has mostly the same
    early, digits = _early
    if early != moment >> _BITS * _LATE_DIGITS:
        early = moment >> _BITS * _LATE_DIGITS
        digits = _written(early, _TIME_DIGITS - _LATE_DIGITS)
        _early = early, digits
    return digits + _DIGITS[moment >> _BITS & _DIGIT] + _DIGITS[moment & _DIGIT]


def _chance() -> tuple[int, str]:
    """To ask the kernel takes longer than the rest, and to write numbers, too: both is done for many at a time."""
    if not _chances:
        drawn = os.urandom(_CHANCE_BYTES * _AT_ONCE)
        for at in range(0, len(drawn), _CHANCE_BYTES):
            number = int.from_bytes(drawn[at : at + _CHANCE_BYTES], "big") >> _ROOM
            _chances.append((number, _written(number, _CHANCE_DIGITS)))
    return _chances.pop()


def _written(number: int, digits: int) -> str:
    return "".join([_DIGITS[number >> shift & _DIGIT] for shift in range(_BITS * (digits - 1), -1, -_BITS)])


def _forget() -> None:
    """In a forked child: counting on from where its parent counts on would give the same names."""
    global _last, _turn
    _last, _turn = (0, 0), threading.Lock()
    _chances.clear()


os.register_at_fork(after_in_child=_forget)


def is_task(name: str) -> bool:
    """Whether it is the name of a background task."""
    return name.startswith(TASK)


def time_of(name: str) -> float:
    """When a name was made, in seconds. Raises ValueError for what is no name."""
    if len(name) != 1 + _TIME_DIGITS + _CHANCE_DIGITS or name[1:].strip(_DIGITS):
        raise ValueError(name)
    return int(name[1 : 1 + _TIME_DIGITS].translate(_AS_PYTHON_COUNTS), 1 << _BITS) / 1000
