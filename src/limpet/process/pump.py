"""Two pipes -> a sink, as fast as the command prints, in the order it printed as far as two pipes can tell."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import select
import sys
import termios
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from limpet.process.lookout import Lookout
    from limpet.protocols import Sink

_F_SETPIPE_SZ = 1031
_FIRST_READ = 65536
_LARGEST_READ = 1 << 20
_SMALL = 4096
_LARGE = 32768
_SMALL_ON_A_TERMINAL = 512
"""A terminal never hands out more than 4095 bytes at once."""
_MOST_ON_A_TERMINAL = 1 << 17
"""More than any can hold: whoever reads on beyond this reads what is written meanwhile."""
_READS_AT_ONCE = 16
_CHATTY_AFTER = 16
_CHATTY_GAP = 0.005
_CHATTY_PAUSE = 0.001
_BUSY_PAUSE = 0.005


class Pipe:
    """One end of the command's output that we read."""

    __slots__ = (
        "_theirs",
        "heard",
        "large",
        "last",
        "number",
        "open",
        "paused",
        "reader",
        "size",
        "small",
        "terminal",
        "too_small",
    )

    def __init__(self, number: int, fd: int, *, terminal: int | None = None) -> None:
        """`fd` does not block.

        `terminal`: it is one, and this is the command's end, held open: a command may close it and come back.
        """
        self.number = number
        self.terminal = terminal is not None
        self._theirs = terminal
        self.too_small = _SMALL if terminal is None else _SMALL_ON_A_TERMINAL
        self.reader = io.FileIO(fd)  # closed by the pump; by its owner's end at worst
        self.size = _FIRST_READ
        self.large = False
        self.small = 0
        self.last = 0.0
        self.open = True
        self.heard = False
        self.paused = False

    def read(self) -> bytes | None:
        """What is there now; None when nothing is, or nothing ever will be again."""
        try:
            data = os.read(self.reader.fileno(), self.size)
        except BlockingIOError:
            return None
        if not data:
            self.open = False
            return None
        self._learn(len(data))
        return data

    def close(self) -> None:
        """Give it back."""
        self.open = False
        self.reader.close()
        if self._theirs is not None:
            os.close(self._theirs)
            self._theirs = None

    def held(self) -> int:
        """How many bytes are in it now."""
        if self.terminal:  # it tells the truth only to who reads
            return _MOST_ON_A_TERMINAL
        return int.from_bytes(fcntl.ioctl(self.reader.fileno(), termios.FIONREAD, bytes(4)), sys.byteorder)

    def _learn(self, count: int) -> None:
        """A command that fills the pipe gets a larger one; one that dribbles is counted as chatty."""
        if count == self.size and not self.terminal:
            self.size = _LARGEST_READ
            self.enlarge()
        elif count < self.too_small:
            self.size = _FIRST_READ  # for a larger read memory is mapped, each time anew
        now = time.monotonic()
        if now - self.last > _CHATTY_GAP or count >= _LARGE:
            self.small = 0
        elif count < self.too_small:
            self.small += 1
        self.last = now

    def enlarge(self) -> None:
        """Give it as much room as can be had."""
        if self.large:
            return
        self.large = True
        wanted = _LARGEST_READ
        while wanted > _FIRST_READ:  # a user's pipes share an allowance: take what is left of it
            try:
                fcntl.fcntl(self.reader.fileno(), _F_SETPIPE_SZ, wanted)
                return
            except OSError:
                wanted //= 2


class Pump:
    """Reads in an event loop; every step is short, none waits."""

    def __init__(self, pipes: list[Pipe]) -> None:
        self._pipes = {pipe.reader.fileno(): pipe for pipe in pipes}
        self._on_terminal = any(pipe.terminal for pipe in pipes)
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._listening = False
        # Made before anything is printed: it lists the pipes in the order in which there was something in them.
        self._ready = select.epoll()
        for pipe in pipes:
            self._hear(pipe)

    def open(self, loop: asyncio.AbstractEventLoop, lookout: Lookout, sink: Sink) -> None:
        """Where what is read goes."""
        self._loop, self._lookout, self._sink = loop, lookout, sink

    def listen(self) -> None:
        """Begin to read. What a short command prints may as well be drained: nobody has to be woken for it."""
        if self._pipes and not self._listening:
            self._listening = True
            self._lookout.hear(self._ready.fileno(), self._read)

    def close(self) -> None:
        """Stop reading; may be opened again."""
        if self._timers or self._listening:  # else nobody was paused
            for timer in self._timers.values():
                timer.cancel()
            self._timers.clear()
            for pipe in self._pipes.values():
                pipe.paused = False
                self._hear(pipe)
        if self._listening:
            self._listening = False
            self._lookout.ignore(self._ready.fileno())

    def catch_up(self) -> None:
        """Take what is there already, of what may be read now."""
        for pipe in self._pipes.values():
            if pipe.paused:
                self._resume(pipe)
            elif pipe.heard:
                self._take(pipe)

    def drain(self, sink: Sink) -> None:
        """Take what is still in the pipes: nobody is left to write more, and nobody outside is waited for."""
        printed = self._ready.poll(0)
        if not (printed or self._on_terminal):
            return
        ready = [self._pipes[fd] for fd, _ in printed]
        # What is on its way through a terminal is there only for who asks for it.
        ready += [pipe for pipe in self._pipes.values() if pipe.terminal and pipe not in ready]
        for pipe in ready:
            left = pipe.held() if pipe.open else 0
            while left > 0 and (data := pipe.read()) is not None:
                left -= len(data)
                sink.write(pipe.number, data)

    def destroy(self) -> None:
        """Close the pipes."""
        for pipe in self._pipes.values():
            pipe.close()
        self._ready.close()

    def _hear(self, pipe: Pipe) -> None:
        if pipe.open and not pipe.heard:
            pipe.heard = True
            self._ready.register(pipe.reader.fileno(), select.EPOLLIN)

    def _ignore(self, pipe: Pipe) -> None:
        if pipe.heard:
            pipe.heard = False
            self._ready.unregister(pipe.reader.fileno())

    def _read(self) -> None:
        for fd, _ in self._ready.poll(0):
            pipe = self._pipes[fd]
            if pipe.paused:  # since the one before it was read
                continue
            # What a paused pipe holds was written before this.
            for other in self._pipes.values():
                if other.paused:
                    other.small = 0
                    self._resume(other)
            self._take(pipe)

    def _take(self, pipe: Pipe) -> None:
        for _ in range(_READS_AT_ONCE):  # a flood comes faster than the event loop turns
            data = pipe.read()
            if data is None:
                break
            self._sink.write(pipe.number, data)
            if len(data) < pipe.too_small or self._sink.busy():
                break
        if not pipe.open:
            self._ignore(pipe)
        elif self._sink.busy():
            self._hold()
        elif pipe.small >= _CHATTY_AFTER:
            self._pause(pipe, _CHATTY_PAUSE)

    def _hold(self) -> None:
        for pipe in self._pipes.values():
            if pipe.open and not pipe.paused:
                self._pause(pipe, _BUSY_PAUSE)

    def _pause(self, pipe: Pipe, seconds: float) -> None:
        """Let small pieces pile up: one wake-up for many."""
        pipe.paused = True
        self._ignore(pipe)
        self._timers[pipe.number] = self._loop.call_later(seconds, self._resume, pipe)

    def _resume(self, pipe: Pipe) -> None:
        timer = self._timers.pop(pipe.number, None)
        if timer is not None:
            timer.cancel()
        if self._sink.busy():
            self._pause(pipe, _BUSY_PAUSE)
            return
        pipe.paused = False
        self._hear(pipe)
        with contextlib.suppress(OSError):
            self._take(pipe)
