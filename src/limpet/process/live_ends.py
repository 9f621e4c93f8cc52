"""What a shell that lives on is given: our ends of it, and the shell in the hands of a keeper."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.kernel import alarms
from limpet.process import wire
from limpet.process.own_terminal import OwnTerminal
from limpet.process.prepared import Prepared, limits_key, open_folder, open_outputs, packed, ready_key

if TYPE_CHECKING:
    from limpet.model.plan import Plan
    from limpet.process.entry import Entry
    from limpet.process.keepers import Keepers
    from limpet.process.pump import Pipe


class Ends:
    """Its channel, the file that holds a command's input, the alarm for its time limit, its terminal if it has one."""

    def __init__(self) -> None:
        self.channel, self.theirs = socket.socketpair()
        self.file = os.memfd_create("limpet-input", os.MFD_CLOEXEC)
        self.alarm = alarms.alarm()
        self.terminal: OwnTerminal | None = None
        self.entry: Entry | None = None

    def close(self) -> None:
        """Let go of them."""
        self.channel.close()
        self.theirs.close()
        if self.file >= 0:
            os.close(self.file)
            os.close(self.alarm)
            self.file = self.alarm = -1
        if self.entry is not None:
            self.entry.close()


def prepare_live(plan: Plan, keepers: Keepers, ends: Ends) -> Prepared:
    """Have a keeper start the plan's shell. That it could not is told by the keeper's first message."""
    theirs: list[int] = []
    pipes: list[Pipe] = []
    held = None
    try:
        cwd, folder = open_folder(plan.cwd)
        theirs.append(cwd)
        outputs = _outputs(plan, pipes, theirs, ends)
        held = keepers.take((limits_key(plan.limits), plan.confinement))
        wire.send_job(held.sock, packed(plan), (cwd, ends.file, *outputs, ends.theirs.fileno(), ends.alarm))
        ends.theirs.close()
        return Prepared(held, ready_key(plan), pipes, None, folder)
    except BaseException as error:
        for pipe in pipes:
            pipe.close()
        if held is not None:
            held.let_go()
        if isinstance(error, OSError):
            raise LaunchError(f"cannot prepare the session: {error}", errno=error.errno) from error
        raise
    finally:
        for fd in theirs:
            os.close(fd)


def _outputs(plan: Plan, pipes: list[Pipe], theirs: list[int], ends: Ends) -> list[int]:
    """Where stdout and stderr go."""
    if plan.terminal is not None:
        entries: list[Entry] = []
        ends.terminal = OwnTerminal(plan.terminal, pipes, entries)
        ends.entry = entries[0]
        return [ends.terminal.theirs] * 2
    writing = open_outputs(plan, pipes, theirs)
    for pipe in pipes:
        pipe.enlarge()  # what runs in the background may print while nobody reads
    return writing
