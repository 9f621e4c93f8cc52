"""Messages between client, server and keeper: one packet each, descriptors beside it.

Both ends run the same interpreter, so `marshal` serves: it knows bytes, needs no import and is quick. A packet has a
size limit and a command may be megabytes long, so a long job travels in an anonymous file.
"""

from __future__ import annotations

import array
import marshal
import os
import socket
from typing import Any, NamedTuple

Message = dict[str, Any]

LINGER = 60.0
"""Seconds that a keeper waits which may not be needed any more. A client uses it for half of that: they never cross."""
_FLAGS = socket.MSG_CMSG_CLOEXEC
_ROOM_FOR_FDS = socket.CMSG_SPACE(8 * array.array("i").itemsize)
_PACKET = 65536
_WITHOUT_REFERENCES = 2
"""The format of `marshal` that does not look for what is in a message twice."""


class Go(NamedTuple):
    """What a keeper is told when its shell has a command. Travels as a plain tuple."""

    began: float
    timeout: float | None
    grace: float
    drain: float
    kill_wait: float
    announce: bool
    """Somebody wants to know when it has started."""
    long: float | None
    """Seconds after which somebody wants to know that it still runs."""
    watch: bool
    """Somebody wants to know when it waits for input."""
    again: bool
    """Start another shell like this one when it is over."""
    linger: float | None
    """How long that one waits; None: as long as there is a client."""
    rest: float
    """How long after the answer it is started, where nobody is in a hurry."""


def send(sock: socket.socket, message: Message, fds: tuple[int, ...] = ()) -> None:
    """Send a small message with descriptors."""
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    sock.sendmsg([marshal.dumps(message, _WITHOUT_REFERENCES)], ancillary)


def receive(sock: socket.socket) -> tuple[Message, list[int]] | None:
    """The next message and its descriptors; None when the other end is gone."""
    try:
        data, ancillary, _, _ = sock.recvmsg(_PACKET, _ROOM_FOR_FDS, _FLAGS)
    except ConnectionError:
        return None
    if not data:
        return None
    message: Message = marshal.loads(data)  # noqa: S302 - both ends are limpet's own processes
    return message, _descriptors(ancillary) if ancillary else []


def _descriptors(ancillary: list[tuple[int, int, bytes]]) -> list[int]:
    fds = array.array("i")
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(payload[: len(payload) - len(payload) % fds.itemsize])
    return list(fds)


def anonymous_file(name: str, data: bytes) -> int:
    """A descriptor that reads `data` from its beginning."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        os.lseek(fd, 0, os.SEEK_SET)
    except BaseException:
        os.close(fd)
        raise
    return fd


def packed_job(job: Message) -> bytes:
    """A job, ready to be sent any number of times."""
    return marshal.dumps({"job": job})


def send_job(sock: socket.socket, packed: bytes, fds: tuple[int, ...]) -> None:
    """Send a job: in the packet if it fits, else in an anonymous file whose descriptor comes first."""
    if len(packed) <= _PACKET:
        sock.sendmsg([packed], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else [])
        return
    file = anonymous_file("limpet-job", packed)
    try:
        send(sock, {"job": None}, (file, *fds))
    finally:
        os.close(file)


def job_of(message: Message, fds: list[int]) -> Message:
    """The job in a message; a file that held it is taken from the descriptors and closed."""
    job: Message | None = message["job"]
    if job is None:
        with open(fds.pop(0), "rb") as file:
            job = marshal.loads(file.read())["job"]  # noqa: S302 - written by limpet itself
    return job or {}
