"""The size of a text -> how much work following it may take, shared by everything that is read in it again."""

from __future__ import annotations

_FLOOR = 384
_CHARACTERS = 1 << 13
_CHARACTERS_PER_COMMAND = 64
"""Reading that many takes about as long as walking a command."""


class Budget:
    """What is left. Each command that stands in the text is walked once for nothing; only what comes on top is paid."""

    def __init__(self, size: int) -> None:
        self.repeated = max(_FLOOR, size // 4)
        """Commands that may yet be walked for other values: rounds of loops, calls of functions."""
        self.evaluated = max(_FLOOR, size // 4)
        """Commands that may yet be walked for the first time in text that is evaluated again."""
        self.characters = _CHARACTERS + 4 * size
        """Of text that may yet be evaluated again."""
        self.begun = False
        """Whether the text that it was made for has been walked, so that others stand in that one."""
        self._share = self.repeated

    def spend(self, work: int, *, again: bool) -> bool:
        """Whether so many more commands may be walked, `again` when for other values."""
        if again:
            self.repeated -= work
            return self.repeated > 0
        self.evaluated -= work
        return self.evaluated > 0

    def each(self, rounds: int) -> int:
        """How many commands one round of a loop may have, if it goes round that often."""
        return min(self._share, self.repeated) // max(rounds, 1)

    def begin(self, rounds: int) -> int:
        """Go round a loop -> what to give back at its `end`.

        Loops inside it share what one round of it may take, so that whether they are followed round by round is the
        same in each of its rounds.
        """
        before, self._share = self._share, self.each(rounds)
        return before

    def end(self, before: int) -> None:
        """Behind the loop."""
        self._share = before

    def read(self, size: int, *, again: bool) -> bool:
        """Whether so many characters may be evaluated again."""
        self.characters -= size
        return self.characters >= 0 and self.spend(size // _CHARACTERS_PER_COMMAND, again=again)
