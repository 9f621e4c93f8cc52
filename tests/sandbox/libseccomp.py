"""The tables of the filter -> the same filter by libseccomp: a second opinion on numbers and instructions."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, TypeAlias

from limpet.kernel.seccomp.rules import ALLOW, Answer, Choice, Switch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.kernel.syscall_numbers import Machine

ACT_ALLOW, ACT_ERRNO, ACT_KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
BAD_ARCHITECTURE, MASKED_EQUAL, UNKNOWN = 2, 7, -1

Cube: TypeAlias = tuple[int, int]
"""A mask and what is left of an argument under it."""
Path: TypeAlias = dict[int, Cube]
"""By argument: all of them have to hold."""


class Comparison(ctypes.Structure):
    """struct scmp_arg_cmp."""

    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def library() -> ctypes.CDLL | None:
    """None where it is not installed."""
    try:
        loaded = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return None
    loaded.seccomp_init.restype = ctypes.c_void_p
    loaded.seccomp_syscall_resolve_num_arch.restype = ctypes.c_void_p
    loaded.seccomp_arch_native.restype = ctypes.c_uint32
    return loaded


def resolve(lib: ctypes.CDLL, machine: Machine, name: str) -> int:
    """Its number there, below 0 if it has none."""
    return int(lib.seccomp_syscall_resolve_name_arch(ctypes.c_uint32(machine.audit), name.encode()))


def name_of(lib: ctypes.CDLL, machine: Machine, number: int) -> str | None:
    """The other way round."""
    found = lib.seccomp_syscall_resolve_num_arch(ctypes.c_uint32(machine.audit), number)
    if not found:
        return None
    name = ctypes.string_at(found).decode()
    ctypes.CDLL(None).free(ctypes.c_void_p(found))
    return name


def known(lib: ctypes.CDLL, name: str) -> bool:
    """Whether this version of the library has heard of the call at all."""
    return int(lib.seccomp_syscall_resolve_name(name.encode())) != UNKNOWN


def assemble(lib: ctypes.CDLL, machine: Machine, choices: dict[str, Choice]) -> bytes:
    """What is not named is allowed, another architecture ends the process."""
    context = ctypes.c_void_p(lib.seccomp_init(ctypes.c_uint32(ACT_ALLOW)))
    try:
        native = lib.seccomp_arch_native()
        if native != machine.audit:
            check(lib.seccomp_arch_add(context, ctypes.c_uint32(machine.audit)))
            check(lib.seccomp_arch_remove(context, ctypes.c_uint32(native)))
        check(lib.seccomp_attr_set(context, BAD_ARCHITECTURE, ctypes.c_uint32(ACT_KILL_PROCESS)))
        for name, choice in choices.items():
            add(lib, context, name, choice)
        return export(lib, context)
    finally:
        lib.seccomp_release(context)


def add(lib: ctypes.CDLL, context: ctypes.c_void_p, name: str, choice: Choice) -> None:
    number = lib.seccomp_syscall_resolve_name(name.encode())
    for path, answer in paths(choice):
        if answer != ALLOW:
            tests = [Comparison(arg, MASKED_EQUAL, *cube) for arg, cube in path.items()]
            array = (Comparison * max(1, len(tests)))(*tests)
            action = ctypes.c_uint32(ACT_ERRNO | answer.errno)
            check(lib.seccomp_rule_add_array(context, action, number, len(tests), array))


def paths(choice: Choice) -> Iterator[tuple[Path, Answer]]:
    """Every way through the switches: what has to hold for each argument, and the answer at its end."""
    if isinstance(choice, Answer):
        yield {}, choice
        return
    named = [value for values, _ in choice.cases for value in values]
    ways = [(cube, then) for values, then in choice.cases for cube in cubes_of(choice, values)]
    ways += [(shift(choice, cube), choice.otherwise) for cube in others(set(named), bits(choice.mask))]
    for cube, then in ways:
        for path, answer in paths(then):
            yield both(path, choice.argument, cube), answer


def cubes_of(switch: Switch, values: tuple[int, ...]) -> list[Cube]:
    return [shift(switch, (switch.mask, value)) for value in values]


def shift(switch: Switch, cube: Cube) -> Cube:
    by = 32 if switch.upper else 0
    return cube[0] << by, cube[1] << by


def both(path: Path, argument: int, cube: Cube) -> Path:
    """Tests of both halves of one argument become one: the library takes one per argument."""
    mask, value = path.get(argument, (0, 0))
    assert mask & cube[0] == 0
    return {**path, argument: (mask | cube[0], value | cube[1])}


def bits(mask: int) -> list[int]:
    return [1 << place for place in reversed(range(32)) if mask >> place & 1]


def others(values: set[int], free: list[int], cube: Cube = (0, 0)) -> Iterator[Cube]:
    """All words but these, in as few pieces as halving gives: the library has no "none of"."""
    if not values:
        yield cube
    elif free:
        bit, rest = free[0], free[1:]
        for side in (0, bit):
            yield from others({value for value in values if value & bit == side}, rest, (cube[0] | bit, cube[1] | side))


def export(lib: ctypes.CDLL, context: ctypes.c_void_p) -> bytes:
    fd = os.memfd_create("filter")
    with os.fdopen(fd, "rb") as file:
        check(lib.seccomp_export_bpf(context, fd))
        file.seek(0)
        return file.read()


def check(result: int) -> None:
    assert result == 0, os.strerror(-result)
