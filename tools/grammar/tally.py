"""How each input fared -> counts for each corpus, and the first few that need a look."""

from __future__ import annotations

import collections
import itertools
from typing import TYPE_CHECKING

from oracle import bash, shfmt
from oracle.comparing import Kind, Outcome, closely_with_bash, with_shfmt
from oracle.smaller import smallest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from work import Found

ENOUGH = 40
"""Differences to make small: it takes a while for each."""
COLUMNS = ("inputs", "accepted", "clear", "opaque", "%", "missed", "unproven", "by shfmt", "different")


class Tally:
    """Counts what was found."""

    def __init__(self) -> None:
        self.counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
        self.reasons: collections.Counter[str] = collections.Counter()
        self.unnamed: collections.Counter[str] = collections.Counter()
        self.different: list[Found] = []
        self.opaque: list[Found] = []
        self.missed: list[Found] = []
        self.unproven: list[Found] = []

    def add(self, found: Found) -> None:
        """Count one."""
        for name in (f"{found.corpus}{'' if found.whole else ', by command'}", "all"):
            self._count(self.counts[name], found)
        if is_different(found):
            self.different.append(found)
        elif found.by_bash.kind is Kind.OPAQUE:
            self.opaque.append(found)
            self.reasons[found.by_bash.detail] += 1
        elif found.by_bash.kind is Kind.MISSED:
            self.missed.append(found)
        elif found.by_bash.kind is Kind.UNPROVEN:
            self.unproven.append(found)
        if found.by_shfmt and found.by_shfmt.detail.startswith("unnamed"):
            self.unnamed[found.by_shfmt.detail.split(": ", 2)[-1]] += 1

    @staticmethod
    def _count(counts: collections.Counter[str], found: Found) -> None:
        kind = found.by_bash.kind
        accepted = kind not in {Kind.REFUSED, Kind.MISSED}
        counts["inputs"] += 1
        counts["accepted"] += accepted
        counts["opaque"] += kind is Kind.OPAQUE
        counts["clear"] += accepted and kind is not Kind.OPAQUE
        counts["missed"] += kind is Kind.MISSED
        counts["unproven"] += kind is Kind.UNPROVEN
        counts["by shfmt"] += found.by_shfmt is not None and found.by_shfmt.kind is Kind.SAME
        counts["different"] += is_different(found)

    def table(self) -> Iterator[str]:
        """The counts, one line for each corpus."""
        yield f"{'':36}" + "".join(f"{one:>10}" for one in COLUMNS)
        for name, counts in sorted(self.counts.items(), key=lambda item: (item[0] == "all", item[0])):
            share = {"%": f"{100 * counts['opaque'] / max(1, counts['accepted']):.2f}"}
            yield f"{name:36}" + "".join(f"{share.get(one, counts[one]):>10}" for one in COLUMNS)

    def _differences(self) -> Iterator[str]:
        shown: set[str] = set()
        for found in sorted(self.different, key=lambda one: len(one.text))[:ENOUGH]:
            small, detail = _smallest(found)
            if small not in shown:
                yield f"different: {small!r} in {found.name}\n  " + detail.replace("\n", "\n  ")
            shown.add(small)

    def notes(self, limit: int) -> Iterator[str]:
        """What needs a look: the first differences, made small, then what was not understood and why."""
        yield from itertools.islice(self._differences(), limit)
        for reason, count in self.reasons.most_common(limit):
            example = min((one for one in self.opaque if one.by_bash.detail == reason), key=lambda one: len(one.text))
            yield f"opaque {count} times: {reason}: {example.text[:120]!r} in {example.name}"
        for found in sorted(self.missed, key=lambda one: len(one.text))[:limit]:
            yield f"missed: {found.text[:120]!r} in {found.name}: {found.by_bash.detail.splitlines()[:1]}"
        for found in sorted(self.unproven, key=lambda one: len(one.text))[:limit]:
            yield f"unproven: {found.text[:120]!r} in {found.name}"
        for complaint, count in self.unnamed.most_common(limit):
            yield f"shfmt refused {count} times, with no name for it: {complaint}"


def is_different(found: Found) -> bool:
    """Whether a witness read something else than we did, and we did not say that we do not know."""
    return Kind.DIFFERENT in {found.by_bash.kind, found.by_shfmt.kind if found.by_shfmt else None}


def _smallest(found: Found) -> tuple[str, str]:
    """A small text that shows it, and what the two readings of it are."""
    judged = _by_bash if found.by_bash.kind is Kind.DIFFERENT else _by_shfmt
    small = smallest(found.text, lambda text: judged(text).kind is Kind.DIFFERENT)
    return small, f"{judged.__name__.strip('_').replace('_', ' ')}: {judged(small).detail}"


def _by_bash(text: str) -> Outcome:
    return closely_with_bash(text, bash.read(text))


def _by_shfmt(text: str) -> Outcome:
    reading = bash.read(text)
    return with_shfmt(text, reading, shfmt.read(text)) if reading.accepted else Outcome(Kind.REFUSED)
