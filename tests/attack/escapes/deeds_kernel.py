"""Calls that reach beyond a command by themselves. They have no victim: that the kernel does it is the harm.

Each is chosen so that it does none where it is allowed: on nothing, on itself, or in a namespace of its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import mmap
import os
import platform
import resource
import struct
from pathlib import Path

from attack.escapes.deed import DONE, ROOT, ROOT_ON_SOME_HOSTS, SOME_HOSTS, Loot, Victim, deed
from limpet.kernel.syscalls import by_number, call

NAMESPACES = {"mount": 0x0002_0000, "cgroup": 0x0200_0000, "uts": 0x0400_0000, "ipc": 0x0800_0000}
NAMESPACES |= {"user": 0x1000_0000, "pid": 0x2000_0000, "network": 0x4000_0000, "time": 0x80}
USER, MOUNTS = NAMESPACES["user"], NAMESPACES["mount"]
X86 = platform.machine() == "x86_64"


def reached(name: str, *arguments: int | bytes) -> Loot:
    """A call that cannot succeed with these arguments: whatever else it answers, it was not refused."""
    try:
        call(name, *arguments)
    except OSError as error:
        if error.errno in (errno.EPERM, errno.ENOSYS, errno.EACCES):
            raise
    return DONE


def in_a_copy(number: int, *arguments: int | bytes) -> Loot:
    """A call that makes a process."""
    pid = by_number(number, "clone")(*arguments)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return DONE


@deed("kernel", SOME_HOSTS)
def add_a_key(victim: Victim) -> Loot:
    call("add_key", b"user\0", b"limpet-attack\0", b"x", 1, -3)
    return DONE


@deed("kernel", SOME_HOSTS)
def look_at_the_keyring_of_the_user(victim: Victim) -> Loot:
    call("keyctl", 0, -4, 1, 0, 0)
    return DONE


@deed("kernel", SOME_HOSTS)
def set_up_a_ring(victim: Victim) -> Loot:
    call("io_uring_setup", 1, bytes(120))
    return DONE


@deed("kernel", SOME_HOSTS)
def load_a_program_into_the_kernel(victim: Victim) -> Loot:
    """A map only: the least that bpf makes."""
    wishes = struct.pack("=IIII", 2, 4, 8, 1) + bytes(112)
    call("bpf", 0, wishes, len(wishes))
    return DONE


@deed("kernel", SOME_HOSTS)
def count_events(victim: Victim) -> Loot:
    wishes = struct.pack("=IIQQQQQ", 1, 112, 1, 0, 0, 0, 0x60) + bytes(64)  # a clock, of user code
    call("perf_event_open", wishes, 0, -1, -1, 0)
    return DONE


@deed("kernel", SOME_HOSTS)
def handle_page_faults(victim: Victim) -> Loot:
    call("userfaultfd", 1)
    return DONE


@deed("kernel", SOME_HOSTS)
def watch_a_file_system(victim: Victim) -> Loot:
    call("fanotify_init", 0x200, 0)
    return DONE


@deed("kernel", SOME_HOSTS)
def read_the_log_of_the_kernel(victim: Victim) -> Loot:
    call("syslog", 10, 0, 0)
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def load_a_module(victim: Victim) -> Loot:
    return reached("finit_module", -1, b"\0", 0)


@deed("kernel", ROOT_ON_SOME_HOSTS)
def remove_a_module(victim: Victim) -> Loot:
    return reached("delete_module", b"limpet_has_no_such\0", 0)


@deed("kernel", ROOT_ON_SOME_HOSTS)
def restart_the_machine(victim: Victim) -> Loot:
    return reached("reboot", 0, 0, 0, 0)  # not without the numbers that it wants to see first


@deed("kernel", ROOT_ON_SOME_HOSTS)
def load_another_kernel(victim: Victim) -> Loot:
    return reached("kexec_file_load", -1, -1, 1, b"\0", 0x8000_0000)


@deed("kernel", ROOT)
def switch_off_swap(victim: Victim) -> Loot:
    return reached("swapoff", b"/nowhere\0")


@deed("kernel", ROOT)
def rename_the_machine(victim: Victim) -> Loot:
    with contextlib.suppress(OSError):
        call("unshare", NAMESPACES["uts"])
    name = os.uname().nodename.encode()
    call("sethostname", name, len(name))  # to what it is
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def use_the_ports_of_the_machine(victim: Victim) -> Loot:
    call("ioperm", 0x80, 1, 1)
    return DONE


@deed("kernel", SOME_HOSTS)
def keep_memory_from_its_owner(victim: Victim) -> Loot:
    call("memfd_secret", 0)
    return DONE


@deed("kernel", SOME_HOSTS)
def segments(victim: Victim) -> Loot:
    call("modify_ldt", 0, bytes(16), 16)
    return DONE


@deed("kernel", SOME_HOSTS)
def make_all_memory_executable(victim: Victim) -> Loot:
    call_personality = by_number(135 if X86 else 92, "personality")
    call_personality(0x0040_0000)
    return DONE


@deed("kernel", SOME_HOSTS)
def call_the_kernel_as_a_32_bit_program(victim: Victim) -> Loot:
    """getpid as i386 counts it, by the old gate."""
    if not X86:
        raise OSError("only where there are two ways")
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20; int 0x80; ret
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    if function() != os.getpid():
        raise OSError("not answered")
    return DONE


@deed("kernel", SOME_HOSTS)
def call_the_kernel_as_an_x32_program(victim: Victim) -> Loot:
    if by_number(0x4000_0000 + 39, "getpid")() != os.getpid():
        raise OSError("not answered")
    return DONE


@deed("kernel", SOME_HOSTS)
def make_a_namespace_as_an_x32_program(victim: Victim) -> Loot:
    by_number(0x4000_0000 + 272, "unshare")(USER)
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def run_before_all_others(victim: Victim) -> Loot:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def be_more_important_than_others(victim: Victim) -> Loot:
    os.nice(-5)
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def raise_a_limit(victim: Victim) -> Loot:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 1, most + 1))
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def be_spared_when_memory_is_short(victim: Victim) -> Loot:
    Path("/proc/self/oom_score_adj").write_text("-500")
    return DONE
