"""This host -> what it can enforce: facts that were tried, not guessed from version numbers."""

from __future__ import annotations

import contextlib
import os
import platform
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import LaunchError, SandboxUnavailableError
from limpet.kernel import landlock, loopback, namespaces, seccomp
from limpet.kernel.mounts import carry_out
from limpet.kernel.syscalls import call, machine
from limpet.sandbox import bash, engines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.config import Settings

    Attempt = Callable[[Callable[[], object]], str]

_LIMITS = {"memory": "memory", "processes": "pids"}
"""Each with the controller that holds it."""
_FOLDER = "/tmp"  # noqa: S108 - covered by one of our own before anything is made in it
_IN_A_CONTAINER = "in a container, allow unshare, clone and mount (docker: --security-opt seccomp=unconfined)"

_HIDDEN_PROC = "a container hides parts of /proc (docker: --security-opt systempaths=unconfined)"


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing looked at."""

    name: str
    ok: bool
    found: str
    advice: str = ""
    """What to do where it is not there."""


def facts(
    settings: Settings, environ: Mapping[str, str], attempt: Attempt, groups: Mapping[str, tuple[str, int]]
) -> list[Fact]:
    """All of them. `attempt` tries something and says why it does not work; `groups` can be divided further."""
    kernel = [_kernel(), _pidfd(), *_namespaces(attempt), _landlock(), _seccomp(attempt), *_limits(groups)]
    return [_bash(settings.run.shell), *kernel, _container(settings, environ)]


def _bash(shell: str) -> Fact:
    try:
        return Fact(name="bash", ok=True, found=bash.find(shell))
    except LaunchError as error:
        return Fact(name="bash", ok=False, found="missing", advice=str(error))


def _kernel() -> Fact:
    found = f"{platform.system()} {platform.release()} {platform.machine()}"
    if platform.system() != "Linux":
        return Fact(name="kernel", ok=False, found=found, advice="use Linux")
    known = machine() is not None
    advice = "" if known else "only x86_64 and aarch64 are contained, by a 64-bit Python"
    return Fact(name="kernel", ok=known, found=found, advice=advice)


def _pidfd() -> Fact:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        return Fact(name="pidfd", ok=False, found=str(error.strerror), advice="needs Linux 5.3 or later")
    return Fact(name="pidfd", ok=True, found="processes are signalled without mistaking one for another")


def _namespaces(attempt: Attempt) -> list[Fact]:
    advice = _switched_off() or _IN_A_CONTAINER
    user = _tried("user namespaces", "an ordinary user can build walls", attempt(_enter_user), advice)
    others = (
        ("mounts", "a command can have a view of files of its own", _enter_mounts, advice),
        ("processes", "a command can have processes and a /proc of its own", _enter_processes, _HIDDEN_PROC),
        ("network", "a command can be without network", _enter_network, advice),
        ("overlay", "changes can be collected, then kept or dropped", _mount_overlay, "needs overlayfs and Linux 5.11"),
    )
    if not user.ok:
        return [user, *(Fact(name=name, ok=False, found="no: needs user namespaces") for name, *_ in others)]
    return [user, *(_tried(name, can, attempt(action), to_do) for name, can, action, to_do in others)]


def _tried(name: str, can: str, why: str, advice: str) -> Fact:
    return Fact(name=name, ok=not why, found=f"no: {why}" if why else can, advice=advice if why else "")


def _enter_user(more: int = 0) -> None:
    uid, gid = os.geteuid(), os.getegid()
    namespaces.unshare(namespaces.USER | more)
    namespaces.keep_own_ids(uid, gid)


def _enter_mounts() -> None:
    _enter_user(namespaces.MOUNT)
    carry_out((("private",), ("empty", _FOLDER, "size=1m")))


def _enter_processes() -> None:
    _enter_user(namespaces.MOUNT)
    carry_out((("private",),))
    reading, writing = os.pipe2(os.O_CLOEXEC)
    pid = namespaces.fork_into(namespaces.PID | namespaces.IPC | namespaces.UTS | namespaces.CGROUP)
    if pid == 0:
        try:
            carry_out((("processes", "/proc"),))
            os.write(writing, b"0")
        except OSError as error:
            os.write(writing, b"%d" % (error.errno or 0))
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    failed = int(os.read(reading, 16))
    if failed:
        raise OSError(failed, os.strerror(failed), "/proc")


def _enter_network() -> None:
    _enter_user(namespaces.NETWORK)
    loopback.bring_up()


def _mount_overlay() -> None:
    _enter_mounts()
    os.chdir(_FOLDER)
    for name in ("lower", "upper", "work", "all"):
        os.mkdir(name)
    options = b"userxattr,lowerdir=lower,upperdir=upper,workdir=work\0"
    call("mount", b"overlay\0", b"all\0", b"overlay\0", 0, options)


def _switched_off() -> str:
    """How to turn the switch that denies user namespaces, or rights in them; empty when none does."""
    if _number("/proc/sys/user/max_user_namespaces") == 0:
        return "sysctl -w user.max_user_namespaces=10000"
    if _number("/proc/sys/kernel/unprivileged_userns_clone") == 0:
        return "sysctl -w kernel.unprivileged_userns_clone=1"
    if _number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1:
        return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile with `userns`"
    return ""


def _landlock() -> Fact:
    version = landlock.version()
    if version < 1:
        advice = "needs Linux 5.13 or later with landlock among the kernel's security modules (lsm=landlock,…)"
        return Fact(name="landlock", ok=False, found="not active", advice=advice)
    missing = landlock.plan(version, bind=(), connect=()).missing
    found = f"version {version}" + (", which has all that is used" if not missing else "")
    return Fact(name="landlock", ok=True, found=found, advice="; ".join(one.value for one in missing))


def _seccomp(attempt: Attempt) -> Fact:
    here = machine()
    why = "not for this machine" if here is None else attempt(lambda: seccomp.install(seccomp.program(here)))
    return _tried("seccomp", "system calls are filtered", why, "needs a kernel with seccomp filters")


def _limits(groups: Mapping[str, tuple[str, int]]) -> list[Fact]:
    return [_limit(name, groups.get(controller)) for name, controller in _LIMITS.items()]


def _limit(name: str, group: tuple[str, int] | None) -> Fact:
    if group is not None:
        return Fact(name=f"{name} limit", ok=True, found=f"control group {group[0]} (version {group[1]})")
    without = {
        "memory": "watched, twenty times a second",
        "processes": "counted per user" if os.geteuid() else "none: root is not counted",
    }
    advice = "a control group of its own: systemd-run --user --scope -p Delegate=yes, or run as root"
    return Fact(name=f"{name} limit", ok=False, found=f"no control group; {without[name]}", advice=advice)


def _container(settings: Settings, environ: Mapping[str, str]) -> Fact:
    """Found, not tried: a command that is to run in one tells the rest."""
    image = settings.sandbox.image
    try:
        found = engines.find(settings.sandbox.engine, environ)
    except SandboxUnavailableError as error:
        return Fact(name="container", ok=False, found="no, and only needed where it is asked for", advice=str(error))
    advice = "" if image else f"sandbox.image, which is not set: one that `{found.name} images` lists and that has bash"
    return Fact(name="container", ok=True, found=f"{found.executable}, image {image or 'not named'}", advice=advice)


def _number(path: str) -> int | None:
    with contextlib.suppress(OSError, ValueError), open(path, encoding="ascii") as file:
        return int(file.read())
    return None
