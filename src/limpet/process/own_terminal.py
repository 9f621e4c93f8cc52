"""The terminal of a shell that lives on: what one command leaves of it, the next does not find."""

from __future__ import annotations

import contextlib
import os
import termios
from typing import TYPE_CHECKING

from limpet.process.prepared import open_terminal

if TYPE_CHECKING:
    from limpet.model.terminal import Terminal
    from limpet.process.entry import Entry
    from limpet.process.pump import Pipe


class OwnTerminal:
    """One terminal for many commands. Its ends belong to the pipe and the entry that are made with it."""

    def __init__(self, size: Terminal, pipes: list[Pipe], entries: list[Entry]) -> None:
        self.theirs = open_terminal(size, pipes, entries)
        """Where the shell writes to."""
        self._pipe, self._entry = pipes[0], entries[0]
        self._modes = termios.tcgetattr(self.theirs)
        self._front = 0

    def belongs_to_the_shell(self) -> None:
        """Nothing but the shell uses it now: take note of who that is."""
        self._front = os.tcgetpgrp(self._pipe.reader.fileno())

    def renew(self) -> None:
        """Before a command: set as it was at first, and nothing left to read of what was typed for another.

        Raises OSError when the shell has lost it to somebody who did not give it back.
        """
        if self._pipe.reader.closed:
            return
        if os.tcgetpgrp(self._pipe.reader.fileno()) != self._front:
            raise BrokenPipeError("the shell is not in front of its terminal any more")
        self._entry.forget()
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self.theirs, termios.TCSANOW, self._modes)
            for how in (termios.TCOOFF, termios.TCOON):  # a key may hold up output: only who did so by a call may go on
                termios.tcflow(self.theirs, how)
            termios.tcflush(self.theirs, termios.TCIFLUSH)
