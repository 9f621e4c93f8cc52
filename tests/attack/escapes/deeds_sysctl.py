"""Files of the kernel that change the whole machine. Opened for writing only; nothing is ever written."""

from __future__ import annotations

import glob
import os

from attack.escapes.deed import DONE, ROOT, ROOT_ON_SOME_HOSTS, SOME_HOSTS, Loot, Victim, deed


def opened(*patterns: str) -> Loot:
    """The first that is there."""
    found = [path for pattern in patterns for path in sorted(glob.glob(pattern))]
    os.close(os.open(next(iter(found), patterns[0]), os.O_WRONLY))
    return DONE


@deed("sysctl", ROOT)
def what_runs_when_a_program_crashes(victim: Victim) -> Loot:
    return opened("/proc/sys/kernel/core_pattern")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def what_runs_when_a_module_is_needed(victim: Victim) -> Loot:
    return opened("/proc/sys/kernel/modprobe")


@deed("sysctl", ROOT)
def the_name_of_the_machine(victim: Victim) -> Loot:
    return opened("/proc/sys/kernel/hostname")


@deed("sysctl", ROOT)
def the_highest_process_number(victim: Victim) -> Loot:
    return opened("/proc/sys/kernel/pid_max")


@deed("sysctl", ROOT)
def how_memory_is_given(victim: Victim) -> Loot:
    return opened("/proc/sys/vm/overcommit_memory")


@deed("sysctl", ROOT)
def caches_dropped(victim: Victim) -> Loot:
    return opened("/proc/sys/vm/drop_caches")


@deed("sysctl", ROOT)
def protected_links(victim: Victim) -> Loot:
    return opened("/proc/sys/fs/protected_symlinks")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def which_programs_run_which_files(victim: Victim) -> Loot:
    return opened("/proc/sys/fs/binfmt_misc/register")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def namespaces_allowed(victim: Victim) -> Loot:
    return opened("/proc/sys/user/max_user_namespaces")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def magic_keys(victim: Victim) -> Loot:
    return opened("/proc/sysrq-trigger")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def interrupts(victim: Victim) -> Loot:
    return opened("/proc/irq/default_smp_affinity")


@deed("sysctl", SOME_HOSTS)
def pressure(victim: Victim) -> Loot:
    return opened("/proc/pressure/memory")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def what_runs_when_a_device_comes(victim: Victim) -> Loot:
    return opened("/sys/kernel/uevent_helper")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def huge_pages(victim: Victim) -> Loot:
    return opened("/sys/kernel/mm/transparent_hugepage/enabled")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def devices_announced(victim: Victim) -> Loot:
    return opened("/sys/devices/virtual/mem/null/uevent")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def what_runs_when_a_group_is_empty(victim: Victim) -> Loot:
    return opened("/sys/fs/cgroup/*/release_agent", "/sys/fs/cgroup/release_agent")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def who_is_in_a_group(victim: Victim) -> Loot:
    return opened("/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/*/cgroup.procs")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def a_group_of_our_own(victim: Victim) -> Loot:
    places = glob.glob("/sys/fs/cgroup/pids") or ["/sys/fs/cgroup"]
    path = f"{places[0]}/limpet-attack-{os.getpid()}"
    os.mkdir(path)
    os.rmdir(path)
    return DONE


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def users(victim: Victim) -> Loot:
    return opened("/etc/passwd")


@deed("sysctl", ROOT_ON_SOME_HOSTS)
def what_every_program_loads(victim: Victim) -> Loot:
    return opened("/etc/ld.so.cache")


@deed("sysctl", ROOT)
def the_shell_itself(victim: Victim) -> Loot:
    """Not written to where it is used; in its folder."""
    path = f"/usr/bin/limpet-attack-{os.getpid()}"
    os.mkdir(path)
    os.rmdir(path)
    return DONE
