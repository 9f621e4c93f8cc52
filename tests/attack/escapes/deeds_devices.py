"""Ways to devices. Opened only, and nothing is said to them; that is enough to know."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from attack.escapes.deed import DONE, ROOT, ROOT_ON_SOME_HOSTS, SOME_HOSTS, Loot, Victim, deed


def opened(path: str, flags: int = os.O_RDWR) -> Loot:
    os.close(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))
    return DONE


@deed("devices", ROOT)
def make_a_node(victim: Victim) -> Loot:
    os.mknod("node", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    return opened("node")


@deed("devices", ROOT_ON_SOME_HOSTS)
def make_a_node_for_a_disk(victim: Victim) -> Loot:
    major, minor = Path("/proc/partitions").read_text().split("name")[1].split()[:2]
    os.mknod("node", stat.S_IFBLK | 0o600, os.makedev(int(major), int(minor)))
    return opened("node", os.O_RDONLY)


@deed("devices", ROOT)
def use_a_node_that_lies_in_the_workspace(victim: Victim) -> Loot:
    return opened(victim["in_workspace"])


@deed("devices", ROOT)
def use_a_node_that_lies_outside(victim: Victim) -> Loot:
    return opened(victim["outside"])


@deed("devices", ROOT_ON_SOME_HOSTS)
def read_the_disk(victim: Victim) -> Loot:
    name = Path("/proc/partitions").read_text().split("name")[1].split()[3]
    return opened(f"/dev/{name}", os.O_RDONLY)


@deed("devices", ROOT_ON_SOME_HOSTS)
def read_physical_memory(victim: Victim) -> Loot:
    return opened("/dev/mem", os.O_RDONLY)


@deed("devices", SOME_HOSTS)
def read_the_memory_of_the_kernel(victim: Victim) -> Loot:
    return opened("/proc/kcore", os.O_RDONLY)


@deed("devices", ROOT_ON_SOME_HOSTS)
def read_the_map_of_physical_pages(victim: Victim) -> Loot:
    return opened("/proc/kpageflags", os.O_RDONLY)


@deed("devices", SOME_HOSTS)
def read_the_log_of_the_kernel(victim: Victim) -> Loot:
    return opened("/dev/kmsg", os.O_RDONLY)


@deed("devices", ROOT_ON_SOME_HOSTS)
def write_to_the_log_of_the_kernel(victim: Victim) -> Loot:
    return opened("/dev/kmsg", os.O_WRONLY)


@deed("devices", SOME_HOSTS)
def be_a_file_system(victim: Victim) -> Loot:
    return opened("/dev/fuse")


@deed("devices", SOME_HOSTS)
def be_a_machine(victim: Victim) -> Loot:
    return opened("/dev/kvm")


@deed("devices", SOME_HOSTS)
def be_a_network(victim: Victim) -> Loot:
    return opened("/dev/net/tun")


@deed("devices", ROOT_ON_SOME_HOSTS)
def make_a_loop(victim: Victim) -> Loot:
    return opened("/dev/loop-control")


@deed("devices", SOME_HOSTS)
def handle_page_faults(victim: Victim) -> Loot:
    return opened("/dev/userfaultfd")


@deed("devices", ROOT_ON_SOME_HOSTS)
def read_the_screen(victim: Victim) -> Loot:
    return opened("/dev/vcs", os.O_RDONLY)


@deed("devices", ROOT_ON_SOME_HOSTS)
def talk_to_the_console(victim: Victim) -> Loot:
    return opened("/dev/console", os.O_WRONLY)


@deed("devices", SOME_HOSTS)
def use_the_terminal_of_somebody_else(victim: Victim) -> Loot:
    return opened(victim["terminal"])
