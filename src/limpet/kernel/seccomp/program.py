"""The tables -> the filter for one machine, as bytes for the kernel.

Architecture and number are looked at first and by halving, so that few instructions decide; calls that are allowed
whatever their arguments are allowed before any argument is read, which lets the kernel remember them and skip the
filter altogether.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from limpet.kernel.seccomp.arguments import judged
from limpet.kernel.seccomp.assemble import (
    ARCHITECTURE,
    AT_LEAST,
    EQUAL,
    NUMBER,
    Branch,
    End,
    Look,
    Step,
    argument_at,
    assemble,
)
from limpet.kernel.seccomp.denied import DEBUGGING, GROUPS, SHARED
from limpet.kernel.seccomp.rules import ABSENT, ALLOW, Answer, Choice
from limpet.kernel.syscall_numbers import HIGHEST, Machine, number

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_KILL_PROCESS = 0x80000000


@functools.cache
def program(machine: Machine, *, internet: bool = True, debugging: bool = False, shared: bool = True) -> bytes:
    """The filter; made once for each set of arguments. `debugging` leaves ptrace and its like open.

    Without `internet` no socket of it can be made, and without `shared` nothing of System V used, for where there is no
    namespace that keeps them apart.

    A call by another architecture's numbers (32-bit programs) ends the process: nothing in the tables is about those.
    """
    judge = Look(NUMBER, _search(_segments(choices(machine, internet=internet, debugging=debugging, shared=shared))))
    return assemble(Look(ARCHITECTURE, Branch(EQUAL, machine.audit, judge, End(_KILL_PROCESS))))


def choices(
    machine: Machine, *, internet: bool = True, debugging: bool = False, shared: bool = True
) -> dict[int, Choice]:
    """By number, for numbers up to the highest known; what is not there is allowed."""
    by_name: dict[str, Choice] = {**judged(internet=internet)}
    for group in GROUPS if shared else (*GROUPS, SHARED):
        if not (debugging and group.name == DEBUGGING):
            by_name.update(dict.fromkeys(group.calls, group.answer))
    known = {number(machine, name): choice for name, choice in by_name.items()}
    unused = dict.fromkeys(machine.unused, ABSENT)
    return {**unused, **{key: choice for key, choice in known.items() if key is not None}}


def _segments(choices: dict[int, Choice]) -> list[tuple[int, Choice]]:
    """Where the choice changes, from 0 up. Past the highest known number, x32's included, everything is absent."""
    segments: list[tuple[int, Choice]] = []
    for key in range(HIGHEST + 1):
        choice = choices.get(key, ALLOW)
        if not segments or segments[-1][1] != choice:
            segments.append((key, choice))
    return [*segments, (HIGHEST + 1, ABSENT)]


def _search(segments: Sequence[tuple[int, Choice]]) -> Step:
    if len(segments) == 1:
        return _decide(segments[0][1])
    half = len(segments) // 2
    return Branch(AT_LEAST, segments[half][0], _search(segments[half:]), _search(segments[:half]))


def _decide(choice: Choice) -> Step:
    if isinstance(choice, Answer):
        return End(_ERRNO | choice.errno if choice.errno else _ALLOW)
    step = _decide(choice.otherwise)
    for values, then in reversed(choice.cases):
        for value in reversed(values):
            step = Branch(EQUAL, value, _decide(then), step)
    return Look(argument_at(choice.argument, upper=choice.upper), step, choice.mask)
