"""What a session's terminal was drawn on last: enough to tell what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.protocols import Sink

ENOUGH = 1 << 18
"""Bytes: more than any screen needs to be drawn."""


class Recent:
    """A sink that passes everything on, and keeps the last of it."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._sink: Sink | None = None

    @property
    def data(self) -> bytes:
        """What was kept."""
        return bytes(self._data[-ENOUGH:])

    def on_its_way_to(self, sink: Sink) -> Recent:
        """From now on it is passed on to this one."""
        self._sink = sink
        return self

    def started(self, pid: int) -> None:
        """The process exists."""
        if self._sink is not None:
            self._sink.started(pid)

    def write(self, stream: int, data: bytes) -> None:
        """More was drawn."""
        self._data += data[-ENOUGH:]
        if len(self._data) > 2 * ENOUGH:
            del self._data[:-ENOUGH]
        if self._sink is not None:
            self._sink.write(stream, data)

    def waiting(self, waiting: bool, *, for_ever: bool) -> None:  # noqa: FBT001 - a fact, not an option
        """It waits for input, or does so no longer."""
        if self._sink is not None:
            self._sink.waiting(waiting, for_ever=for_ever)

    def busy(self) -> bool:
        """Whether a reader is behind."""
        return self._sink is not None and self._sink.busy()
