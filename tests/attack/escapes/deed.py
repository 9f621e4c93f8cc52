"""Attempts to reach something beyond a command, as functions, and who gets away with each where nothing hinders it."""

from __future__ import annotations

import importlib
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

AREAS = ("files", "processes", "launcher", "sockets", "kernel", "devices", "sysctl", "rights", "ipc", "secrets")
"""Each has modules of deeds, whose names begin with it, and one of victims."""

Victim = dict[str, Any]
"""What a deed is told of what it attacks: paths, numbers, addresses. Never the secret itself."""
Loot = bytes | str | None


class Without(Enum):
    """Who gets away with it where there is no sandbox."""

    ANYBODY = "anybody"
    ROOT = "only root"
    SOME_HOSTS = "it depends on the machine"
    ROOT_ON_SOME_HOSTS = "only root, and it depends on the machine"


class Deed(NamedTuple):
    """One attempt. It raises OSError when it was refused; what it returns is its loot."""

    area: str
    name: str
    without: Without
    act: Callable[[Victim], Loot]


_DEEDS: dict[str, list[Deed]] = {area: [] for area in AREAS}

ANYBODY, ROOT = Without.ANYBODY, Without.ROOT
SOME_HOSTS, ROOT_ON_SOME_HOSTS = Without.SOME_HOSTS, Without.ROOT_ON_SOME_HOSTS
DONE = "done"
"""The loot of a deed that can only tell itself that it was let."""


def deed(area: str, without: Without = ANYBODY) -> Callable[[Callable[[Victim], Loot]], Callable[[Victim], Loot]]:
    """Marks a function as one."""

    def add(act: Callable[[Victim], Loot]) -> Callable[[Victim], Loot]:
        _DEEDS[area].append(Deed(area, act.__name__, without, act))
        return act

    return add


def launcher(victim: Victim) -> int:
    """Whoever started the attacker: the first process of a sandbox, or the parent of the process that tries all."""
    return int(victim["first"] or _parent(_parent("self")))


def _parent(pid: int | str) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def deeds(area: str) -> list[Deed]:
    """Those of an area."""
    for path in sorted(Path(__file__).parent.glob(f"deeds_{area}*.py")):
        importlib.import_module(f"attack.escapes.{path.stem}")
    return _DEEDS[area]
