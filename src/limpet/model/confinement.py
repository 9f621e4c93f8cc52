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


class Engine(msgspec.Struct, frozen=True, kw_only=True):
    """A program that runs containers, and what it takes to have it run one command."""

    env: tuple[tuple[str, str], ...]
    """Its own; the command has another."""
    folder: str
    """Where keeper and container find each other, made for this command alone."""
    files: tuple[tuple[str, bytes], ...]
    """What is in it, by name."""
    remove: tuple[str, ...]
    """Its arguments to end the container by force."""
    advice: str
    """What to do where it does not start one."""
    limits: tuple[tuple[str, int], ...] = ()
    """Of control groups, as the container is to see them: it is asked whether they hold."""
    given: tuple[str, ...] = ()
    """Names of the other limits, which it cannot fail to set without saying so."""

    def plain(self) -> dict[str, Any]:
        """As values that need no limpet to be read."""
        return {
            "env": {
                name.encode("utf-8", "surrogateescape"): text.encode("utf-8", "surrogateescape")
                for name, text in self.env
            },
            "folder": self.folder,
            "files": self.files,
            "remove": self.remove,
            "advice": self.advice,
            "limits": dict(self.limits),
            "given": self.given,
        }


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
    engine: Engine | None = None
    """A program that builds walls of its own, and whose processes are not ours."""
    marks: tuple[tuple[int, ...], ...] = ()
    """What tells what the walls stand at from anything else: they are none for another thing in its place."""
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
            "engine": None if self.engine is None else self.engine.plain(),
        }
