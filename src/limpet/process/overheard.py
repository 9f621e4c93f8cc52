"""Output that may turn out to be the complaints of a program that could not start the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.protocols import Sink

_ENOUGH = 2000
_STDERR = 2


class Overheard:
    """A sink that passes everything on, and keeps the beginning of what came by stderr."""

    def __init__(self, sink: Sink) -> None:
        self._said = b""
        self.started = sink.started
        self.waiting = sink.waiting
        self.busy = sink.busy
        self._write = sink.write

    def write(self, stream: int, data: bytes) -> None:
        """Pass it on."""
        if stream == _STDERR and len(self._said) < _ENOUGH:
            self._said += data
        self._write(stream, data)

    @property
    def said(self) -> str:
        """On one line."""
        return " ".join(self._said[:_ENOUGH].decode("utf-8", "replace").split())
