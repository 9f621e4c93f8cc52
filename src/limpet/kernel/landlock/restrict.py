"""Rules -> in force for this thread and everything that it starts, for good."""

from __future__ import annotations

import errno
import os
import stat
import struct
from typing import TYPE_CHECKING, NamedTuple

from limpet.kernel import syscalls
from limpet.kernel.landlock import rights

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.kernel.landlock.plan import Packed, Rules

_ASK_VERSION = 1
_PATH_BENEATH, _NET_PORT = 1, 2
_ON_FILES = int(rights.ON_FILES)
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP)


class Ruleset(NamedTuple):
    """Rules as the kernel holds them. Any number of processes can take them on, each in a domain of its own."""

    fd: int
    """Closed by whoever asked for it; not inherited by exec."""
    left_out: tuple[str, ...]
    """Paths that are not there or cannot be reached: there was nothing to allow."""


def version() -> int:
    """The kernel's version of Landlock; 0 where there is none, or it is switched off."""
    try:
        return syscalls.call("landlock_create_ruleset", 0, 0, _ASK_VERSION)
    except OSError:
        return 0


def build(packed: Packed) -> Ruleset:
    """Open all paths and hand the rules to the kernel. Raises OSError when it does not take them."""
    files, net, scopes, paths, ports = packed
    fd = _create(files, net, scopes)
    try:
        left_out = tuple(path for path, allowed in paths if not _allow(fd, path, allowed))
        for port, ways in ports:
            syscalls.call("landlock_add_rule", fd, _NET_PORT, struct.pack("=QQ", ways, port), 0)
    except BaseException:
        os.close(fd)
        raise
    return Ruleset(fd, left_out)


def enforce(fd: int) -> None:
    """Take on the rules of a ruleset. When it raises OSError, nothing was restricted.

    New privileges are forbidden first, without which the kernel lets only root do this.
    """
    syscalls.call(*syscalls.NO_NEW_PRIVILEGES)
    syscalls.call("landlock_restrict_self", fd, 0)


def prepare(fd: int) -> Callable[[], None]:
    """The same, ready to be done by a child that is yet to be forked."""
    forbid = syscalls.prepare(*syscalls.NO_NEW_PRIVILEGES)
    take_on = syscalls.prepare("landlock_restrict_self", fd, 0)

    def take_on_rules() -> None:
        forbid()
        take_on()

    return take_on_rules


def restrict(rules: Rules) -> tuple[str, ...]:
    """Build and enforce in one go; the paths that were left out. When it raises OSError, nothing was restricted."""
    return enforce_packed(rules.packed())


def enforce_packed(packed: Packed) -> tuple[str, ...]:
    """The same for rules that were packed."""
    built = build(packed)
    try:
        enforce(built.fd)
    finally:
        os.close(built.fd)
    return built.left_out


def _create(files: int, net: int, scopes: int) -> int:
    """Old kernels take a longer description when what they do not know is zero, which is how it was planned."""
    if not files:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP), "landlock")
    attributes = struct.pack("=QQQ", files, net, scopes)
    return syscalls.call("landlock_create_ruleset", attributes, len(attributes), 0)


def _allow(ruleset: int, path: str, allowed: int) -> bool:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in _NOT_THERE:
            return False
        raise
    try:
        fitting = allowed if stat.S_ISDIR(os.fstat(fd).st_mode) else allowed & _ON_FILES
        syscalls.call("landlock_add_rule", ruleset, _PATH_BENEATH, struct.pack("=Qi", fitting, fd), 0)
    finally:
        os.close(fd)
    return True
