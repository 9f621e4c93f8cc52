"""What stands between a command and the rest of the machine."""

from __future__ import annotations

from typing import Any

import msgspec

Steps = tuple[tuple[str | int | bool, ...], ...]
"""What to do, one after the other, in plain values."""
Paths = tuple[tuple[str, int], ...]


class Landlock(msgspec.Struct, frozen=True):
    """Rules as the kernel takes them."""

    files: int
    net: int
    scopes: int
    paths: Paths
    ports: tuple[tuple[int, int], ...] = ()

    def plain(self) -> tuple[Any, ...]:
        """As values that need no limpet to be read."""
        return (self.files, self.net, self.scopes, self.paths, self.ports)


class Confinement(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """Everything that is needed to build the walls, and nothing that has to be decided. Can be a key."""

    network: bool
    """Whether the command has the network of the machine; else nothing but a loopback of its own."""
    view: Steps
    """What all commands see that are confined alike: built once."""
    fresh: Steps
    """What each command gets for itself."""
    landlock: Landlock | None
    seccomp: bytes
    namespaces: bool = True
    """Whether the command gets namespaces of its own; without them there is no network namespace, view or `fresh`."""
    scratch: tuple[str, ...] = ()
    """Variables that lead to a folder which is made for each command and removed after it."""
    filter_fd: int = -1
    """Where a program that builds walls of its own finds the filter: then it is not put on here."""
    identity: tuple[int, int] = (0, 0)
    """Device and inode of the workspace: walls around one folder are none around another that took its place."""
    frozen: tuple[str, ...] = ()
    """What of the workspace the view keeps from being changed; for whoever explains it."""

    def plain(self) -> dict[str, Any]:
        """As values that need no limpet to be read."""
        return {
            "network": self.network,
            "view": self.view,
            "fresh": self.fresh,
            "landlock": None if self.landlock is None else self.landlock.plain(),
            "seccomp": self.seccomp,
            "namespaces": self.namespaces,
            "scratch": tuple(name.encode() for name in self.scratch),
            "filter_fd": self.filter_fd,
        }
