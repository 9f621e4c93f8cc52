"""What a command is to see and may spend -> the options of the program that runs its container."""

from __future__ import annotations

import math
import os
import resource
from typing import TYPE_CHECKING, NamedTuple

from limpet.sandbox.view import PRIVATE, around, is_inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.model.limits import Limits
    from limpet.model.request import Request
    from limpet.sandbox.engines import Engine
    from limpet.sandbox.view import Wishes

PLACE = "/run/limpet"
"""Where the container finds what its first process needs."""
OWN_PROCESSES = 2
"""The first, and the one that waits for the command."""
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 - the command's own
_MOST_PROCESSES = 32768
_WALLS = (
    "--rm", "--pull=never", "--log-driver=none", "--sig-proxy=false", "--read-only", "--cap-drop=ALL", "--ipc=private",
    "--security-opt=no-new-privileges", "--security-opt=label=disable", "--entrypoint=/bin/bash",
)  # fmt: skip
_OF_ONE = {
    "podman": ("--read-only-tmpfs=false", "--image-volume=tmpfs", "--http-proxy=false"),
    "docker": ("--no-healthcheck",),
}
_NEVER_TYPED = {"podman": "", "docker": "ctrl-_,ctrl-^,ctrl-_,ctrl-^,ctrl-_"}
"""What would leave a container to itself, at a terminal."""


class Wanted(NamedTuple):
    """Of one container."""

    engine: Engine
    image: str
    name: str
    folder: str
    """Of this machine; it is `PLACE` there."""
    filter: str
    """Name of the file in it that says which system calls are refused."""
    home: str


def options(wanted: Wanted, wishes: Wishes, request: Request) -> Iterator[str]:
    """All words, the image last: what follows is for its first process."""
    name = wanted.engine.name
    yield from (*wanted.engine.words, "run", *_WALLS, *_OF_ONE[name])
    yield from (f"--name={wanted.name}", f"--security-opt=seccomp={wanted.folder}/{wanted.filter}")
    yield from wanted.engine.user
    yield f"--network={'host' if request.network else 'none'}"
    yield f"--workdir={request.cwd}"
    if request.stdin is not None or request.inherit_stdin or request.open_stdin or request.terminal:
        yield "--interactive"
    if request.terminal is not None:
        yield from ("--tty", f"--detach-keys={_NEVER_TYPED[name]}")
    yield from _limits(request.limits)
    yield from _mounts(wanted, wishes)
    yield wanted.image


def _limits(limits: Limits) -> Iterator[str]:
    # Theirs may be more than can be had.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield from (f"--ulimit=nofile={soft}:{hard}", f"--ulimit=nproc={_processes()}", "--ulimit=core=1:1")
    if limits.memory is not None:
        yield from (f"--memory={limits.memory}", f"--memory-swap={limits.memory}")
    yield f"--pids-limit={-1 if limits.processes is None else limits.processes + OWN_PROCESSES}"
    if limits.cpu is not None:
        seconds = max(1, math.ceil(limits.cpu))
        yield f"--ulimit=cpu={seconds}:{seconds + 1}"
    if limits.file_size is not None:
        yield f"--ulimit=fsize={limits.file_size}:{limits.file_size}"


def _processes() -> str:
    """Of the whole user: podman lowers its own to the most that there can be by default, and cannot raise it again."""
    _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = _MOST_PROCESSES if hard == resource.RLIM_INFINITY else min(hard, _MOST_PROCESSES)
    return f"{most}:{most}"


def _mounts(wanted: Wanted, wishes: Wishes) -> Iterator[str]:
    """Programs that run containers mount what is nearer to the root first, whatever the order here."""
    yield _bind(wanted.folder, PLACE, read_only=True)
    shown = (*wishes.writable, wishes.workspace)
    for folder in dict.fromkeys((*PRIVATE, wanted.home)):
        if folder != _SHARED_MEMORY and folder not in shown and not is_inside(folder, wishes.workspace):
            yield f"--tmpfs={folder}:rw,exec,nosuid,nodev,size={wishes.memory},mode=1777"
    yield f"--shm-size={wishes.memory}"
    hidden = [path for path in wishes.hidden if any(is_inside(path, folder) for folder in shown)]
    seen = [path for path in wishes.frozen if not any(is_inside(path, folder) for folder in hidden)]
    pins = [path for path in around(tuple(seen), wishes.workspace) if path not in seen]
    yield from (_bind(path, path) for path in (*shown, *pins))
    yield from (_bind(path, path, read_only=True) for path in seen)
    for path in hidden:
        yield _bind(f"{wanted.folder}/{'empty' if os.path.isdir(path) else 'nothing'}", path, read_only=True)


def _bind(source: str, target: str, *, read_only: bool = False) -> str:
    return f"--mount=type=bind,source={source},target={target}{',readonly' if read_only else ''}"
