"""The tables -> the filter in the words of programs that run containers.

They have fewer: a rule compares each argument once. What that cannot say, a list of allowed values with wide gaps, is
left out; the others are refused as they are everywhere.
"""

from __future__ import annotations

import functools
import itertools
import json
from typing import TYPE_CHECKING, Any

from limpet.kernel.seccomp.arguments import judged
from limpet.kernel.seccomp.denied import GROUPS
from limpet.kernel.seccomp.rules import FULL_WORD, Answer, Choice, Switch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.kernel.syscall_numbers import Machine

_Test = dict[str, Any]
_Rule = tuple[tuple[_Test, ...], Answer]
_WIDEST_GAP = 64
_ARCHITECTURES = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}


@functools.cache
def profile(machine: Machine) -> str:
    """As a file has it. Calls by the numbers of other architectures are refused by whoever loads it."""
    rules = [_written(list(group.calls), (), group.answer) for group in GROUPS]
    for name, switch in judged(internet=True).items():
        rules += [_written([name], tests, answer) for tests, answer in _refused(switch, ())]
    told = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": [_ARCHITECTURES[machine.name]], "syscalls": rules}
    return json.dumps(told)


def _written(names: list[str], tests: tuple[_Test, ...], answer: Answer) -> _Test:
    return {"names": names, "action": "SCMP_ACT_ERRNO", "errnoRet": answer.errno, "args": list(tests)}


def _refused(choice: Choice, before: tuple[_Test, ...]) -> Iterator[_Rule]:
    """What must be so for it to be refused: any of these."""
    if isinstance(choice, Answer):
        if choice.errno:
            yield before, choice
        return
    if choice.upper:
        return
    for values, then in choice.cases:
        for value in values:
            yield from _refused(then, (*before, _equal(choice.argument, choice.mask, value)))
    for test in _none_of(choice):
        yield from _refused(choice.otherwise, (*before, test) if test else before)


def _none_of(switch: Switch) -> Iterator[_Test | None]:
    """None: refused whatever it is, as nothing that was compared is allowed."""
    values = sorted(value for some, then in switch.cases for value in some)
    if values == [0] and switch.mask != FULL_WORD:
        bits = (1 << position for position in range(32))
        yield from (_equal(switch.argument, bit, bit) for bit in bits if bit & switch.mask)
    elif all(isinstance(then, Answer) and then.errno for _, then in switch.cases):
        yield None
    elif switch.mask == FULL_WORD and all(after - one <= _WIDEST_GAP for one, after in itertools.pairwise(values)):
        between = (value for value in range(values[-1]) if value not in values)
        yield from (_equal(switch.argument, switch.mask, value) for value in between)
        yield {"index": switch.argument, "value": values[-1], "op": "SCMP_CMP_GT"}


def _equal(argument: int, mask: int, value: int) -> _Test:
    return {"index": argument, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}
