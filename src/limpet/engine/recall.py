"""A command that was judged before -> the same decision, as long as everything is as it was that it depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from limpet.model.session import ShellFacts
from limpet.policy.decide import decide
from limpet.policy.places import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.decision import Decision
    from limpet.policy.rules import Rules

_MOST = 256
_LONGEST = 4096
"""Characters of a command worth remembering: who sends more than that sends something else each time."""
_MOST_PATHS = 16


class Asked(msgspec.Struct, frozen=True):
    """All that a decision depends on, but for the rules and where links lead."""

    text: str
    workspace: str
    home: str
    cwd: str
    profile: str
    containment: str
    facts: ShellFacts | None = None
    """Of a shell that is not a fresh one."""


class _Kept(NamedTuple):
    rules: Rules
    led: dict[str, str]
    """Paths that were looked at, and where they led."""
    decision: Decision


class Recall:
    """Decisions, the latest few."""

    def __init__(self, follow: Callable[[str], str]) -> None:
        """`follow` tells where the links of a path lead."""
        self._follow = follow
        self._kept: dict[Asked, _Kept] = {}

    def decide(self, asked: Asked, rules: Rules) -> Decision:
        """The decision, judged anew where anything has changed."""
        kept = self._kept.get(asked)
        if kept is not None and kept.rules is rules and (not kept.led or self._lead_there_still(kept.led)):
            return kept.decision
        led: dict[str, str] = {}

        def follow(path: str) -> str:
            led[path] = end = self._follow(path)
            return end

        world = World(workspace=asked.workspace, home=asked.home, resolve=follow)
        decision = decide(
            asked.text, world, cwd=asked.cwd, profile=asked.profile, containment=asked.containment, rules=rules,
            facts=asked.facts,
        )  # fmt: skip
        self._keep(asked, _Kept(rules, led, decision))
        return decision

    def _lead_there_still(self, led: dict[str, str]) -> bool:
        return all(self._follow(path) == end for path, end in led.items())

    def _keep(self, asked: Asked, kept: _Kept) -> None:
        self._kept.pop(asked, None)
        if len(asked.text) <= _LONGEST and len(kept.led) <= _MOST_PATHS:
            if len(self._kept) >= _MOST:
                self._kept.pop(next(iter(self._kept)), None)
            self._kept[asked] = kept
