"""Tables of names and of paths -> whether one of a script could be among them, found without trying each."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from limpet.policy.overlap import ANY_FIRST, LONGEST, RUN, UNSEEN, begins, could_be, fits, is_wild
from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Sequence

_KNOWN = late(r"(?:(?![+@!]\()[^*?\[…])+")
"""What a name surely begins with."""


class Names:
    """Names of files, of which only `*` is a glob, sorted by shape: one look tells whether a name is among them."""

    def __init__(self, *patterns: str) -> None:
        self._all = patterns
        self._exact = frozenset(pattern for pattern in patterns if RUN not in pattern)
        ends = [pattern.partition(RUN) for pattern in patterns if pattern.count(RUN) == 1]
        self._starts = tuple(start for start, _, end in ends if not end)
        self._ends = tuple(end for start, _, end in ends if end and not start)
        self._others = tuple(pattern for pattern in patterns if pattern.strip(RUN).count(RUN) or pattern.count(RUN) > 1)

    def fit(self, name: str) -> bool:
        """Whether all that a name stands for is among them."""
        if name in self._exact or name.startswith(self._starts) or name.endswith(self._ends):
            return True
        return any(fits(name, pattern) for pattern in self._others)

    def could_be(self, name: str) -> bool:
        """Whether a name that a script wrote could be one of them."""
        return any(could_be(name, pattern) for pattern in self._all) if is_wild(name) else self.fit(name)


_Place = tuple[list[str], str]


class Places:
    """Paths, each of them a folder with all that is in it, or a file; with why they matter, if there is more to say."""

    def __init__(self, lines: str) -> None:
        """One path a line; `*` is any run of characters within a name."""
        self.tables: tuple[tuple[str, str], ...] = ((lines, "it matters"),)

    @classmethod
    def of(cls, *tables: tuple[Places, str]) -> Places:
        """Several with why they matter; where more than one holds a path, the first is right."""
        together = cls("")
        together.tables = tuple((lines, why) for places, why in tables for lines, _ in places.tables)
        return together

    @cached_property
    def _all(self) -> list[_Place]:
        """Each with why it matters, found out when it is first needed, like all that follows from it."""
        return [(line.strip().split("/"), why) for lines, why in self.tables for line in lines.strip().splitlines()]

    @cached_property
    def _starred(self) -> list[_Place]:
        return [each for each in self._all if RUN in each[0][0]]

    @cached_property
    def _not_hidden(self) -> list[_Place]:
        return [each for each in self._all if not each[0][0].startswith(".")]

    @cached_property
    def _starts(self) -> tuple[str, ...]:
        """What a name begins with that one of the starred fits."""
        return tuple({place[0].partition(RUN)[0] for place, _ in self._starred})

    @cached_property
    def _by_name(self) -> dict[str, list[_Place]]:
        """For each name that a place begins with, all places that do, in their order."""
        found: dict[str, list[_Place]] = {place[0]: [] for place, _ in self._all if RUN not in place[0]}
        for each in self._all:
            first = each[0][0]
            for name in [name for name in found if fits(name, first)] if RUN in first else (first,):
                found[name].append(each)
        return found

    def why(self, names: list[str], start: int = 0) -> str:
        """Why a path, given name by name, matters from one of its names on; empty when no place could hold it."""
        if start >= len(names) or names[start] == UNSEEN:
            return ""  # nothing speaks for it
        for place, why in self._candidates(names[start]):
            if len(names) - start >= len(place) and begins(names, place, start):
                return why
        return ""

    def could_hold(self, names: list[str]) -> bool:
        """Whether a path, given name by name, could be one of the places, or be in one."""
        return self.why(names) != ""

    def _candidates(self, name: str) -> Sequence[_Place]:
        found = self._by_name.get(name)
        if found is not None:
            return found
        if not is_wild(name):
            return self._starred if name.startswith(self._starts) else ()
        if name[0] in ANY_FIRST:
            return self._not_hidden
        known = _KNOWN.match(name)
        start = known[0] if known is not None and len(name) <= LONGEST else ""
        return [each for each in self._all if _agree(start, each[0][0].partition(RUN)[0])] if start else self._all


def _agree(start: str, other: str) -> bool:
    return start.startswith(other) or other.startswith(start)
