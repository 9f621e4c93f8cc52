"""What a keeper puts around the commands it keeps: namespaces it enters once, and a first process for each command.

The keeper itself lives outside the walls but in their user namespace, whose master it is. A command's first process
is its child, so the kernel reports the end of everything behind the walls as the end of that one process.
"""

from __future__ import annotations

import errno
import marshal
import os
import select
from typing import TYPE_CHECKING

from limpet.kernel import loopback, namespaces, rights
from limpet.kernel.mounts import carry_out
from limpet.kernel.seccomp.install import prepare
from limpet.process.first import FAILED, Behind, be_first
from limpet.process.ids import enter_user_namespace

if TYPE_CHECKING:
    from limpet.process.wire import Message

_PATIENCE = 30.0
_FRESH = namespaces.PID | namespaces.IPC | namespaces.UTS | namespaces.CGROUP


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

    def start(
        self,
        job: Message,
        actions: list[tuple[int, int, int]],
        bind: dict[str, tuple[int, int, int]],
        client: int = -1,
    ) -> Behind:
        """Start the job's shell behind walls of its own. Raises OSError when it could not be.

        `client`: a pipe on which the client is told of the end at once.
        """
        reading, writing = os.pipe2(os.O_CLOEXEC)
        lifeline, ours = os.pipe2(os.O_CLOEXEC)
        try:
            pid = namespaces.fork_into(_FRESH)
            if pid == 0:
                walls = (self._confinement, self._view, self._load_filter)
                be_first(job, walls, actions, bind, (writing, lifeline, client))
        except BaseException:
            for fd in (reading, writing, lifeline, ours):
                os.close(fd)
            raise
        os.close(writing)
        os.close(lifeline)
        behind = Behind(pid, reading, ours)
        try:
            _await_start(behind)
        except BaseException:
            behind.end()
            raise
        return behind


def _await_start(behind: Behind) -> None:
    """Its first word: that the shell was started, or why not."""
    poll = select.poll()
    poll.register(behind.report, select.POLLIN)
    if not poll.poll(_PATIENCE * 1000):
        raise TimeoutError(errno.ETIMEDOUT, "the sandbox was not ready in time")
    said = os.read(behind.report, 1)
    if not said:
        raise OSError(errno.ECHILD, "the first process of the sandbox was ended")
    if said == FAILED:
        number, why = marshal.loads(os.read(behind.report, 4096))  # noqa: S302 - by nothing but limpet's own code
        raise OSError(number, f"the sandbox could not be set up: {why}")
    os.set_blocking(behind.report, False)


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
