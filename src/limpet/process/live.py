"""A plan -> a shell that goes on living: one long job of a keeper, with a channel to talk to it."""

from __future__ import annotations

import array
import asyncio
import contextlib
import fcntl
import os
import socket
import termios
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import LaunchError
from limpet.kernel import alarms
from limpet.kernel.umask import umask
from limpet.process import tree, wire
from limpet.process.endings import ended
from limpet.process.launch import SHORT, PipeRun
from limpet.process.live_ends import Ends, prepare_live

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.ended import Ended
    from limpet.model.plan import Plan
    from limpet.process.keepers import Keepers
    from limpet.process.lookout import Lookout
    from limpet.process.prepared import Prepared
    from limpet.process.ready import ReadyShells
    from limpet.protocols import Sink

_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE = 30.0
_CHUNK = 1 << 16  # below the size for which memory is mapped anew each time
_WATCH_AFTER = 0.1
"""Seconds: who takes longer than this may wait for input."""


class LiveStarter:
    """Starts live shells through the keepers of this process."""

    def __init__(self, keepers: Keepers, ready: ReadyShells) -> None:
        self._keepers = keepers
        self._ready = ready

    async def start(self, plan: Plan) -> LiveShell:
        """A shell that reads its script from the channel. Raises LaunchError."""
        if not self._keepers.started:
            self._keepers.start()
        plan = msgspec.structs.replace(plan, timeout=None, announce=True, umask=umask())
        ends = Ends()
        try:
            shell = prepare_live(plan, self._keepers, ends)
            live = LiveShell(self._keepers, self._ready, shell, plan, ends)
        except BaseException:
            ends.close()
            raise
        shell.start(plan, again=False)
        shell.entry = ends.entry
        try:
            await asyncio.wait_for(live.begin(), _PATIENCE)
        except BaseException:
            live.close()
            raise
        return live


class LiveShell(PipeRun):
    """A shell in the hands of a keeper, until it ends by itself or is ended."""

    def __init__(self, keepers: Keepers, ready: ReadyShells, shell: Prepared, plan: Plan, ends: Ends) -> None:
        super().__init__(keepers, ready, shell, plan, None)
        self._reading: asyncio.TimerHandle | None = None
        self._ends = ends
        self._watched = False
        ends.channel.settimeout(0)
        self._silent = False
        self._since, self._used = time.monotonic(), (0.0, 0.0)
        self._below, self._stat = 0, -1
        self.pid = 0
        """Of the shell itself."""

    @property
    def over(self) -> bool:
        """Whether it is known to have ended."""
        return self._over is not None

    async def begin(self) -> None:
        """Wait until the keeper has started it. Raises LaunchError."""
        seen = _Seen(self.enough)
        await self.listen(seen, lambda _: False)
        if self._over is not None:
            self._raise_if_failed()
            raise LaunchError("the session's shell ended as soon as it was started")
        self._below = seen.pid

    def find(self) -> None:
        """It has answered, so it is there: see which process it is."""
        self.pid = _shell_below(self._below)
        with contextlib.suppress(OSError):
            self._stat = os.open(f"/proc/{self.pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        if self._ends.terminal is not None:
            self._ends.terminal.belongs_to_the_shell()

    def expect(self, deadline: float | None) -> None:
        """A command is to come: it finds the terminal, where there is one, as it was. Raises OSError.

        The time limit is the keeper's to keep, whatever this process does at that moment.
        """
        if self._ends.terminal is not None:
            self._ends.terminal.renew()
        alarms.ring_at(self._ends.alarm, deadline)

    def _watch(self, *, wanted: bool = True) -> None:
        """Whether somebody wants to hear that a command waits for input at the terminal."""
        if wanted == self._watched:
            return
        self._watched = wanted
        self._answers += 1  # what the keeper has seen before this is not told any more
        self._waits = False
        with contextlib.suppress(OSError):
            wire.send(self._held.sock, {"watch": self._answers} if wanted else {"unwatch": True})

    def say(self, text: bytes, *, file: bytes | None = None) -> None:
        """Hand it lines to read; `file` becomes what its anonymous file holds. Raises OSError when it is gone."""
        if file is not None:
            os.ftruncate(self._ends.file, 0)
            view, at = memoryview(file), 0
            while at < len(view):
                at += os.pwrite(self._ends.file, view[at:], at)
        self._since = time.monotonic()
        self._ends.channel.sendall(text)

    def unread(self) -> int:
        """How many bytes of what was said have not been read yet."""
        count = array.array("i", [0])
        fcntl.ioctl(self._ends.channel.fileno(), termios.TIOCOUTQ, count)
        return count[0]

    async def listen(self, sink: Sink, heard: Callable[[bytes], bool], look: Callable[[], None] | None = None) -> None:
        """Pass output on until `heard` is content with what the shell has said, or the shell is over.

        `look` is called every half a second meanwhile.
        """
        if not self.over:
            await self._listen(sink, heard, look)
        if self.over and not self._silent:
            self._hear_the_rest(heard)

    def _attend(self, loop: asyncio.AbstractEventLoop) -> None:
        super()._attend(loop)
        self._reading = loop.call_later(SHORT, self._pump.listen)  # the keeper does not know where a command begins

    def _leave(self) -> None:
        super()._leave()
        if self._reading is not None:
            self._reading.cancel()

    async def _listen(self, sink: Sink, heard: Callable[[bytes], bool], look: Callable[[], None] | None) -> None:
        loop = asyncio.get_running_loop()
        lookout = self._keepers.lookouts.of(loop)
        self._sink = sink
        channel = self._ends.channel.fileno()
        if not self._silent:
            lookout.hear(channel, self._hear_channel, lookout, heard)
        if look is not None:
            lookout.visit(loop, look)
        watching = loop.call_later(_WATCH_AFTER, self._watch) if self._ends.terminal is not None else None
        try:
            await self._pump_until_over(sink)
        finally:
            if not self._silent:
                lookout.ignore(channel)
            if look is not None:
                lookout.leave(look)
            if watching is not None:
                watching.cancel()
                self._watch(wanted=False)

    def _hear_the_rest(self, heard: Callable[[bytes], bool]) -> None:
        """What it said before it ended."""
        with contextlib.suppress(OSError):
            while data := self._ends.channel.recv(_CHUNK):
                heard(data)
        self._silent = True

    def _hear_channel(self, lookout: Lookout, heard: Callable[[bytes], bool]) -> None:
        try:
            data = self._ends.channel.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # whoever held the other end has closed it: the keeper will tell what became of them
            self._silent = True
            lookout.ignore(self._ends.channel.fileno())
            heard(b"")
            return
        if heard(data):
            self.enough()

    def enough(self) -> None:
        """End `listen`."""
        if self._done is not None and not self._done.done():
            self._done.set_result(None)

    @property
    def deaf(self) -> bool:
        """Whether nobody is at the other end of the channel any more."""
        return self._silent

    def drain(self, sink: Sink) -> None:
        """Pass on what is in the pipes."""
        self._pump.drain(sink)

    def answered(self, status: int) -> Ended:
        """How a command ended that left the shell alive."""
        if self._ends.alarm >= 0:
            alarms.ring_at(self._ends.alarm, None)
        now, before = self._spent(), self._used
        self._used = now
        user, system = now[0] - before[0], now[1] - before[1]
        wall = time.monotonic() - self._since
        over = {"ended": "itself", "status": status << 8, "user": user, "system": system, "wall": wall}
        return ended({**over, "enforced": self._enforced}, self._plan.limits)

    def ended(self) -> Ended:
        """How the shell itself ended."""
        assert self._over is not None
        self._raise_if_failed()
        return ended({**self._over, "wall": time.monotonic() - self._since}, self._plan.limits)

    def cwd(self) -> str | None:
        """The folder that the shell is in, as the kernel knows it; None when that cannot be told."""
        try:
            path = os.readlink(f"/proc/{self.pid}/cwd")
            if not path.endswith(" (deleted)") or os.stat(f"/proc/{self.pid}/cwd").st_nlink:
                return path
        except OSError:
            pass
        return None

    def background(self) -> list[str]:
        """What it has started that goes on by itself: all but the keeper's own children."""
        keeper = self._held.pid
        others = [proc for proc in tree.descendants(keeper) if proc.parent != keeper and not proc.dead]
        return [str(proc) for proc in others if proc.pid != self.pid]

    def hang_up(self) -> None:
        """Nothing more will be said: it ends when it has done what it does now."""
        with contextlib.suppress(OSError):
            self._ends.channel.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Let go of it; where it is not over, it is killed."""
        super().close()
        self._ends.close()
        if self._stat >= 0:
            os.close(self._stat)
            self._stat = -1

    def _spent(self) -> tuple[float, float]:
        """Seconds of computing of the shell and of all that it has waited for."""
        try:
            fields = os.pread(self._stat, 1024, 0).rpartition(b")")[2].split()
        except OSError:  # it is gone, or cannot be looked at
            return self._used
        return (int(fields[11]) + int(fields[13])) / _TICKS, (int(fields[12]) + int(fields[14])) / _TICKS


class _Seen:
    """Takes note of the process id; what a shell prints while it starts is nobody's."""

    def __init__(self, seen: Callable[[], None]) -> None:
        self.pid = 0
        self._seen = seen

    def started(self, pid: int) -> None:
        self.pid = pid
        self._seen()

    def write(self, stream: int, data: bytes) -> None:
        """Nothing to be done with it."""

    def waiting(self, waiting: bool, *, for_ever: bool) -> None:  # noqa: FBT001 - a fact, not an option
        """It waits for what it will be told."""

    def busy(self) -> bool:
        return False


def _shell_below(pid: int) -> int:
    """The shell: the process itself, or, where walls have a first process, the last in a line of only children."""
    while len(below := [each for each in tree.descendants(pid) if each.parent == pid and not each.dead]) == 1:
        pid = below[0].pid
    return pid
