"""A program on a terminal of its own -> the bytes it drew there, and what the screen then shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_ERASED = re.compile(r"[^\n]*\r\x1b\[2K")
PATIENCE = 30.0


class Terminal:
    """Holds the other end. Whatever the program left running there is ended with the block."""

    def __init__(self, argv: list[str], *, cwd: Path, env: dict[str, str], columns: int = 80) -> None:
        self.raw = b""
        self._fd, inner = pty.openpty()
        modes = termios.tcgetattr(inner)
        modes[1] &= ~termios.OPOST  # line ends stay as they were written
        termios.tcsetattr(inner, termios.TCSANOW, modes)
        self.resize(columns)
        # Nothing else makes it the controlling terminal, which Ctrl-C needs.
        enter = lambda: os.login_tty(inner)  # noqa: E731
        self._process = subprocess.Popen(argv, cwd=cwd, env=env, preexec_fn=enter)  # noqa: PLW1509
        os.close(inner)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(PATIENCE)
        os.close(self._fd)

    @property
    def text(self) -> str:
        """Everything drawn so far."""
        return self.raw.decode("utf-8", "replace")

    @property
    def shown(self) -> str:
        """The same without colours, and without what was erased again; a terminal shows at least this."""
        return plain(self.text)

    @property
    def modes(self) -> list[object]:
        """How it is set: echo, line by line, and the like."""
        return list(termios.tcgetattr(self._fd))

    @property
    def pid(self) -> int:
        """Of the program."""
        return self._process.pid

    def resize(self, columns: int, rows: int = 24) -> None:
        """What a person does with the mouse."""
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys: str) -> None:
        """Press keys; `\\x03` is Ctrl-C."""
        os.write(self._fd, keys.encode())

    def until(self, seen: Callable[[str], object]) -> str:
        """Wait until `seen` finds what it wants in everything drawn so far."""
        end = time.monotonic() + PATIENCE
        while not seen(self.text):
            if time.monotonic() > end or not self._read(0.1):
                raise AssertionError(f"it never came; there is {self.text!r}")
        return self.text

    def wait(self) -> int:
        """Its exit status, once it has ended and everything was read."""
        end = time.monotonic() + PATIENCE
        while self._read(0.1):
            if time.monotonic() > end:
                raise AssertionError(f"it does not end; there is {self.text!r}")
        return self._process.wait(PATIENCE)

    def _read(self, seconds: float) -> bool:
        """False at the end."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # nobody has the other end any more
            return False
        self.raw += data
        return bool(data)


def plain(text: str) -> str:
    """Without colours, and without what was erased again."""
    return _ERASED.sub("", _COLOR.sub("", text))
