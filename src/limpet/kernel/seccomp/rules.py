"""The words in which the filter is written down."""

from __future__ import annotations

import errno
from typing import NamedTuple, TypeAlias


class Answer(NamedTuple):
    """What the kernel does with a call. Without an errno it makes the call."""

    errno: int = 0


ALLOW = Answer()
DENY = Answer(errno.EPERM)
ABSENT = Answer(errno.ENOSYS)
"""As if the kernel were older: whoever asks falls back to what came before."""

FULL_WORD = 0xFFFFFFFF


class Switch(NamedTuple):
    """Half of one argument, masked, compared with values: the first case that names it decides.

    The kernel ignores the upper half of arguments that it declares as `int`; so must a filter, or setting a bit there
    would be a way round it.
    """

    argument: int
    cases: tuple[tuple[tuple[int, ...], Choice], ...]
    otherwise: Choice
    mask: int = FULL_WORD
    upper: bool = False


Choice: TypeAlias = "Answer | Switch"


class Group(NamedTuple):
    """Calls that are refused for one reason, whatever their arguments."""

    name: str
    calls: tuple[str, ...]
    answer: Answer
    why: str
