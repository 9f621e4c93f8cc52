"""Calls that are fine with some arguments and not with others."""

from __future__ import annotations

import errno
import stat

from limpet.kernel.seccomp.rules import ALLOW, DENY, FULL_WORD, Answer, Choice, Switch

_UNKNOWN_FAMILY = Answer(errno.EAFNOSUPPORT)
_UNKNOWN_PROTOCOL = Answer(errno.EPROTONOSUPPORT)
_NO_NETWORK = Answer(errno.EACCES)

# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. (NEWTIME is part of the exit signal here.)
_NEW_NAMESPACES = 0x7E020000
_CLONE = Switch(0, (((0,), ALLOW),), DENY, mask=_NEW_NAMESPACES)

# CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM: the opposite way round from clone, as there is nothing to lose.
_UNSHARED_BY_PROGRAMS = 0x00050F00
_UNSHARE = Switch(
    0,
    (((0,), Switch(0, (((0,), ALLOW),), DENY, upper=True)),),
    DENY,
    mask=FULL_WORD ^ _UNSHARED_BY_PROGRAMS,
)

# PER_LINUX, PER_LINUX32, both with UNAME26, the question what it is, and the fixed addresses that sanitizers and
# debuggers ask for. The others make memory executable or map page 0.
_PERSONALITY = Switch(0, (((0x0, 0x8, 0x20000, 0x20008, 0x40000, FULL_WORD), ALLOW),), DENY)

_IOCTL = Switch(
    1,
    (
        (
            (
                0x5412,  # TIOCSTI: types into the terminal
                0x541C,  # TIOCLINUX: pastes into the console
                0x541D,  # TIOCCONS: takes over the console's output
                0x5423,  # TIOCSETD: line disciplines, old drivers that load on demand
                # KDSKBENT, KDSKBSENT, KDSKBDIACR, KDSKBDIACRUC, KDSETKEYCODE: what the console's keys type
                *(0x4B47, 0x4B49, 0x4B4B, 0x4BFB, 0x4B4D),
                0xAA00,  # USERFAULTFD_IOC_NEW: userfaultfd by way of its device
            ),
            DENY,
        ),
    ),
    ALLOW,
)


def _no_set_uid(mode: int) -> Switch:
    """A set-uid program left in the workspace makes others our user, root even. Set-gid is what shared folders have."""
    return Switch(mode, (((0,), ALLOW),), DENY, mask=stat.S_ISUID)


def _opened(flags: int, mode: int) -> Switch:
    """The mode counts where a file may be made; else it is whatever happens to be there."""
    return Switch(flags, (((0,), ALLOW),), _no_set_uid(mode), mask=_O_CREAT | _O_TMPFILE)


def _nodes(mode: int) -> Switch:
    """A node for a disk, made in the workspace, is the disk; fifos, sockets and plain files are not meant."""
    return Switch(mode, (((stat.S_IFCHR, stat.S_IFBLK), DENY),), _no_set_uid(mode), mask=0xF000)


_O_CREAT, _O_TMPFILE = 0o100, 0o20000000


# Plain numbers: the socket module would cost a contained command more than the filter does.
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_FAMILY, _TYPE, _PROTOCOL = 0, 1, 2
_TYPE_MASK, _SOCK_RAW, _SOCK_PACKET = 0xF, 3, 10
_NETLINK_ROUTE = 0

# Anything (0), ICMP by the unprivileged way, TCP, UDP, ICMPv6. Multipath TCP and SMC would go round Landlock's rules
# about TCP; SCTP, DCCP and the rest are modules that load on demand.
_PROTOCOLS = (0, 1, 6, 17, 58)
_INTERNET = Switch(
    _TYPE,
    (((_SOCK_RAW, _SOCK_PACKET), DENY),),
    Switch(_PROTOCOL, ((_PROTOCOLS, ALLOW),), _UNKNOWN_PROTOCOL),
    mask=_TYPE_MASK,
)

# C libraries list interfaces and addresses by NETLINK_ROUTE, always on a raw socket, which means nothing there. The
# rest is audit, firewall, crypto, drivers; libraries take this answer for a kernel without it.
_NETLINK = Switch(_PROTOCOL, (((_NETLINK_ROUTE,), ALLOW),), _UNKNOWN_PROTOCOL)


def _socket(internet: Choice) -> Switch:
    """Families by name: packet, vsock (the hypervisor), alg, bluetooth, can and whatever comes next are not there."""
    return Switch(
        _FAMILY,
        (
            ((_AF_UNIX,), ALLOW),
            ((_AF_INET, _AF_INET6), internet),
            ((_AF_NETLINK,), _NETLINK),
        ),
        _UNKNOWN_FAMILY,
    )


_SOCKETPAIR = Switch(_FAMILY, (((_AF_UNIX,), ALLOW),), _UNKNOWN_FAMILY)


def judged(*, internet: bool) -> dict[str, Switch]:
    """By name of the call. Without `internet` no socket of it can be made, for where there is no network namespace."""
    return {
        "clone": _CLONE,
        "unshare": _UNSHARE,
        "personality": _PERSONALITY,
        "ioctl": _IOCTL,
        "mknod": _nodes(1),
        "mknodat": _nodes(2),
        "chmod": _no_set_uid(1),
        "fchmod": _no_set_uid(1),
        "fchmodat": _no_set_uid(2),
        "fchmodat2": _no_set_uid(2),
        "creat": _no_set_uid(1),
        "open": _opened(1, 2),
        "openat": _opened(2, 3),
        "socket": _socket(_INTERNET if internet else _NO_NETWORK),
        "socketpair": _SOCKETPAIR,
    }
