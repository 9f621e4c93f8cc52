"""Rules that people wrote + what was found -> what counts in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import FoundCommand, Risk, Verdict
from limpet.policy.finding import Finding
from limpet.policy.pattern import Pattern, matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.policy.profiles import Table


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody says about commands of a kind."""

    name: str
    verdict: Verdict
    pattern: Pattern = ()
    builtin: str = ""
    """Instead of a pattern: the name of a built-in rule that an allow switches off, even one of the floor."""
    reason: str = ""
    suggestion: str = ""
    source: str = ""
    """Where it stands: file and line."""


class Rules(msgspec.Struct, frozen=True):
    """All rules that hold, in the order in which they were given; the strictest that matches wins."""

    rules: tuple[Rule, ...] = ()

    def verdicts(
        self, commands: Sequence[FoundCommand], findings: Sequence[Finding], table: Table
    ) -> list[tuple[Finding, Verdict]]:
        """Each finding with what it counts as, and those that the rules add."""
        allowed = self._allowed(commands)
        named = {rule.builtin for rule in self.rules if rule.verdict is Verdict.ALLOW and rule.builtin}
        counted = [(finding, _count(finding, table, allowed, named)) for finding in findings]
        return [*counted, *self._added(commands)]

    def _allowed(self, commands: Sequence[FoundCommand]) -> frozenset[int]:
        """Commands that a rule allows: every one of their words is known, or the rule does not care."""
        patterns = [rule.pattern for rule in self.rules if rule.verdict is Verdict.ALLOW and rule.pattern]
        if not patterns:
            return frozenset()
        return frozenset(
            index
            for index, command in enumerate(commands)
            if any(matches(pattern, command.argv, unknown=False) for pattern in patterns)
        )

    def _added(self, commands: Sequence[FoundCommand]) -> list[tuple[Finding, Verdict]]:
        """What deny and ask rules say; a word that is not known may be what they mean."""
        added: list[tuple[Finding, Verdict]] = []
        for rule in self.rules:
            if rule.verdict is Verdict.ALLOW or not rule.pattern:
                continue
            for command in commands:
                if matches(rule.pattern, command.argv, unknown=True):
                    message = rule.reason or f"matches the rule {rule.name}"
                    finding = Finding(rule.name, Risk.UNKNOWN, message, command.span, rule.suggestion)
                    added.append((finding, rule.verdict))
        return added


NO_RULES = Rules()


def _count(finding: Finding, table: Table, allowed: frozenset[int], named: set[str]) -> Verdict:
    if finding.rule in named:
        return Verdict.ALLOW
    if finding.deny:
        return Verdict.DENY
    if finding.command in allowed:
        return Verdict.ALLOW
    return table[finding.risk]
