"""The sandbox of a program called bubblewrap, for whoever trusts it more than ours: the same view by its means."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import SandboxUnavailableError
from limpet.sandbox.native import Native, PlannedBehindWalls
from limpet.sandbox.view import FROZEN_PROC, HIDDEN_PROC, KEPT_IN_RUN, PRIVATE, Wishes, around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.model.confinement import Confinement
    from limpet.model.request import Request

_PLACES = ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap")
_FILTER_FD = 63
"""High enough to be in nobody's way."""
_NAMESPACES = ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
NOTES = (
    "a command that a signal ends is seen to exit with 128 and the signal's number",
    "nothing limits what /tmp may take of the memory",
    "named pipes outside the workspace can be written to, and the times of devices changed, where this user may",
)


class Bubblewrap(Native):
    """Plans commands that bubblewrap runs."""

    name = "bubblewrap"

    def plan(self, request: Request, *, announce: bool = False) -> PlannedBehindWalls:
        """What will be executed. Raises SandboxUnavailableError."""
        planned = super().plan(request, announce=announce)
        bare = planned.plan
        words = tuple(_words(self._wishes(request, planned.watch.found), network=request.network))
        inside = ("--chdir", request.cwd, "--", bare.executable, *bare.argv[1:])
        plan = msgspec.structs.replace(
            bare,
            executable=_find(),
            argv=("bwrap", *words, "--seccomp", str(_FILTER_FD), *inside),
            ready=0,
            guarantees=msgspec.structs.replace(bare.guarantees, level=self.name, backend=self.name, notes=NOTES),
        )
        return msgspec.structs.replace(planned, plan=plan)

    def _confinement(self, wishes: Wishes, network: bool) -> Confinement:  # noqa: FBT001 - as it is there
        ours = super()._confinement(wishes, network)
        return msgspec.structs.replace(ours, namespaces=False, view=(), fresh=(), landlock=None, filter_fd=_FILTER_FD)


def _find() -> str:
    """By absolute path: never looked up in PATH, which the workspace may have a say in."""
    for place in _PLACES:
        if os.access(place, os.X_OK):
            return place
    raise SandboxUnavailableError(
        f"bubblewrap was not found in {', '.join(_PLACES)}: install the package bubblewrap", missing=("bubblewrap",)
    )


def _words(wishes: Wishes, *, network: bool) -> Iterator[str]:
    yield from (*_NAMESPACES, "--die-with-parent", "--cap-drop", "ALL")
    if not network:
        yield "--unshare-net"
    yield from ("--uid", str(os.geteuid()), "--gid", str(os.getegid()))
    yield from ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run")
    yield from _pairs("--ro-bind-try", KEPT_IN_RUN)
    yield from _pairs("--ro-bind-try", [f"/proc/{name}" for name in (*FROZEN_PROC, "pressure")])
    if wishes.root:
        yield from _hidden([f"/proc/{name}" for name in HIDDEN_PROC])
    for folder in (*PRIVATE, *wishes.emptied):
        yield from ("--tmpfs", folder)
    yield from _pairs("--bind", (*wishes.writable, wishes.workspace))
    yield from _hidden(wishes.hidden)
    yield from _pairs("--bind", around(wishes.frozen, wishes.workspace))
    yield from _pairs("--ro-bind", wishes.frozen)


def _pairs(option: str, paths: tuple[str, ...] | list[str]) -> Iterator[str]:
    for path in paths:
        yield from (option, path, path)


def _hidden(paths: tuple[str, ...] | list[str]) -> Iterator[str]:
    for path in paths:
        if os.path.isdir(path):
            yield from ("--tmpfs", path, "--remount-ro", path)
        elif os.path.exists(path):
            yield from ("--ro-bind", "/dev/null", path)
