"""A keeper's eye on its command's input: who waits for it, and whether anybody wants to hear of that."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from limpet.process import tree
from limpet.process.run import NEVER

if TYPE_CHECKING:
    from limpet.process.waiting import InputWatch
    from limpet.process.wire import Message


class Heed:
    """Of one command at a time."""

    def __init__(self) -> None:
        self._source: int | None = None
        self._watch: InputWatch | None = None

    def hold(self, fd: int | None) -> None:
        """Keep a descriptor of the input for as long as somebody may want to hear that it is waited for."""
        if self._source is not None:
            os.close(self._source)
        self._source = None if fd is None else os.dup(fd)

    def begin(self, ours: frozenset[int], answers: int = 0) -> None:
        """Somebody wants to hear; `ours` are limpet's own processes, `answers` how often it was answered so far."""
        from limpet.process.waiting import InputWatch  # noqa: PLC0415 - few commands have somebody who could answer

        self.end()
        if self._source is not None:
            self._watch = InputWatch(os.dup(self._source), ours)
            self._watch.answered(answers)

    def end(self) -> None:
        """Nobody does any more."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def answered(self, count: int) -> None:
        """Something was sent."""
        if self._watch is not None:
            self._watch.answered(count)

    def news(self) -> Message | None:
        """That it has begun or ceased to wait, where it is time to look and that is so."""
        return None if self._watch is None else self._watch.changed(time.monotonic())

    @property
    def next_look(self) -> float:
        """When to ask again."""
        return NEVER if self._watch is None else self._watch.next_look


class Limit:
    """The time limit of each command of a shell that lives on: an alarm that the client sets."""

    def __init__(self, channel: int, alarm: int) -> None:
        status = os.fstat(channel)
        self._channel = status.st_dev, status.st_ino
        self._file = open(os.dup(alarm), "rb", buffering=0)  # noqa: SIM115 - closed by its owner's end
        self.alarm = self._file.fileno()

    def broken(self) -> bool:
        """It rings: whether that is true. A client that was stopped may not have heard of the command's end."""
        with contextlib.suppress(BlockingIOError):
            return bool(os.read(self.alarm, 8)) and not _is_idle(self._channel)
        return False


def _is_idle(channel: tuple[int, int]) -> bool:
    """Whether a shell that lives on waits for what it will be told next: its command is over."""
    from limpet.process.blocked import blocked  # noqa: PLC0415 - for a time limit that nobody else has kept

    for proc in tree.descendants(os.getpid()):
        with contextlib.suppress(OSError, ValueError, IndexError):
            found = blocked(proc.pid, str(proc.pid))
            for fd in found.fds if found is not None else ():
                status = os.stat(f"/proc/{proc.pid}/fd/{fd}")
                if (status.st_dev, status.st_ino) == channel:
                    return True
    return False
