"""A person's own terminal, lent to a command: keys go there, and what it draws comes back as far as it only draws."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import termios
import tty
from typing import TYPE_CHECKING, Any

from limpet.render.live import Guard
from limpet.surfaces.cli.options import screen_size
from limpet.surfaces.cli.writing import write

if TYPE_CHECKING:
    from collections.abc import Callable

LEAVE = b"\x1d"
LEAVE_NAME = "ctrl-]"
_IN, _OUT = 0, 1
_AT_ONCE = 65536
_REPORTS = ("\x1b[?100", "\x1b[?1015")
"""Modes in which a terminal types by itself: what it has typed since is for nobody."""


def at_the_terminal() -> bool:
    """Whether a person is there whose keys are ours to read: not in the background of their shell."""
    try:
        return os.isatty(_IN) and os.isatty(_OUT) and os.tcgetpgrp(_IN) == os.getpgrp()
    except OSError:
        return False


class Seat:
    """Taken when the command begins, given back however that ends; the terminal is then as it was."""

    def __init__(
        self,
        keys: Callable[[bytes], None],
        resized: Callable[[int, int], None] | None,
        left: Callable[[], None],
        given_up: Callable[[], bool],
    ) -> None:
        """`resized`: None where the command keeps its size. `left`: the person wants to go.

        `given_up`: nobody waits for what is still to be drawn.
        """
        self._keys, self._resized, self._left, self._given_up = keys, resized, left, given_up
        self._guard = Guard()
        self._before: Any = None
        self._loop = asyncio.get_running_loop()
        self.lines = 0
        """Line ends that were drawn."""
        self.torn = False
        """Whether the cursor is likely to be in the middle of a line."""

    def take(self) -> None:
        """From now on every key goes to the command."""
        if self._before is None:
            self._before = termios.tcgetattr(_IN)
            self._raw()
            self._loop.add_reader(_IN, self._typed)
            self._loop.add_signal_handler(signal.SIGWINCH, self._measured)
            self._loop.add_signal_handler(signal.SIGCONT, self._raw)
            self._measured()  # it may have changed since the command was given one

    async def draw(self, text: str) -> None:
        """Show what the command drew, without blocking the event loop."""
        shown = self._guard.feed(text)
        if shown:
            self.lines += shown.count("\n")
            self.torn = not shown.endswith("\n")
            await asyncio.to_thread(write, _OUT, shown.encode("utf-8", "replace"), self._given_up)

    def give_back(self) -> None:
        """The terminal as it was; does nothing where it is already."""
        undo = self._guard.leave()
        if undo:
            with contextlib.suppress(OSError):  # it is gone, with all its modes
                write(_OUT, undo.encode(), self._given_up)
        if self._before is None:
            return
        before, self._before = self._before, None
        self._loop.remove_reader(_IN)
        for number in (signal.SIGWINCH, signal.SIGCONT):
            self._loop.remove_signal_handler(number)
        how = termios.TCSAFLUSH if any(mode in undo for mode in _REPORTS) else termios.TCSADRAIN
        with contextlib.suppress(termios.error):
            termios.tcsetattr(_IN, how, before)

    def _raw(self) -> None:
        with contextlib.suppress(termios.error):
            tty.setraw(_IN, termios.TCSADRAIN)

    def _measured(self) -> None:
        if self._resized is not None:
            size = screen_size()
            self._resized(size.rows, size.columns)

    def _typed(self) -> None:
        try:
            data = os.read(_IN, _AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        before, leave, _ = data.partition(LEAVE)
        if before:
            self._keys(before)
        if leave or not data:
            self._loop.remove_reader(_IN)
            self._left()
