"""Ways to read, change or end a process of the same user. A victim is a process that sleeps, with a secret.

Its number means nothing behind walls. Whoever sees it anyway, or is let at the number, has got out.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from pathlib import Path

from attack.escapes.deed import SOME_HOSTS, Loot, Victim, deed
from limpet.kernel.syscalls import call

ATTACH, PEEK, SEIZE, DETACH = 16, 2, 0x4206, 17
MUCH = 4096


def environment(pid: int) -> range:
    """Where in its memory its environment lies."""
    start, end = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[47:49]
    return range(int(start), int(end))


@deed("processes")
def read_its_environment(victim: Victim) -> Loot:
    return Path(f"/proc/{victim['pid']}/environ").read_bytes()


@deed("processes")
def read_the_environment_of_all(victim: Victim) -> Loot:
    found = b""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            found += (place / "environ").read_bytes()
        except OSError:
            continue
    return found


@deed("processes")
def read_its_command_line(victim: Victim) -> Loot:
    return Path(f"/proc/{victim['pid']}/cmdline").read_bytes()


@deed("processes")
def read_the_command_lines_of_all(victim: Victim) -> Loot:
    found = b""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            found += (place / "cmdline").read_bytes()
        except OSError:
            continue
    return found


@deed("processes")
def read_its_memory(victim: Victim) -> Loot:
    pid = victim["pid"]
    fd = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
    return os.pread(fd, MUCH, environment(pid).start)


@deed("processes")
def write_its_memory(victim: Victim) -> None:
    pid = victim["pid"]
    fd = os.open(f"/proc/{pid}/mem", os.O_RDWR)
    os.pwrite(fd, b"X", environment(pid).start)


@deed("processes")
def read_its_memory_by_call(victim: Victim) -> Loot:
    pid = victim["pid"]
    buffer = ctypes.create_string_buffer(1)
    ours = struct.pack("=QQ", ctypes.addressof(buffer), 1)
    found = b""
    for address in environment(pid):
        call("process_vm_readv", pid, ours, 1, struct.pack("=QQ", address, 1), 1, 0)
        found += buffer.raw
    return found


@deed("processes")
def write_its_memory_by_call(victim: Victim) -> None:
    pid = victim["pid"]
    buffer = ctypes.create_string_buffer(b"X", 1)
    ours = struct.pack("=QQ", ctypes.addressof(buffer), 1)
    call("process_vm_writev", pid, ours, 1, struct.pack("=QQ", environment(pid).start, 1), 1, 0)


@deed("processes", SOME_HOSTS)
def trace_it(victim: Victim) -> Loot:
    pid = victim["pid"]
    call("ptrace", ATTACH, pid, 0, 0)
    os.waitpid(pid, 0x40000000)
    word = ctypes.create_string_buffer(8)
    found = b""
    for address in environment(pid)[::8]:
        call("ptrace", PEEK, pid, address, ctypes.addressof(word))
        found += word.raw
    call("ptrace", DETACH, pid, 0, 0)
    return found


@deed("processes", SOME_HOSTS)
def seize_it(victim: Victim) -> Loot:
    call("ptrace", SEIZE, victim["pid"], 0, 0)
    return read_its_memory(victim)


@deed("processes")
def take_its_descriptor(victim: Victim) -> Loot:
    fd = call("pidfd_getfd", os.pidfd_open(victim["pid"]), 0, 0)
    return os.read(fd, MUCH)


@deed("processes")
def open_its_descriptor(victim: Victim) -> Loot:
    return os.read(os.open(f"/proc/{victim['pid']}/fd/0", os.O_RDONLY | os.O_NONBLOCK), MUCH)


@deed("processes")
def end_it(victim: Victim) -> None:
    os.kill(victim["pid"], signal.SIGKILL)


@deed("processes")
def stop_it(victim: Victim) -> None:
    os.kill(victim["pid"], signal.SIGTERM)


@deed("processes")
def end_its_group(victim: Victim) -> None:
    os.killpg(victim["pid"], signal.SIGKILL)


@deed("processes")
def end_it_by_descriptor(victim: Victim) -> None:
    signal.pidfd_send_signal(os.pidfd_open(victim["pid"]), signal.SIGKILL)


@deed("processes")
def make_it_first_to_go(victim: Victim) -> None:
    Path(f"/proc/{victim['pid']}/oom_score_adj").write_text("777")


@deed("processes")
def lower_its_limits(victim: Victim) -> None:
    resource.prlimit(victim["pid"], resource.RLIMIT_NOFILE, (10, 10))


@deed("processes")
def slow_it_down(victim: Victim) -> None:
    os.setpriority(os.PRIO_PROCESS, victim["pid"], 19)


@deed("processes")
def slow_down_all_of_the_user(victim: Victim) -> None:
    """Of its group rather: the user has other processes, and this must do no harm where it succeeds."""
    os.setpriority(os.PRIO_PGRP, victim["pid"], 19)


@deed("processes")
def look_around_in_its_root(victim: Victim) -> Loot:
    return Path(f"/proc/{victim['pid']}/cwd/secret").read_bytes()


@deed("processes", SOME_HOSTS)
def change_its_processors(victim: Victim) -> None:
    os.sched_setaffinity(victim["pid"], {max(os.sched_getaffinity(0))})
