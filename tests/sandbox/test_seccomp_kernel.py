"""The filter in the kernel: each refused call tried in a process that has it, and without it."""

from __future__ import annotations

import errno
import stat

import pytest

from limpet.kernel import syscalls
from limpet.kernel.seccomp.denied import GROUPS
from limpet.kernel.syscall_numbers import HIGHEST, X86_64, number
from sandbox.trying import as_root_and_nobody, calls, script, unhindered

MACHINE = syscalls.machine()
pytestmark = pytest.mark.skipif(MACHINE is None, reason="no system call numbers for this machine")

BAD = 1  # an address where nothing is
UPPER = 0xDEADBEEF << 32

# Arguments that cannot take effect, even where the filter fails: addresses where nothing is, closed descriptors,
# flags that do not exist, wrong magic numbers.
HARMLESS: dict[str, tuple[int, ...]] = {
    "ptrace": (0, 0, 0, 0),
    "process_vm_readv": (-1, 0, 0, 0, 0, 1),
    "process_vm_writev": (-1, 0, 0, 0, 0, 1),
    "pidfd_getfd": (-1, -1, 0),
    "kcmp": (-1, -1, 99, 0, 0),
    "mount": (BAD, BAD, BAD, 0, 0),
    "umount2": (BAD, 0xFFFF),
    "pivot_root": (BAD, BAD),
    "chroot": (BAD,),
    "move_mount": (-1, BAD, -1, BAD, 0xFFFFFFFF),
    "open_tree": (-1, BAD, 0xFFFFFFFF),
    "open_tree_attr": (-1, BAD, 0xFFFFFFFF, 0, 0),
    "mount_setattr": (-1, BAD, 0xFFFFFFFF, 0, 0),
    "fsopen": (BAD, 0),
    "fsconfig": (-1, 99, 0, 0, 0),
    "fsmount": (-1, 0xFFFFFFFF, 0),
    "fspick": (-1, BAD, 0xFFFFFFFF),
    "setns": (-1, 0),
    "clone3": (BAD, 0),
    "openat2": (0, BAD, BAD, 0),
    "keyctl": (9999, 0, 0, 0, 0),
    "add_key": (BAD, BAD, 0, 0, 0),
    "request_key": (BAD, BAD, 0, 0),
    "bpf": (9999, BAD, 0),
    "perf_event_open": (BAD, 0, 0, 0, 0),
    "fanotify_init": (0xFFFFFFFF, 0),
    "lookup_dcookie": (0, BAD, 0),
    "syslog": (99, 0, 0),
    "io_uring_setup": (0, BAD),
    "io_uring_enter": (-1, 0, 0, 0xFFFFFFFF, 0, 0),
    "io_uring_register": (-1, 9999, 0, 0),
    "userfaultfd": (0x7FFFFFFF,),
    "kexec_load": (0, 2**30, BAD, 0xFFFF),
    "kexec_file_load": (-1, -1, 0, BAD, 0xFFFFFFFF),
    "init_module": (BAD, 16, BAD),
    "finit_module": (-1, BAD, 0xFFFFFFFF),
    "delete_module": (BAD, 0),
    "reboot": (0, 0, 0, 0),
    "swapon": (BAD, 0x7FFFFFFF),
    "swapoff": (BAD,),
    "acct": (BAD,),
    "quotactl": (0x7FFFFFFF, BAD, 0, 0),
    "quotactl_fd": (-1, 0x7FFFFFFF, 0, 0),
    "sethostname": (BAD, -1),
    "setdomainname": (BAD, -1),
    "vhangup": (),
    "settimeofday": (BAD, 0),
    "clock_settime": (0, BAD),
    "adjtimex": (BAD,),
    "clock_adjtime": (0, BAD),
    "iopl": (99,),
    "ioperm": (2**40, 1, 1),
    "name_to_handle_at": (-1, BAD, BAD, BAD, 0x7FFFFFFF),
    "open_by_handle_at": (-1, BAD, 0),
    "memfd_secret": (0x7FFFFFFF,),
    "modify_ldt": (0, BAD, 0),
    "uselib": (BAD,),
    "ustat": (-1, BAD),
    "sysfs": (99, 0, 0),
    "_sysctl": (BAD,),
    "nfsservctl": (99, BAD, BAD),
}
# vhangup has no harmless arguments; the others may be missing from a kernel, which is what the filter pretends.
NOT_TRIED_WITHOUT = {"vhangup", "memfd_secret", "uselib", "ustat", "sysfs", "_sysctl", "nfsservctl"}

# Arguments decide: what the filter says, and what the kernel says without it when all is allowed.
BY_ARGUMENTS: list[tuple[str, tuple[int, ...], str, str]] = [
    *(("clone", (0x11 | 1 << place, 0, 0, 0, 0), "EPERM", "ok") for place in (17, 25, 26, 27, 28, 29, 30)),
    ("clone", (0x11, 0, 0, 0, 0), "ok", "ok"),
    *(("unshare", (1 << place,), "EPERM", "ok") for place in (7, 17, 25, 26, 27, 28, 29, 30)),
    ("unshare", (0x400,), "ok", "ok"),
    ("unshare", (0,), "ok", "ok"),
    ("personality", (0x0400000,), "EPERM", "ok"),
    ("personality", (UPPER | 0x0400000,), "EPERM", "ok"),
    ("personality", (0xFFFFFFFF,), "ok", "ok"),
    ("personality", (0x40000,), "ok", "ok"),
    ("ioctl", (-1, 0x5412, BAD), "EPERM", "EBADF"),
    ("ioctl", (-1, UPPER | 0x5412, BAD), "EPERM", "EBADF"),
    ("ioctl", (-1, 1 << 32 | 0x541C, BAD), "EPERM", "EBADF"),
    ("ioctl", (-1, 0x541D, BAD), "EPERM", "EBADF"),
    ("ioctl", (-1, 0x5423, BAD), "EPERM", "EBADF"),
    ("ioctl", (-1, 0x5401, BAD), "EBADF", "EBADF"),
    ("mknodat", (-1, BAD, stat.S_IFBLK | 0o600, 0), "EPERM", "EFAULT"),
    ("mknodat", (-1, BAD, stat.S_IFCHR | 0o600, 0x103), "EPERM", "EFAULT"),
    ("mknodat", (-1, BAD, stat.S_IFIFO | 0o600, 0), "EFAULT", "EFAULT"),
    ("socket", (1, 1, 0), "ok", "ok"),
    ("socket", (2, 1, 0), "ok", "ok"),
    ("socket", (16, 3, 0), "ok", "ok"),
    ("socket", (2, 3, 1), "EPERM", "ok"),
    ("socket", (UPPER | 2, UPPER | 3, 1), "EPERM", "ok"),
    ("socketpair", (2, 1, 0, BAD), "EAFNOSUPPORT", "EFAULT"),
]


def found(name: str) -> int:
    assert MACHINE is not None
    answer = number(MACHINE, name)
    assert answer is not None
    return answer


def denied() -> dict[str, str]:
    """By name, what the tables answer, for the calls that this machine has."""
    assert MACHINE is not None
    return {
        name: errno.errorcode[group.answer.errno]
        for group in GROUPS
        for name in group.calls
        if number(MACHINE, name) is not None
    }


def tried(names: list[str], *, uid: int | None = None, **wishes: object) -> dict[str, str]:
    listed = [(found(name), *HARMLESS[name]) for name in names]
    return dict(zip(names, calls(listed, uid=uid, **wishes), strict=True))


@as_root_and_nobody
def test_every_denied_call_gets_the_answer_of_the_tables(uid: int | None) -> None:
    expected = denied()
    assert tried([*expected], uid=uid, seccomp={}) == expected


@pytest.mark.skipif(not unhindered(), reason="something else refuses us calls here")
def test_without_the_filter_the_kernel_would_look_at_those_calls() -> None:
    answers = denied()
    without = tried([name for name in answers if name not in NOT_TRIED_WITHOUT])
    assert [name for name, answer in without.items() if answer == answers[name]] == []


@as_root_and_nobody
def test_arguments_decide_in_the_kernel_as_in_the_tables(uid: int | None) -> None:
    listed = [(found(name), *words) for name, words, _, _ in BY_ARGUMENTS]
    assert calls(listed, uid=uid, seccomp={}) == [answer for _, _, answer, _ in BY_ARGUMENTS]


@pytest.mark.skipif(not unhindered(), reason="something else refuses us calls here")
def test_without_the_filter_those_arguments_would_work() -> None:
    listed = [(found(name), *words) for name, words, _, _ in BY_ARGUMENTS]
    assert calls(listed) == [answer for _, _, _, answer in BY_ARGUMENTS]


@as_root_and_nobody
def test_families_of_sockets_that_are_not_named_are_not_there(uid: int | None) -> None:
    families = [family for family in range(1, 50) if family not in (1, 2, 10, 16)]
    answers = calls([(found("socket"), family, 2, 0) for family in families], uid=uid, seccomp={})
    assert {*answers} == {"EAFNOSUPPORT"}


@as_root_and_nobody
def test_audit_and_other_kernel_sockets_are_not_there(uid: int | None) -> None:
    answers = calls([(found("socket"), 16, 3, protocol) for protocol in range(1, 32)], uid=uid, seccomp={})
    assert {*answers} == {"EPROTONOSUPPORT"}


def test_without_internet_no_socket_of_it_is_made() -> None:
    listed = [(found("socket"), family, kind, 0) for family in (2, 10) for kind in (1, 2)]
    assert calls(listed, seccomp={"internet": False}) == ["EACCES"] * 4


def test_later_calls_are_absent() -> None:
    assert calls([(number, 0, 0, 0) for number in (HIGHEST + 1, 511, 512, 1023)], seccomp={}) == ["ENOSYS"] * 4


@pytest.mark.skipif(MACHINE is not X86_64, reason="x32 is of x86_64")
def test_x32_is_absent() -> None:
    getpid, ptrace = 39, 521
    assert calls([(0x40000000 | number, 0, 0, 0, 0) for number in (getpid, ptrace)], seccomp={}) == ["ENOSYS"] * 2


INT_80 = """
def by_the_old_gate():
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid of i386); int 0x80; ret
    start = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_int)(start)()

pid = os.fork()
if pid == 0:
    os._exit(0 if by_the_old_gate() == os.getpid() else 1)
tell(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


@pytest.mark.skipif(MACHINE is not X86_64, reason="the old gate is of x86")
@as_root_and_nobody
def test_the_old_gate_of_32_bit_programs_ends_the_process(uid: int | None) -> None:
    without = script(INT_80, uid=uid)
    if without != [0]:
        pytest.skip(f"this kernel runs no 32-bit programs: {without}")
    sigsys = 31
    assert script(INT_80, uid=uid, seccomp={}) == [-sigsys]


STATUS = """
status = dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
tell([status["NoNewPrivs"], status["Seccomp"], status["Seccomp_filters"]])
"""


@as_root_and_nobody
def test_the_kernel_says_that_filter_and_no_new_privileges_are_on(uid: int | None) -> None:
    before = script(STATUS, uid=uid)[0]
    assert script(STATUS, uid=uid, seccomp={}) == [["1", "2", str(int(before[2]) + 1)]]


def test_a_filter_holds_for_children_and_what_they_execute() -> None:
    text = "tell(subprocess.run(['unshare', '--user', 'true'], capture_output=True, text=True).stderr)"
    (said,) = script(text, seccomp={})
    assert "Operation not permitted" in said


def test_a_program_that_is_none_is_refused_by_name() -> None:
    text = "\ntry: seccomp.install(b'')\nexcept OSError as error: tell([error.errno, error.filename])"
    assert script(text) == [[errno.EINVAL, "seccomp"]]


def test_debugging_can_be_granted() -> None:
    assert calls([(found("ptrace"), 0, 0, 0, 0)], seccomp={"debugging": True}) == ["ok"]


def test_harmless_arguments_are_known_for_every_denied_call() -> None:
    assert {name for group in GROUPS for name in group.calls} == {*HARMLESS}
