"""What a keeper puts around the commands it keeps: namespaces it enters once, and a house that the commands live in.

The keeper itself lives outside the walls but in their user namespace, whose master it is.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from limpet.kernel import loopback, namespaces, rights
from limpet.kernel.mounts import carry_out
from limpet.kernel.seccomp.install import prepare
from limpet.process.house import House
from limpet.process.ids import enter_user_namespace

if TYPE_CHECKING:
    from limpet.process.wire import Message


class Walls:
    """Made once in the life of a keeper, for commands that are all confined alike."""

    def __init__(self, confinement: Message) -> None:
        self._confinement = confinement
        network: bool = confinement["network"]
        enter_user_namespace(0 if network else namespaces.NETWORK)
        if not network:
            loopback.bring_up()
        self._view = _prepared_view(confinement["view"])
        rights.bound_capabilities()
        self._load_filter = prepare(confinement["seccomp"])
        self._house: House | None = None

    def house(self) -> House:
        """For the next command; a new one where the last one is gone. Raises OSError when it could not be made."""
        if self._house is not None and self._house.ended():
            self.close()
        if self._house is None:
            self._house = House(self._confinement, self._view, self._load_filter)
        return self._house

    def close(self) -> None:
        """End whoever lives behind them."""
        if self._house is not None:
            self._house.end()
            self._house = None


def _prepared_view(steps: tuple[tuple[object, ...], ...]) -> int:
    """A mount namespace that shows what all commands see; each gets a copy of its own."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    done, told = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        os.close(told)
        _hold_view(steps, writing, done)
    os.close(writing)
    os.close(done)
    try:
        with open(reading, "rb") as file:
            failed = file.read(4096)
            if failed != b"ready":
                number, _, why = failed.partition(b" ")
                raise OSError(int(number or errno.ECHILD), f"the view of the sandbox: {os.fsdecode(why)}")
        return os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(told)
        os.waitpid(pid, 0)


def _hold_view(steps: tuple[tuple[object, ...], ...], writing: int, done: int) -> None:
    """In a child: make the view, and be there until it has been taken hold of. Never returns."""
    try:
        namespaces.unshare(namespaces.MOUNT)
        carry_out(steps)
        os.write(writing, b"ready")
        os.close(writing)
        os.read(done, 1)
    except OSError as error:
        os.write(writing, b"%d %b" % (error.errno or errno.EIO, os.fsencode(f"{error.strerror} ({error.filename})")))
    finally:
        os._exit(0)
