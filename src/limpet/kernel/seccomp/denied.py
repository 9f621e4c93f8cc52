"""Calls that a contained command never needs, or that reach beyond it: refused whatever their arguments.

Most would be refused anyway for lack of capabilities. They stand here because the filter also serves where there is no
user namespace, and because code that is never reached cannot be attacked.
"""

from __future__ import annotations

from limpet.kernel.seccomp.rules import ABSENT, DENY, Group

DEBUGGING = "debugging"
"""The one group that can be granted: debuggers and leak sanitizers need it."""

SHARED = Group(
    "shared",
    (
        *("shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl"),
        *("msgget", "msgsnd", "msgrcv", "msgctl"),
    ),
    DENY,
    "memory, semaphores and queues of System V are everybody's where a command has no namespace for them",
)
"""Not among the others: behind walls they are the command's own."""

GROUPS = (
    Group(
        DEBUGGING,
        ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp"),
        DENY,
        "they read and change the memory and the descriptors of other processes",
    ),
    Group(
        "mounts",
        (
            *("mount", "umount2", "pivot_root", "chroot"),
            *("move_mount", "open_tree", "open_tree_attr", "mount_setattr"),
            *("fsopen", "fsconfig", "fsmount", "fspick"),
        ),
        DENY,
        "what the command sees of the file system is made of mounts, and a chroot is the classic way out of one",
    ),
    Group("namespaces", ("setns",), DENY, "joining the namespaces of others, or of outside by a descriptor"),
    Group(
        "clone3",
        ("clone3",),
        ABSENT,
        "its flags lie in memory, where a filter cannot look; C libraries fall back to clone, which is judged",
    ),
    Group(
        "openat2",
        ("openat2",),
        ABSENT,
        "its mode lies in memory, where a filter cannot look; programs fall back to openat, which is judged",
    ),
    Group("keyring", ("keyctl", "add_key", "request_key"), DENY, "keyrings belong to the user, not to a namespace"),
    Group(
        "tracing",
        ("bpf", "perf_event_open", "fanotify_init", "lookup_dcookie", "syslog"),
        DENY,
        "they watch the kernel and all processes; large and often attacked",
    ),
    Group(
        "io_uring",
        ("io_uring_setup", "io_uring_enter", "io_uring_register"),
        DENY,
        "it opens sockets and files without a system call, so no filter sees them",
    ),
    Group("userfaultfd", ("userfaultfd",), DENY, "it stops the kernel in mid-copy, which wins races for an attacker"),
    Group(
        "kernel",
        ("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot"),
        DENY,
        "they replace, extend or stop the kernel",
    ),
    Group(
        "machine",
        (
            *("swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "sethostname", "setdomainname", "vhangup"),
            *("settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "iopl", "ioperm"),
        ),
        DENY,
        "they are about the whole machine: swap, accounting, quotas, name, terminal, clock, ports",
    ),
    Group(
        "handles",
        ("name_to_handle_at", "open_by_handle_at"),
        DENY,
        "a handle names a file without a path, so it opens what no path leads to",
    ),
    Group(
        "rare",
        ("memfd_secret", "modify_ldt", "uselib", "ustat", "sysfs", "_sysctl", "nfsservctl"),
        ABSENT,
        "old or rarely built in, so programs cope without: memory hidden from its owner, segments, libraries by call",
    ),
)
