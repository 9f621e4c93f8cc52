"""A shell for a command to come -> started by a keeper, and taken in when it is there."""

from __future__ import annotations

import contextlib
import os
import socket
from typing import TYPE_CHECKING

from limpet.process import wire
from limpet.process.prepared import Prepared, limits_key, open_folder, packed
from limpet.process.pump import Pipe

if TYPE_CHECKING:
    from limpet.model.plan import Plan
    from limpet.process.keepers import Held, Keepers
    from limpet.process.prepared import Folder, ReadyKey

_ENDS = 3  # where the command is written to, and where its output is read from


class Expected:
    """A shell that a keeper was told to start: its ends come with the keeper's next message."""

    def __init__(self, held: Held, key: ReadyKey, folder: Folder) -> None:
        self.held = held
        self.key = key
        self._folder = folder
        self._shell: Prepared | None = None

    def hurry(self) -> None:
        """Somebody waits for it."""
        with contextlib.suppress(OSError):
            wire.send(self.held.sock, {"hurry": True})

    def arrived(self, plan: Plan) -> Prepared | None:
        """The shell, if it is there by now. Raises OSError when it never will be, or does not fit any more."""
        now = os.stat(plan.cwd)
        if (now.st_dev, now.st_ino) != self._folder:
            raise FileNotFoundError(plan.cwd)  # another folder stands where this shell's was
        if self._shell is None:
            self.fetch()
        return self._shell

    def fetch(self) -> None:
        """Take its ends, if they are there by now. Raises OSError when they never will be."""
        if self._shell is not None:
            return
        try:
            received = wire.receive(self.held.sock)
        except BlockingIOError:
            return
        if received is None or len(received[1]) != _ENDS:
            for fd in received[1] if received else ():  # some may have come where not all could
                os.close(fd)
            raise ConnectionError("the shell could not be started")
        script, out, err = received[1]
        # Asked for its kind, Python would ask the kernel.
        ours = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, script)
        pipes = [Pipe(1, out), Pipe(2, err)]
        try:
            self._shell = Prepared(self.held, self.key, pipes, ours, self._folder)
        except OSError:  # no descriptor left
            ours.close()
            for pipe in pipes:
                pipe.close()
            raise

    def let_go(self) -> None:
        """It is not needed: its keeper ends it."""
        self.close()
        self.held.let_go()

    def close(self) -> None:
        """Let go of its ends alone."""
        if self._shell is not None:
            self._shell.close()


def ahead(plan: Plan, key: ReadyKey, keepers: Keepers) -> Expected:
    """Have a keeper start a shell for commands to come."""
    cwd, folder = open_folder(plan.cwd)
    try:
        held = keepers.take((limits_key(plan.limits), plan.confinement))
        try:
            wire.send_job(held.sock, packed(plan), (cwd,))
        except BaseException:
            held.let_go()
            raise
    finally:
        os.close(cwd)
    return Expected(held, key, folder)
