"""A change of a text at one place, which can be taken back even when the text around it has changed since."""

from __future__ import annotations

import msgspec


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """`old` at `place` becomes `new`."""

    place: int
    old: str
    new: str

    def applied(self, text: str) -> str:
        """The text with the change."""
        assert text.startswith(self.old, self.place)
        return text[: self.place] + self.new + text[self.place + len(self.old) :]

    def taken_back(self, text: str) -> str | None:
        """The text without it; None when it is not there as it was put there, or more than once."""
        if text.count(self.new) != 1:
            return None
        return text.replace(self.new, self.old)
