"""Limits -> control groups of a keeper's own, where this user may make them (root, or a delegated subtree)."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from limpet.process import tree

if TYPE_CHECKING:
    from limpet.process.wire import Message

Bases = dict[str, tuple[str, int]]
"""Controller -> (folder of our own group, version of control groups)."""

_PREFIX = "limpet-"
_FILES = {
    # limit: (controller, file for it in version 1, in version 2)
    "processes": ("pids", "pids.max", "pids.max"),
    "memory": ("memory", "memory.limit_in_bytes", "memory.max"),
}
_EVENTS = {
    "processes": (("pids.events", b"max"),),
    "memory": (("memory.events", b"oom_kill"), ("memory.oom_control", b"oom_kill")),
}
# What is swapped out is in use too.
_SWAP_FILES = (("memory.memsw.limit_in_bytes", None), ("memory.swap.max", b"0"))


class Cgroups:
    """The groups a keeper has joined, by the limit that each enforces."""

    def __init__(self, folders: dict[str, str]) -> None:
        self._folders = folders
        self.mark()

    @property
    def held(self) -> frozenset[str]:
        """Names of the limits these groups enforce."""
        return frozenset(self._folders)

    def mark(self) -> None:
        """From here on it counts."""
        self._seen = {limit: self._count(limit) for limit in self._folders}

    def broken(self) -> str:
        """Name of a limit that was hit since the mark, or nothing."""
        return next((limit for limit in self._folders if self._count(limit) > self._seen[limit]), "")

    def _count(self, limit: str) -> int:
        return sum(_counter(os.path.join(self._folders[limit], name), key) for name, key in _EVENTS[limit])


def join(bases: Bases, limits: Message, name: str, *, own: int = 1) -> Cgroups:
    """Move this process into new groups that hold `limits`, as far as that is possible here.

    `own`: how many of limpet's own processes are in them as well, this one among them.
    """
    folders = {}
    for limit, (controller, first, second) in _FILES.items():
        value, base = limits.get(limit), bases.get(controller)
        if value is None or base is None:
            continue
        wanted = value + own if limit == "processes" else value
        folder = os.path.join(base[0], name)
        if _enter(folder, second if base[1] == 2 else first, wanted):
            folders[limit] = folder
    return Cgroups(folders)


def _enter(folder: str, file: str, value: int) -> bool:
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        _write(os.path.join(folder, file), b"%d" % value)
        for swap, text in _SWAP_FILES:
            if file.startswith("memory"):
                with contextlib.suppress(OSError):
                    _write(os.path.join(folder, swap), text or b"%d" % value)
        _write(os.path.join(folder, "cgroup.procs"), b"0")
    except OSError:
        with contextlib.suppress(OSError):
            os.rmdir(folder)
        return False
    return True


def prefix() -> str:
    """How the names of this server's groups begin: with its pid and start time."""
    me = tree.look_up(os.getpid())
    return f"{_PREFIX}{os.getpid()}-{me.start if me else 0}"


def remove(bases: Bases, name: str) -> bool:
    """Take away the groups of a keeper that has ended; False while the kernel still counts somebody in them."""
    gone = True
    for folder, _ in set(bases.values()):
        try:
            os.rmdir(os.path.join(folder, name))
        except FileNotFoundError:
            pass
        except OSError:
            gone = False
    return gone


def sweep(bases: Bases) -> None:
    """Take away groups whose server is gone: it was killed before it could."""
    for folder, _ in set(bases.values()):
        with contextlib.suppress(OSError):
            for name in os.listdir(folder):
                if is_stale(name):
                    with contextlib.suppress(OSError):
                        os.rmdir(os.path.join(folder, name))


def is_stale(name: str) -> bool:
    """Whether something of this name was made by a server that is gone."""
    return name.startswith(_PREFIX) and not _owner_lives(name)


def _owner_lives(name: str) -> bool:
    try:
        pid, start, _ = name.removeprefix(_PREFIX).split("-")
        owner = tree.look_up(int(pid))
        return owner is not None and owner.start == int(start)
    except ValueError:
        return True  # not a name of ours


def discover() -> Bases:
    """The groups this process is in and may make others below."""
    paths = _own_paths()
    bases: Bases = {}
    with contextlib.suppress(OSError), open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            left, _, right = line.partition(" - ")
            root, point = left.split()[3:5]
            kind, _, options = right.split()[:3]
            for controller, version in _controllers(kind, options, point, paths):
                path = paths["" if version == 2 else controller]
                folder = point + path.removeprefix(root if root != "/" else "").rstrip("/")
                if os.access(folder, os.W_OK):
                    bases.setdefault(controller, (folder, version))
    return bases


def _controllers(kind: str, options: str, point: str, paths: dict[str, str]) -> list[tuple[str, int]]:
    wanted = [controller for controller, _, _ in _FILES.values()]
    if kind == "cgroup":
        return [(name, 1) for name in options.split(",") if name in wanted and name in paths]
    if kind == "cgroup2" and "" in paths:
        with (
            contextlib.suppress(OSError),
            open(point + paths[""] + "/cgroup.subtree_control", encoding="ascii") as file,
        ):
            enabled = file.read().split()
            return [(name, 2) for name in wanted if name in enabled]
    return []


def _own_paths() -> dict[str, str]:
    paths = {}
    with contextlib.suppress(OSError), open("/proc/self/cgroup", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            paths.update(dict.fromkeys(controllers.split(","), path))
    return paths


def _counter(path: str, key: bytes) -> int:
    try:
        with open(path, "rb") as file:
            return next((int(line.split()[1]) for line in file if line.split()[0] == key), 0)
    except OSError:
        return 0


def _write(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)
