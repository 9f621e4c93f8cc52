"""What comes on the channel, piece by piece -> an answer, or a farewell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.session.words import answer_in, farewell_in

if TYPE_CHECKING:
    from limpet.session.words import Answer

_LONGEST = 4096
"""Of a farewell."""
_MOST = 256 << 20
"""Of a state."""


class Hearing:
    """Listens for the answer to what was said last."""

    def __init__(self, token: str, *, telling: bool = False) -> None:
        """`telling`: the shell was asked to tell more than a status."""
        self._token = token
        self._telling = telling
        self._data = bytearray()
        self.answer: Answer | None = None
        self.farewell: int | None = None
        """The status that it says it ends with."""

    @property
    def told(self) -> bytes:
        """All that was said."""
        return bytes(self._data)

    def __call__(self, data: bytes) -> bool:
        """Take the next piece; True when the shell has answered."""
        before = len(self._data)
        self._data += data
        recent = self._data[max(0, before - _LONGEST) :]
        if self.farewell is None:
            self.farewell = farewell_in(recent)
        self.answer = self.answer or answer_in(recent, self._token)
        self._forget()
        return self.answer is not None

    def _forget(self) -> None:
        """While a command is at work only the end can be of ours; and nothing that is told is endless."""
        most = _MOST if self._telling or self.farewell is not None else _LONGEST
        if len(self._data) > most:
            del self._data[:-_LONGEST]
