"""What a command may use, and the kernel's version of Landlock -> rules, and what that kernel cannot refuse."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from limpet.kernel.landlock import rights
from limpet.kernel.landlock.rights import File, Net, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable


class Missing(Enum):
    """Something asked for that this kernel's Landlock does not do; the value says so in words."""

    EVERYTHING = "this kernel has no Landlock: it restricts nothing"
    MOVES = "files cannot be moved or linked between folders, not even inside what may be written (needs Linux 5.19)"
    TRUNCATE = "files that may only be read can still be cut short (needs Linux 6.2)"
    TCP = "TCP ports are not restricted (needs Linux 6.7)"
    DEVICES = "devices that can be opened take any ioctl (needs Linux 6.10)"
    SCOPES = "abstract sockets and signals reach processes outside (needs Linux 6.12)"


class Rules(NamedTuple):
    """What to tell the kernel: everything handled is refused unless a path or a port is named with it."""

    files: File
    net: Net
    scopes: Scope
    paths: tuple[tuple[str, File], ...]
    ports: tuple[tuple[int, Net], ...]
    missing: tuple[Missing, ...]
    """Worded for `Guarantees`: whoever promises something looks here first."""

    def packed(self) -> Packed:
        """Only what the kernel is told."""
        paths = tuple((path, int(allowed)) for path, allowed in self.paths)
        ports = tuple((port, int(ways)) for port, ways in self.ports)
        return (int(self.files), int(self.net), int(self.scopes), paths, ports)


Packed: TypeAlias = tuple[int, int, int, tuple[tuple[str, int], ...], tuple[tuple[int, int], ...]]
"""Files, net, scopes, paths and ports in plain values: they travel between processes, and cost a child just forked less
than flags, whose arithmetic runs through half of `enum`."""


def plan(
    version: int,
    *,
    read: Iterable[str] = (),
    write: Iterable[str] = (),
    use: Iterable[str] = (),
    bind: Iterable[int] | None = None,
    connect: Iterable[int] | None = None,
    scoped: bool = True,
) -> Rules:
    """Folders (with all beneath) and files to read, to read and write, and devices to use; all others are refused.

    `bind` and `connect` name the TCP ports that stay open, None all of them. `scoped` keeps abstract sockets and
    signals among the restricted process and its children. A version of 0 means that the kernel has no Landlock.
    """
    net = _net(bind, connect)
    files = _files(version)
    return Rules(
        files=files,
        net=net if version >= rights.TCP_SINCE else Net(0),
        scopes=Scope.ABSTRACT_SOCKET | Scope.SIGNAL if scoped and version >= rights.SCOPES_SINCE else Scope(0),
        paths=_paths(files, ((read, rights.READ), (use, rights.USE), (write, rights.WRITE))),
        ports=_ports(bind, connect) if version >= rights.TCP_SINCE else (),
        missing=_missing(version, tcp=bool(net), scoped=scoped),
    )


def _files(version: int) -> File:
    if version < 1:
        return File(0)
    since = (
        (rights.REFER_SINCE, File.REFER),
        (rights.TRUNCATE_SINCE, File.TRUNCATE),
        (rights.IOCTL_SINCE, File.IOCTL_DEV),
    )
    files = rights.FIRST
    for first, right in since:
        if version >= first:
            files |= right
    return files


def _net(bind: Iterable[int] | None, connect: Iterable[int] | None) -> Net:
    return (Net(0) if bind is None else Net.BIND) | (Net(0) if connect is None else Net.CONNECT)


def _paths(handled: File, wishes: Iterable[tuple[Iterable[str], File]]) -> tuple[tuple[str, File], ...]:
    """Each path once: the kernel would add the rights up as well, but every rule costs an open."""
    found: dict[str, File] = {}
    for paths, allowed in wishes:
        for path in paths:
            found[path] = found.get(path, File(0)) | allowed & handled
    return tuple(found.items()) if handled else ()


def _ports(bind: Iterable[int] | None, connect: Iterable[int] | None) -> tuple[tuple[int, Net], ...]:
    found: dict[int, Net] = {}
    for ports, allowed in ((bind, Net.BIND), (connect, Net.CONNECT)):
        for port in ports or ():
            found[port] = found.get(port, Net(0)) | allowed
    return tuple(found.items())


def _missing(version: int, *, tcp: bool, scoped: bool) -> tuple[Missing, ...]:
    if version < 1:
        return (Missing.EVERYTHING,)
    wanted = (
        (rights.REFER_SINCE, Missing.MOVES, True),
        (rights.TRUNCATE_SINCE, Missing.TRUNCATE, True),
        (rights.TCP_SINCE, Missing.TCP, tcp),
        (rights.IOCTL_SINCE, Missing.DEVICES, True),
        (rights.SCOPES_SINCE, Missing.SCOPES, scoped),
    )
    return tuple(words for first, words, asked in wanted if asked and version < first)
