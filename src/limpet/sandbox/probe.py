"""This host -> what it could enforce: facts that were tried, not guessed from version numbers."""

from __future__ import annotations

import contextlib
import os
import platform

import msgspec

from limpet.errors import LaunchError
from limpet.sandbox import bash

_SYS_LANDLOCK_CREATE_RULESET = 444  # the same number on every architecture
_LANDLOCK_VERSION_FLAG = 1


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing looked at."""

    name: str
    ok: bool
    found: str
    advice: str = ""
    """What to do where it is not there."""


def facts(shell: str) -> list[Fact]:
    """All of them, cheapest first."""
    return [_bash(shell), _kernel(), _pidfd(), _user_namespaces(), _landlock(), _seccomp()]


def _bash(shell: str) -> Fact:
    try:
        return Fact(name="bash", ok=True, found=bash.find(shell))
    except LaunchError as error:
        return Fact(name="bash", ok=False, found="missing", advice=str(error))


def _kernel() -> Fact:
    linux = platform.system() == "Linux"
    return Fact(
        name="kernel", ok=linux, found=f"{platform.system()} {platform.release()}", advice="" if linux else "use Linux"
    )


def _pidfd() -> Fact:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        return Fact(name="pidfd", ok=False, found=str(error.strerror), advice="needs Linux 5.3 or later")
    return Fact(name="pidfd", ok=True, found="processes are signalled without mistaking one for another")


def _user_namespaces() -> Fact:
    most = _number("/proc/sys/user/max_user_namespaces")
    denied = _number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1 and os.geteuid() != 0
    ok = bool(most) and not denied
    advice = "" if ok else "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or user.max_user_namespaces above 0"
    return Fact(name="user namespaces", ok=ok, found="available" if ok else "denied", advice=advice)


def _landlock() -> Fact:
    version = _landlock_version()
    ok = version > 0
    advice = "" if ok else "needs Linux 5.13 or later with landlock among the kernel's security modules"
    return Fact(name="landlock", ok=ok, found=f"version {version}" if ok else "not active", advice=advice)


def _landlock_version() -> int:
    """Ask the kernel itself: what is listed under /sys may be hidden from us."""
    import ctypes  # noqa: PLC0415 - only the doctor needs it

    libc = ctypes.CDLL(None, use_errno=True)
    return int(libc.syscall(_SYS_LANDLOCK_CREATE_RULESET, None, 0, _LANDLOCK_VERSION_FLAG))


def _seccomp() -> Fact:
    ok = "Seccomp:" in _text("/proc/self/status")
    return Fact(name="seccomp", ok=ok, found="available" if ok else "not in this kernel")


def _number(path: str) -> int | None:
    try:
        return int(_text(path))
    except ValueError:
        return None


def _text(path: str) -> str:
    with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
        return file.read().strip()
    return ""
