"""What a command is to see -> the steps that build it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.confinement import Steps

if TYPE_CHECKING:
    from collections.abc import Iterator

_Step = tuple[str | int | bool, ...]

NOTHING = "/run/limpet-nothing"
"""Stands for files that are hidden: there, and nobody may open it."""
PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - the command's own, not the machine's
"""Empty for each command, in memory, and gone with it."""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
CONSOLE = "/dev/console"
"""Where a command that has a terminal of its own finds it by name; for others there is nothing in it."""
_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "ptmx": "pts/ptmx",
}
# Root's word counts there for the whole machine, whatever rights it has given up; nobody else can write or read it.
FROZEN_PROC = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "dynamic_debug", "mtrr")
HIDDEN_PROC = (
    "kpagecount", "kpageflags", "kpagecgroup", "slabinfo", "vmallocinfo", "pagetypeinfo", "timer_list", "sched_debug",
    "latency_stats", "keys", "key-users",
)  # fmt: skip
# Sockets live in /run; these names are looked up by ordinary programs and are none.
KEPT_IN_RUN = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf", "/run/current-system")


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """Paths of this machine, as they are: real, absolute, there."""

    workspace: str
    marks: tuple[tuple[int, ...], ...] = ()
    """What tells what is at these paths from what others may put in its place."""
    writable: tuple[str, ...] = ()
    """Other folders that may be changed."""
    hidden: tuple[str, ...] = ()
    """Files and folders that are not to be seen."""
    holding: tuple[str, ...] = ()
    """Folders that are not to be seen, but for the workspace in them."""
    frozen: tuple[str, ...] = ()
    """In the workspace: may be read and not written."""
    layer: Steps | None = None
    """Stands in the view in place of the workspace."""
    emptied: tuple[str, ...] = ()
    """Folders that are empty for each command, in memory: caches."""
    root: bool = False
    """The command runs as root."""
    landlock: bool = False
    """Landlock sees to it that nothing is written outside."""
    memory: int = 1 << 30
    """Bytes that what is kept in memory may take, each."""


def view(wishes: Wishes) -> Steps:
    """For all commands that are confined alike."""
    return tuple(_view(wishes))


def _view(wishes: Wishes) -> Iterator[_Step]:
    yield ("private",)
    yield from _writable(wishes)
    for name in DEVICES:
        yield ("take", name, f"/dev/{name}")
        yield ("lock_device", name)
    for path in KEPT_IN_RUN:
        yield ("take", path, path, True)
        yield ("lock", path)
    yield ("lock_all",)
    yield from _devices()
    yield from _run(wishes)
    for path in wishes.holding:
        yield ("empty", path, "mode=0755,size=64k")
        yield ("folder", wishes.workspace, 0o755)
        yield ("remount_locked", path)
    yield from (("put", path, path) for path in (*wishes.writable, wishes.workspace))
    yield from (("hide", path, NOTHING) for path in wishes.hidden)
    # A folder around something frozen could be renamed, and another put in its place, were it not a mount of its own.
    yield from (("pin", path) for path in around(wishes.frozen, wishes.workspace))
    yield from (("freeze", path) for path in wishes.frozen)


def _writable(wishes: Wishes) -> Iterator[_Step]:
    for path in (wishes.workspace, *wishes.writable):
        if path == wishes.workspace and wishes.layer is not None:
            yield from wishes.layer
        else:
            yield ("take", path, path, True)
        yield ("harden", path)


def around(paths: tuple[str, ...], workspace: str) -> list[str]:
    """The folders between the workspace and the paths, outermost first."""
    found: dict[str, None] = {}
    for path in paths:
        names = path[len(workspace.rstrip("/")) + 1 :].split("/")[:-1]
        for count in range(1, len(names) + 1):
            found["/".join([workspace.rstrip("/"), *names[:count]])] = None
    return sorted(found)


def _devices() -> Iterator[_Step]:
    yield ("empty", "/dev", "mode=0755,size=1m")
    for name in DEVICES:
        yield ("file", f"/dev/{name}", 0o666)
        yield ("put", name, f"/dev/{name}")
    yield ("file", CONSOLE, 0o000)
    yield from (("link", f"/dev/{name}", target) for name, target in _LINKS.items())
    yield from (("folder", f"/dev/{name}", 0o755) for name in ("pts", "shm"))
    yield ("remount_locked", "/dev")


def _run(wishes: Wishes) -> Iterator[_Step]:
    """No socket of the machine's: the mount points for what is kept are made in an empty folder."""
    yield ("empty", "/run", "mode=0755,size=1m")
    yield ("file", NOTHING, 0o000)
    for path in KEPT_IN_RUN:
        yield ("put_new", path, path)
    for path in (*wishes.writable, wishes.workspace):
        if is_inside(path, "/run"):
            yield ("folder", path, 0o755)
    yield ("remount_locked", "/run")


def fresh(wishes: Wishes) -> Steps:
    """For one command alone."""
    return tuple(_fresh(wishes))


def _fresh(wishes: Wishes) -> Iterator[_Step]:
    size = f"size={wishes.memory},nr_inodes=200k"
    yield ("processes", "/proc")
    yield ("freeze", "/proc/pressure")
    if wishes.root and not wishes.landlock:
        yield from (("freeze", f"/proc/{name}") for name in FROZEN_PROC)
    if wishes.root:
        yield from (("hide", f"/proc/{name}", NOTHING) for name in HIDDEN_PROC)
    yield ("terminals", "/dev/pts")
    emptied = (*PRIVATE, *wishes.emptied)
    covered = [
        path for path in (*wishes.writable, wishes.workspace) if any(is_inside(path, folder) for folder in emptied)
    ]
    yield from (("take", path, path, True) for path in covered)
    yield from (("empty_if_there", path, f"mode=1777,{size}") for path in PRIVATE)
    yield from (("empty_if_there", path, f"mode=0700,{size}") for path in wishes.emptied)
    for path in covered:
        yield ("folder", path, 0o755)
        yield ("put", path, path)


def is_inside(path: str, folder: str) -> bool:
    """Whether it is that folder or below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
