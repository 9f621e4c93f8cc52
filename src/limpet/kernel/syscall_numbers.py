"""The name of a system call -> its number, for each machine that limpet knows."""

from __future__ import annotations

from typing import NamedTuple


class Machine(NamedTuple):
    """A processor architecture as its kernel counts system calls."""

    name: str
    """What `uname -m` says."""
    audit: int
    """How a seccomp filter sees it (`AUDIT_ARCH_*`)."""
    unused: range
    """Numbers that no call had when this table was written, below those that all machines share."""
    column: int
    """Where its numbers stand in the table."""


X86_64 = Machine("x86_64", 0xC000003E, range(337, 424), 0)
AARCH64 = Machine("aarch64", 0xC00000B7, range(295, 424), 1)
MACHINES = (X86_64, AARCH64)

HIGHEST = 469
"""The last number of Linux 6.18 (file_setattr), the same on all machines: later calls are nothing we have judged."""

# Only calls that we make or judge. None: the machine does not have it.
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "open": (2, None),
    "ioctl": (16, 29),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "creat": (85, None),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "ptrace": (101, 117),
    "syslog": (103, 116),
    "capset": (126, 91),
    "mknod": (133, None),
    "uselib": (134, None),
    "personality": (135, 92),
    "ustat": (136, None),
    "sysfs": (139, None),
    "vhangup": (153, 58),
    "modify_ldt": (154, None),
    "pivot_root": (155, 41),
    "_sysctl": (156, None),
    "prctl": (157, 167),
    "adjtimex": (159, 171),
    "chroot": (161, 51),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "mount": (165, 40),
    "umount2": (166, 39),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "nfsservctl": (180, 42),
    "lookup_dcookie": (212, 18),
    "semtimedop": (220, 192),
    "clock_settime": (227, 112),
    "kexec_load": (246, 104),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "inotify_add_watch": (254, 27),
    "openat": (257, 56),
    "mknodat": (259, 33),
    "fchmodat": (268, 53),
    "unshare": (272, 97),
    "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86),
    "inotify_init1": (294, 26),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "clock_adjtime": (305, 266),
    "syncfs": (306, 267),
    "setns": (308, 268),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "finit_module": (313, 273),
    "renameat2": (316, 276),
    "seccomp": (317, 277),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "statx": (332, 291),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "clone3": (435, 435),
    "openat2": (437, 437),
    "pidfd_getfd": (438, 438),
    "mount_setattr": (442, 442),
    "quotactl_fd": (443, 443),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
    "memfd_secret": (447, 447),
    "fchmodat2": (452, 452),
    "open_tree_attr": (467, 467),
}

NAMES = frozenset(_NUMBERS)
"""Every call that has a number on at least one machine."""


def number(machine: Machine, name: str) -> int | None:
    """Its number there; None where that machine has no such call."""
    return _NUMBERS[name][machine.column]
