"""The filter, run in a machine of our own: every number, both architectures, arguments that matter."""

from __future__ import annotations

import errno
import random
import socket
import stat
import struct
from functools import cache
from typing import TYPE_CHECKING

import pytest

from limpet.kernel.seccomp import program
from limpet.kernel.seccomp.arguments import judged
from limpet.kernel.seccomp.assemble import AT_LEAST, EQUAL, Branch, End, Look, Step, assemble
from limpet.kernel.seccomp.denied import GROUPS, SHARED
from limpet.kernel.seccomp.rules import Choice, Switch
from limpet.kernel.syscall_numbers import AARCH64, HIGHEST, MACHINES, NAMES, X86_64, Machine, number
from sandbox import bpf_machine, libseccomp
from sandbox.bpf_machine import ALLOW, ERRNO, KILL_PROCESS

if TYPE_CHECKING:
    from collections.abc import Iterator

FULL = 0xFFFFFFFF
UPPER = 0xDEADBEEF << 32
X32 = 0x40000000
EPERM, ENOSYS = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
NO_FAMILY, NO_PROTOCOL = ERRNO | errno.EAFNOSUPPORT, ERRNO | errno.EPROTONOSUPPORT
STREAM, DGRAM, RAW, PACKET, SEQPACKET = 1, 2, 3, 10, 5
CLOEXEC = socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK

machines = pytest.mark.parametrize("machine", MACHINES, ids=[machine.name for machine in MACHINES])


def answer(machine: Machine, name: str, *arguments: int, internet: bool = True) -> int:
    found = number(machine, name)
    assert found is not None
    return bpf_machine.run(program(machine, internet=internet), machine.audit, found, *arguments).action


@machines
def test_every_denied_call_is_denied_whatever_its_arguments(machine: Machine) -> None:
    for group in GROUPS:
        for name in group.calls:
            if number(machine, name) is not None:
                answers = {answer(machine, name, *(word,) * 6) for word in (0, 1, FULL, 2**64 - 1)}
                assert answers == {ERRNO | group.answer.errno}, name


@machines
def test_what_no_table_names_is_allowed_before_any_argument_is_read(machine: Machine) -> None:
    """The kernel remembers such calls and runs no filter for them; one look at an argument would spoil that."""
    named = {number(machine, name) for group in GROUPS for name in group.calls} | judged_numbers(machine)
    for call in {*range(HIGHEST + 1)} - named - {*machine.unused}:
        verdict = bpf_machine.run(program(machine), machine.audit, call, *(FULL,) * 6)
        assert (verdict.action, verdict.looked_at <= {0, 4}) == (ALLOW, True), call
        assert verdict.steps < 15


@pytest.mark.parametrize(("machine", "unused"), [(X86_64, range(337, 424)), (AARCH64, range(295, 424))])
@pytest.mark.parametrize("internet", [True, False])
def test_numbers_that_nobody_had_yet_are_absent(machine: Machine, unused: range, internet: bool) -> None:
    code = program(machine, internet=internet)
    later = [470, 511, 512, 547, 1023, 2**31 - 1, 2**31, FULL, *unused]
    assert {bpf_machine.run(code, machine.audit, call).action for call in later} == {ENOSYS}
    assert {bpf_machine.run(code, machine.audit, call).action for call in (unused[0] - 2, 424, 469)} == {ALLOW}


def test_the_numbers_of_x32_are_absent() -> None:
    calls = [X32 | call for call in range(1024)]
    assert {bpf_machine.run(program(X86_64), X86_64.audit, call).action for call in calls} == {ENOSYS}


@machines
def test_another_architecture_ends_the_process(machine: Machine) -> None:
    i386, arm, big_endian = 0x40000003, 0x40000028, 0x800000B7
    others = {i386, arm, big_endian, 0, FULL, *(one.audit for one in MACHINES)} - {machine.audit}
    verdicts = {bpf_machine.run(program(machine), each, call).action for each in others for call in (0, 1, 39, 500)}
    assert verdicts == {KILL_PROCESS}


@machines
def test_new_namespaces_are_denied_and_new_threads_are_not(machine: Machine) -> None:
    threads, vfork = 0x003D0F00, 0x00004111
    for flags in (0x11, threads, vfork, 0x01200011):
        assert answer(machine, "clone", flags, FULL) == answer(machine, "clone", UPPER | flags) == ALLOW
    for place in (17, 25, 26, 27, 28, 29, 30):
        flags = 1 << place
        assert answer(machine, "clone", 0x11 | flags) == answer(machine, "clone", UPPER | threads | flags) == EPERM


@machines
def test_only_harmless_things_can_be_unshared(machine: Machine) -> None:
    harmless = {8, 9, 10, 11, 16, 18}  # CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM
    allowed = {place for place in range(64) if answer(machine, "unshare", 1 << place) == ALLOW}
    assert (allowed, answer(machine, "unshare", 0)) == (harmless, ALLOW)
    assert {answer(machine, "unshare", 0x400 | 1 << place) for place in {*range(64)} - harmless} == {EPERM}


@machines
@pytest.mark.parametrize("upper", [0, 1 << 32, UPPER])
def test_terminals_take_no_keys_from_us_whatever_the_upper_half_says(machine: Machine, upper: int) -> None:
    for command in (0x5412, 0x541C, 0x541D, 0x5423, 0x4B47, 0x4B49, 0x4B4B, 0x4BFB, 0x4B4D, 0xAA00):
        assert answer(machine, "ioctl", 0, upper | command) == EPERM
        assert answer(machine, "ioctl", command, upper | 0x5401) == ALLOW
    for command in (0x5401, 0x5413, 0x540E, 0x5410, 0x541B, 0x5411, 0x5422, 0x40045431):
        assert answer(machine, "ioctl", 0, upper | command) == ALLOW


@machines
@pytest.mark.parametrize("upper", [0, 1 << 32, UPPER])
def test_sockets_by_family_type_and_protocol(machine: Machine, upper: int) -> None:
    expected = {
        (1, STREAM, 0): ALLOW,
        (1, DGRAM | CLOEXEC, 0): ALLOW,
        (2, STREAM, 0): ALLOW,
        (2, STREAM | CLOEXEC, 6): ALLOW,
        (10, DGRAM, 17): ALLOW,
        (2, DGRAM, 1): ALLOW,  # ping without privileges
        (10, DGRAM, 58): ALLOW,
        (2, RAW, 1): EPERM,
        (10, RAW | CLOEXEC, 255): EPERM,
        (2, PACKET, 0x300): EPERM,
        (2, STREAM, 262): NO_PROTOCOL,  # multipath TCP
        (2, STREAM, 256): NO_PROTOCOL,  # SMC
        (2, SEQPACKET, 132): NO_PROTOCOL,  # SCTP
        (16, RAW | CLOEXEC, 0): ALLOW,  # how C libraries list interfaces
        (16, RAW, 9): NO_PROTOCOL,  # audit
        (16, DGRAM, 15): NO_PROTOCOL,  # udev
        (16, RAW, 12): NO_PROTOCOL,  # netfilter
        **{(family, STREAM, 0): NO_FAMILY for family in (0, 3, 17, 29, 31, 38, 40, 43, 44, 45, 46, FULL)},
    }
    found = {key: answer(machine, "socket", *(upper | word for word in key)) for key in expected}
    assert found == expected


@machines
def test_socket_pairs_are_of_unix_only(machine: Machine) -> None:
    found = {family for family in range(64) if answer(machine, "socketpair", family, STREAM) != NO_FAMILY}
    assert (found, answer(machine, "socketpair", 1, STREAM)) == ({1}, ALLOW)


@machines
def test_without_internet_its_sockets_cannot_be_made(machine: Machine) -> None:
    found = {family: answer(machine, "socket", family, DGRAM, 0, internet=False) for family in (1, 2, 10, 16, 17)}
    refused = ERRNO | errno.EACCES
    assert found == {1: ALLOW, 2: refused, 10: refused, 16: ALLOW, 17: NO_FAMILY}


@machines
@pytest.mark.parametrize("upper", [0, UPPER | 0xABCD0000])
def test_device_nodes_are_not_made_and_other_nodes_are(machine: Machine, upper: int) -> None:
    """The kernel takes 16 bits of the mode, the first four of which say what is to be made."""
    kinds = range(0, 0x10000, 0x1000)
    denied = {kind for kind in kinds if answer(machine, "mknodat", 0, 0, upper | kind | 0o644) == EPERM}
    assert denied == {stat.S_IFCHR, stat.S_IFBLK}
    assert {kind for kind in kinds if answer(X86_64, "mknod", 0, upper | kind | 0o644) == EPERM} == denied
    assert answer(machine, "mknodat", 0, 0, stat.S_IFIFO) == ALLOW


@machines
def test_personalities_that_loosen_memory_are_denied(machine: Machine) -> None:
    allowed = (0, 8, 0x20000, 0x20008, 0x40000, FULL)
    assert {answer(machine, "personality", upper | value) for value in allowed for upper in (0, UPPER)} == {ALLOW}
    denied = (0x0400000, 0x0100000, 0x0200000, 0x0440000, 1)
    assert {answer(machine, "personality", upper | value) for value in denied for upper in (0, UPPER)} == {EPERM}


@machines
def test_debugging_can_be_granted_and_gives_nothing_else(machine: Machine) -> None:
    def allowed(*, debugging: bool) -> set[int]:
        code = program(machine, debugging=debugging)
        return {call for call in range(600) if bpf_machine.run(code, machine.audit, call).action == ALLOW}

    granted = ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp")
    assert allowed(debugging=True) - allowed(debugging=False) == {number(machine, name) for name in granted}


@machines
def test_without_shared_nothing_of_system_v_is_used(machine: Machine) -> None:
    allowed = {
        shared: {
            call
            for call in range(600)
            if bpf_machine.run(program(machine, shared=shared), machine.audit, call).action == ALLOW
        }
        for shared in (True, False)
    }
    assert allowed[True] - allowed[False] == {number(machine, name) for name in SHARED.calls}
    assert allowed[False] < allowed[True]


def test_a_name_stands_in_one_table_only_and_has_a_number() -> None:
    names = [*judged(internet=True), *(name for group in (*GROUPS, SHARED) for name in group.calls)]
    assert len(names) == len(set(names))
    assert {*names} <= NAMES
    assert all(group.why for group in GROUPS)


def halving(low: int, high: int) -> Step:
    """Answers every number from low to high with itself."""
    middle = (low + high + 1) // 2
    return End(low) if low == high else Branch(AT_LEAST, middle, halving(middle, high), halving(low, middle - 1))


def test_jumps_over_more_than_a_byte_can_say_are_made_in_two() -> None:
    long = Look(0, halving(0, 1023))
    code = assemble(Look(4, Branch(EQUAL, 7, long, Branch(EQUAL, 8, End(0), Look(0, long)))))
    assert [bpf_machine.run(code, 7, call).action for call in range(1024)] == [*range(1024)]
    assert [bpf_machine.run(code, architecture, 1023).action for architecture in (8, 9)] == [0, 1023]


@machines
def test_equal_instructions_are_laid_once(machine: Machine) -> None:
    """The kernel compiles the filter for every process that loads it, and takes its time by the length."""
    code = [*struct.iter_unpack("=HBBI", program(machine))]
    ends = [value for kind, _, _, value in code if kind == bpf_machine.RETURN]
    assert (len(ends), len(code) < 200) == (len({*ends}), True)


def test_a_filter_that_the_kernel_would_not_take_is_not_made() -> None:
    with pytest.raises(ValueError, match=r"a filter of [0-9]+ instructions; the kernel takes 4096"):
        assemble(Look(0, halving(0, 2047)))


@machines
@pytest.mark.parametrize("internet", [True, False])
def test_libseccomp_makes_the_same_filter_of_the_tables(machine: Machine, internet: bool) -> None:
    lib = libseccomp.library()
    if lib is None:
        pytest.skip("libseccomp is not here; install libseccomp2")
    choices = by_name(internet=internet)
    unheard = {name for name in choices if not libseccomp.known(lib, name)}
    assert unheard <= {"open_tree_attr"}
    theirs = libseccomp.assemble(lib, machine, {name: each for name, each in choices.items() if name not in unheard})
    ours = program(machine, internet=internet)
    left_out = {number(machine, name) for name in unheard} | {*machine.unused}
    for call in {*range(HIGHEST + 1)} - left_out:
        for words in usual_words():
            assert_same(ours, theirs, machine.audit, call, words)
    for name, choice in judged(internet=internet).items():
        call = number(machine, name)
        if call is not None:
            for words in interesting_words(choice):
                assert_same(ours, theirs, machine.audit, call, words)
    assert_same(ours, theirs, 0x40000003, 39, ())


@machines
def test_libseccomp_has_the_same_numbers(machine: Machine) -> None:
    lib = libseccomp.library()
    if lib is None:
        pytest.skip("libseccomp is not here; install libseccomp2")
    theirs = {name: libseccomp.resolve(lib, machine, name) for name in NAMES if libseccomp.known(lib, name)}
    ours = {name: number(machine, name) for name in theirs}
    assert {name: found if found >= 0 else None for name, found in theirs.items()} == ours
    assert [call for call in machine.unused if libseccomp.name_of(lib, machine, call)] == []
    assert [call for call in range(HIGHEST + 1, 1024) if libseccomp.name_of(lib, machine, call)] == []


def test_the_number_that_libseccomp_may_not_know_yet() -> None:
    assert [number(machine, "open_tree_attr") for machine in MACHINES] == [467, 467]


def assert_same(ours: bytes, theirs: bytes, audit: int, call: int, words: tuple[int, ...]) -> None:
    found = [bpf_machine.run(code, audit, call, *words).action for code in (ours, theirs)]
    assert found[0] == found[1], f"{call} {[hex(word) for word in words]}: {[hex(each) for each in found]}"


@cache
def usual_words() -> list[tuple[int, ...]]:
    chance = random.Random(1)
    return [(0,) * 6, (2**64 - 1,) * 6, *(tuple(chance.getrandbits(64) for _ in range(6)) for _ in range(2))]


def interesting_words(switch: Switch, most: int = 600) -> list[tuple[int, ...]]:
    """Values that the tables name, their neighbours and single bits, with and without something in the upper half."""
    by_argument: dict[int, set[int]] = {}
    for each in switches(switch):
        named = {value for values, _ in each.cases for value in values}
        near = {(value + step) & FULL for value in named for step in (-1, 0, 1)} | {1 << bit for bit in range(32)}
        by_argument.setdefault(each.argument, set()).update(near)
    every = [sorted(by_argument.get(argument, {0})) for argument in range(3)]
    chance = random.Random(2)
    picked = [[chance.choice(values) for values in every] for _ in range(most)]
    picked += [[each if at == argument else 0 for at in range(3)] for argument in range(3) for each in every[argument]]
    return [tuple(word | chance.choice((0, 0, UPPER, 1 << 32)) for word in words) for words in picked]


def switches(choice: Choice) -> Iterator[Switch]:
    if isinstance(choice, Switch):
        yield choice
        for then in (choice.otherwise, *(then for _, then in choice.cases)):
            yield from switches(then)


def by_name(*, internet: bool) -> dict[str, Choice]:
    denied = {name: group.answer for group in GROUPS for name in group.calls}
    return {**denied, **judged(internet=internet)}


def judged_numbers(machine: Machine) -> set[int | None]:
    return {number(machine, name) for name in judged(internet=True)}


def test_instructions_are_eight_bytes_as_the_kernel_reads_them() -> None:
    code = assemble(Branch(EQUAL, 0x01020304, End(5), End(6)))
    assert list(struct.iter_unpack("=HBBI", code)) == [(0x15, 0, 1, 0x01020304), (6, 0, 0, 5), (6, 0, 0, 6)]
