"""Ways out by namespaces and mounts: new ones, those of others, and what is mounted where.

Outside, whatever is mounted is to be seen by the attacker alone; so it goes into a mount namespace of its own first,
which is refused inside.
"""

from __future__ import annotations

import contextlib
import os
import struct

from attack.escapes.deed import DONE, ROOT, ROOT_ON_SOME_HOSTS, SOME_HOSTS, Loot, Victim, deed, launcher
from attack.escapes.deeds_kernel import MOUNTS, NAMESPACES, USER, X86, in_a_copy, reached
from limpet.kernel.syscalls import call

SIGCHLD = 17


@deed("kernel", SOME_HOSTS)
def new_user_namespace(victim: Victim) -> Loot:
    call("unshare", USER)
    return DONE


@deed("kernel", ROOT)
def new_mount_namespace(victim: Victim) -> Loot:
    call("unshare", MOUNTS)
    return DONE


@deed("kernel", ROOT)
def new_network_namespace(victim: Victim) -> Loot:
    call("unshare", NAMESPACES["network"])
    return DONE


@deed("kernel", ROOT)
def new_pid_namespace(victim: Victim) -> Loot:
    call("unshare", NAMESPACES["pid"])
    return DONE


@deed("kernel", ROOT)
def new_ipc_uts_and_cgroup_namespaces(victim: Victim) -> Loot:
    call("unshare", NAMESPACES["ipc"] | NAMESPACES["uts"] | NAMESPACES["cgroup"])
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def new_time_namespace(victim: Victim) -> Loot:
    call("unshare", NAMESPACES["time"])
    return DONE


@deed("kernel", SOME_HOSTS)
def child_in_a_new_user_namespace(victim: Victim) -> Loot:
    return in_a_copy(56 if X86 else 220, USER | SIGCHLD, 0, 0, 0, 0)


@deed("kernel", SOME_HOSTS)
def child_in_a_new_user_namespace_by_clone3(victim: Victim) -> Loot:
    wishes = struct.pack("=QQQQQQQQ", USER | MOUNTS, 0, 0, 0, SIGCHLD, 0, 0, 0)
    return in_a_copy(435, wishes, len(wishes))


@deed("kernel", ROOT)
def enter_a_namespace(victim: Victim) -> Loot:
    call("setns", os.open(f"/proc/{launcher(victim)}/ns/mnt", os.O_RDONLY), 0)
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def enter_the_namespaces_of_a_process(victim: Victim) -> Loot:
    call("setns", os.pidfd_open(launcher(victim)), NAMESPACES["uts"])
    return DONE


def privately() -> None:
    """Outside, what is mounted is to be seen by this process alone; inside, this is refused."""
    with contextlib.suppress(OSError):
        call("unshare", MOUNTS)
        call("mount", 0, b"/\0", 0, 0x44000, 0)


@deed("kernel", ROOT)
def mount_something(victim: Victim) -> Loot:
    privately()
    call("mount", b"none\0", b".\0", b"tmpfs\0", 0, 0)
    return DONE


@deed("kernel", ROOT)
def mount_a_folder_elsewhere(victim: Victim) -> Loot:
    privately()
    call("mount", b"/etc\0", b".\0", 0, 0x1000, 0)
    return DONE


@deed("kernel", ROOT)
def unmount_what_hides_something(victim: Victim) -> Loot:
    privately()
    call("umount2", b"/dev/shm\0", 2)
    return DONE


@deed("kernel", ROOT)
def open_a_file_system(victim: Victim) -> Loot:
    call("fsopen", b"tmpfs\0", 0)
    return DONE


@deed("kernel", ROOT)
def pick_a_mount(victim: Victim) -> Loot:
    call("fspick", -100, b"/dev/shm\0", 0)
    return DONE


@deed("kernel", ROOT)
def change_the_root(victim: Victim) -> Loot:
    os.chroot("/")  # to what it is
    return DONE


@deed("kernel", ROOT)
def swap_the_root(victim: Victim) -> Loot:
    privately()
    return reached("pivot_root", b"/nowhere\0", b"/nowhere\0")
