"""Listeners outside, each seen to have heard nothing."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attack.escapes.deed import Victim, deeds
from attack.escapes.stage import secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attack.escapes.stage import Scene


class Listener:
    """A socket or a pipe, and what was said to it."""

    def __init__(self, fd: Any, address: object, *, accepts: bool) -> None:
        self.fd = fd
        self.address = address
        self._accepts = accepts

    def heard(self) -> bytes:
        """Without waiting: whoever spoke has spoken by now."""
        if not select.select([self.fd], [], [], 0)[0]:
            return b""
        if not self._accepts:
            return os.read(self.fd if isinstance(self.fd, int) else self.fd.fileno(), 4096)
        connection, _ = self.fd.accept()
        with connection:
            connection.settimeout(1)
            return bytes(connection.recv(4096))

    def close(self) -> None:
        os.close(self.fd) if isinstance(self.fd, int) else self.fd.close()


class Listeners:
    """One for each deed."""

    def __init__(self, listeners: dict[str, Listener]) -> None:
        self._listeners = listeners
        self._words = {name: secret() for name in listeners}
        self.told: dict[str, Victim] = {
            name: {"address": one.address, "word": self._words[name]} for name, one in listeners.items()
        }

    def fell(self, name: str, loot: bytes | None) -> bool:
        """Even a connection that said nothing would have been one."""
        return self._words[name].encode() in self._listeners[name].heard()


def listen(name: str, scene: Scene, folders: dict[str, Path]) -> Listener:
    if name.startswith("pipe"):
        path = _path(name, scene, folders)
        os.mkfifo(path)
        scene.own(path)
        return Listener(os.open(path, os.O_RDWR | os.O_NONBLOCK), str(path), accepts=False)
    if name.startswith("unix"):
        return _listen_unix(name, scene, folders)
    family = socket.AF_INET6 if name.endswith("ipv6") else socket.AF_INET
    kind = socket.SOCK_STREAM if name.startswith("tcp") else socket.SOCK_DGRAM
    sock = socket.socket(family, kind)
    sock.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
    return _listening(sock, sock.getsockname()[:2])


def _listen_unix(name: str, scene: Scene, folders: dict[str, Path]) -> Listener:
    kinds = {"datagram": socket.SOCK_DGRAM, "sequence": socket.SOCK_SEQPACKET}
    sock = socket.socket(socket.AF_UNIX, kinds.get(name.split("_")[1], socket.SOCK_STREAM))
    if name.endswith("without_a_path"):
        address = f"limpet-{secret()}"
        sock.bind("\0" + address)
        return _listening(sock, address)
    path = _path(name, scene, folders)
    sock.bind(str(path))
    scene.own(path)
    return _listening(sock, str(path))


def _listening(sock: socket.socket, address: object) -> Listener:
    if sock.type != socket.SOCK_DGRAM:
        sock.listen(5)
    return Listener(sock, address, accepts=sock.type != socket.SOCK_DGRAM)


def _path(name: str, scene: Scene, folders: dict[str, Path]) -> Path:
    """In the place that the deed is named after."""
    found = next((folder for word, folder in folders.items() if name.endswith(word)), scene.outside)
    return found / name[:40]


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Listeners]:
    here = {"run": "/run", "tmp": "/tmp"}
    usable = {word: base if os.access(base, os.W_OK) else str(scene.place) for word, base in here.items()}
    folders = {f"_in_{word}": Path(base, f"{scene.place.name}-{word}") for word, base in usable.items()}
    folders |= {"_home": scene.home / "s", "_workspace": scene.workspace.parent}
    with contextlib.ExitStack() as stack:
        for folder in folders.values():
            scene.folder(folder)
            if scene.place not in folder.parents:
                stack.callback(shutil.rmtree, folder)
        listeners = {one.name: listen(one.name, scene, folders) for one in deeds("sockets")}
        for one in listeners.values():
            stack.callback(one.close)
        yield Listeners(listeners)
