"""A system call by name -> the kernel's answer, through the C library that Python has loaded already."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING

from limpet.kernel.syscall_numbers import MACHINES, Machine, number

if TYPE_CHECKING:
    from collections.abc import Callable

_WIDE_POINTERS = 2**32  # a 32-bit Python on a 64-bit kernel counts its calls otherwise


@functools.cache
def machine() -> Machine | None:
    """The architecture of this process; None where we do not know its numbers."""
    if sys.platform != "linux" or sys.maxsize < _WIDE_POINTERS:
        return None
    name = os.uname().machine
    return next((one for one in MACHINES if one.name == name), None)


def call(name: str, *arguments: int | bytes) -> int:
    """Make the call; bytes are passed by address. Raises OSError with the call's name as its file name."""
    return function(name)(*arguments)


@functools.cache
def function(name: str) -> Callable[..., int]:
    """The call, to be made with arguments."""
    return by_number(_number(name), name)


def by_number(number: int, name: str) -> Callable[..., int]:
    """The same for any number, also one that we have no name for."""
    import ctypes  # noqa: PLC0415 - costs milliseconds, and most of limpet's users never come here

    syscall, long = _syscall(), ctypes.c_long
    wanted = long(number)

    def make_call(*arguments: int | bytes) -> int:
        # Without c_long ctypes would pass 32 bits and leave the rest of the register to chance.
        result = syscall(wanted, *[each if isinstance(each, bytes) else long(each) for each in arguments])
        if result < 0:
            raise _error(name)
        return result

    return make_call


def prepare(name: str, *arguments: int | bytes) -> Callable[[], int]:
    """The call with its arguments in place: a child just forked pays for each page it touches, and this touches few."""
    import ctypes  # noqa: PLC0415 - see above

    syscall = _syscall()
    words = [each if isinstance(each, bytes) else ctypes.c_long(each) for each in (_number(name), *arguments)]

    def make_call() -> int:
        result = syscall(*words)
        if result < 0:
            raise _error(name)
        return result

    return make_call


NO_NEW_PRIVILEGES = ("prctl", 38, 1, 0, 0, 0)
"""From this call on no exec gains rights (set-uid, file capabilities), in this thread and all that it starts."""


def _number(name: str) -> int:
    """A machine that we do not know answers as if its kernel had no such call."""
    here = machine()
    found = None if here is None else number(here, name)
    return -1 if found is None else found


def _error(name: str) -> OSError:
    import ctypes  # noqa: PLC0415 - loaded by now

    errno = ctypes.get_errno()
    return OSError(errno, os.strerror(errno), name)


@functools.cache
def _syscall() -> Callable[..., int]:
    import ctypes  # noqa: PLC0415 - see above

    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    return function
