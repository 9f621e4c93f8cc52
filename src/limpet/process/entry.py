"""What is sent to a running command -> its standard input or its terminal, without ever waiting for it."""

from __future__ import annotations

import collections
import contextlib
import fcntl
import os
import struct
import termios
import tty
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

_END = b"\x04"
"""What a person types at the end of input, unless the command has chosen another key for that."""


_NO_KEY = b"\0"
_IUTF8 = 0x4000


class Entry:
    """The end that we write to. Takes any amount; what a command does not read is dropped with it."""

    def __init__(self, fd: int, *, terminal: bool) -> None:
        self._file = open(fd, "wb", buffering=0)  # noqa: SIM115 - closed by `close`; by its owner's end at worst
        os.set_blocking(fd, False)
        self._terminal = terminal
        self._pending: collections.deque[memoryview] = collections.deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = False
        self._whole_line = True

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to write."""
        self._loop = loop
        self._write()

    def send(self, data: bytes) -> None:
        """Have it read this."""
        if data and not (self._ending or self._file.closed):
            self._whole_line = data.endswith((b"\n", b"\r", _END))
            self._pending.append(memoryview(data))
            self._write()

    def finish(self) -> None:
        """When all that was sent has been taken, the input ends."""
        if self._ending:
            return
        if self._terminal:  # in the middle of a line, the first one only hands over what was typed
            end = _end_of(self._file.fileno()) if not self._file.closed else _END
            self.send(end if self._whole_line else end * 2)
            return
        self._ending = True
        self._write()

    def resize(self, rows: int, columns: int) -> None:
        """Of a terminal."""
        if self._terminal and not self._file.closed:
            set_size(self._file.fileno(), rows, columns)

    def forget(self) -> None:
        """What was sent and not yet taken is nobody's any more."""
        self._pending.clear()
        self._whole_line = True

    def rest(self) -> None:
        """Stop writing; may be opened again."""
        if self._loop is not None and not self._file.closed:
            self._loop.remove_writer(self._file.fileno())
        self._loop = None

    def close(self) -> None:
        """The command is over."""
        self.rest()
        self._pending.clear()
        self._file.close()

    def _write(self) -> None:
        if self._loop is None or self._file.closed:
            return
        try:
            self._write_some()
        except BlockingIOError:
            self._loop.add_writer(self._file.fileno(), self._write)
            return
        except OSError:  # nobody reads any more
            self._pending.clear()
        self._loop.remove_writer(self._file.fileno())
        if self._ending:
            self.close()

    def _write_some(self) -> None:
        while self._pending:
            written = os.write(self._file.fileno(), self._pending[0])
            rest = self._pending.popleft()[written:]
            if rest:
                self._pending.appendleft(rest)


def set_up(fd: int, rows: int, columns: int, *, raw: bool = False) -> None:
    """A terminal that has just been made: its size, and that a character may take several bytes.

    `raw`: whoever is at its other end passes everything on to another one, so that nothing is for this one to read.
    """
    set_size(fd, rows, columns)
    if raw:
        tty.setraw(fd, termios.TCSANOW)
        return
    modes = termios.tcgetattr(fd)
    modes[0] |= _IUTF8
    termios.tcsetattr(fd, termios.TCSANOW, modes)


def _end_of(fd: int) -> bytes:
    with contextlib.suppress(termios.error):
        key = termios.tcgetattr(fd)[6][termios.VEOF]
        return key if isinstance(key, bytes) and key != _NO_KEY else _END
    return _END


def set_size(fd: int, rows: int, columns: int) -> None:
    """Of the terminal at this descriptor."""
    with contextlib.suppress(OSError):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
