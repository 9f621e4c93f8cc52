"""What comes on the channel, piece by piece -> an answer, or a farewell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.session.words import answer_in, farewell_in

if TYPE_CHECKING:
    from limpet.protocols import LiveShell
    from limpet.session.words import Answer

_LONGEST = 4096
"""Of a farewell."""


class Hearing:
    """Listens for the answer to what was said last."""

    def __init__(self, live: LiveShell) -> None:
        self._live = live
        self._data = bytearray()
        self.answer: Answer | None = None
        self.farewell: int | None = None
        """The status that it says it ends with."""

    @property
    def told(self) -> bytes:
        """All that was said."""
        return bytes(self._data)

    def __call__(self, data: bytes) -> bool:
        """Take the next piece; True when the shell has answered.

        An answer counts only when the shell has read all it was told to: until then a command is at work, and what it
        may have written to the channel is its own.
        """
        before = len(self._data)
        self._data += data
        if self.farewell is None:
            self.farewell = farewell_in(self._data[max(0, before - _LONGEST) :])
        if self.farewell is None and self._data.endswith(b"\n") and not self._live.unread():
            self.answer = answer_in(self._last_line())
        return self.answer is not None

    def _last_line(self) -> bytes:
        end = len(self._data) - 1
        return bytes(self._data[self._data.rfind(b"\n", 0, end) + 1 :])
