"""Rules that people wrote + what was found -> what counts in the end."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import FoundCommand, Risk, Verdict
from limpet.policy.finding import Finding
from limpet.policy.pattern import Pattern, allows, alternatives, is_open, matches, may_match, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limpet.policy.pattern import Words
    from limpet.policy.profiles import Table

_Counted = tuple[Finding, Verdict]
NETWORK_SWITCH = "policy.network_tools"


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody says about commands of a kind."""

    name: str
    verdict: Verdict
    pattern: Pattern = ()
    builtin: str = ""
    """Instead of a pattern: the name of a built-in rule that an allow switches off, even one of the floor."""
    lifts: tuple[str, ...] = ()
    """For an allow: the built-in rules that it speaks about; empty is all but the floor."""
    reason: str = ""
    suggestion: str = ""
    source: str = ""
    """Where it stands: file and line."""

    def __str__(self) -> str:
        return f"{self.name} ({self.source})" if self.source else self.name

    def covers(self, words: Words) -> bool:
        """Whether a command is surely one of those that the rule is about."""
        if self.verdict is Verdict.ALLOW:
            return allows(self.pattern, words)
        return any(matches(self.pattern, way) for way in spellings(words))


class _Index:
    """Rules by the program that they are about, so that thousands of them cost no more than a few."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.all = tuple(rules)
        self._open = [rule for rule in self.all if is_open(rule.pattern[0])]
        self._named: dict[str, list[Rule]] = {}
        for rule in self.all:
            for name in () if is_open(rule.pattern[0]) else alternatives(rule.pattern[0]):
                self._named.setdefault(name, []).append(rule)

    def about(self, name: str) -> Iterator[Rule]:
        """Those that may be about a program of that name."""
        yield from self._named.get(name, ())
        yield from self._open


class Rules(msgspec.Struct, frozen=True, dict=True):
    """All rules that hold; their order does not matter, because the strictest that matches wins."""

    rules: tuple[Rule, ...] = ()
    network: bool = False
    """Tools may use the network without a question."""
    files: tuple[str, ...] = ()
    """Where they would be found; another content there makes other rules."""

    def plus(self, more: Rules) -> Rules:
        """These and others."""
        return Rules((*self.rules, *more.rules), self.network or more.network, (*self.files, *more.files))

    def verdicts(self, commands: Sequence[FoundCommand], findings: Sequence[Finding], table: Table) -> list[_Counted]:
        """Each finding with what it counts as, and those that the rules add."""
        allowed: dict[int, list[Rule]] = {}
        if self._allowing.all:
            for index in {finding.command for finding in findings if finding.command >= 0}:
                allowed[index] = self._allows(commands[index].argv)
        counted = [self._count(finding, table[finding.risk], allowed) for finding in findings]
        return [*counted, *(each for command in commands for each in self._added(command))]

    @cached_property
    def _allowing(self) -> _Index:
        return _Index(rule for rule in self.rules if rule.verdict is Verdict.ALLOW and rule.pattern)

    @cached_property
    def _forbidding(self) -> _Index:
        return _Index(rule for rule in self.rules if rule.verdict is not Verdict.ALLOW and rule.pattern)

    @cached_property
    def _named(self) -> dict[str, str]:
        """The built-in rules that are switched off, each with what does."""
        return {rule.builtin: str(rule) for rule in self.rules if rule.verdict is Verdict.ALLOW and rule.builtin}

    def _count(self, finding: Finding, otherwise: Verdict, allowed: dict[int, list[Rule]]) -> _Counted:
        by = self._named.get(finding.rule, "")
        if finding.deny and not by:
            return finding, Verdict.DENY
        if otherwise is Verdict.ALLOW and not finding.deny:
            return finding, otherwise
        by = by or self._lifts(finding, allowed)
        if not by:
            return finding, otherwise
        return msgspec.structs.replace(finding, message=f"{finding.message}; allowed by {by}"), Verdict.ALLOW

    def _lifts(self, finding: Finding, allowed: dict[int, list[Rule]]) -> str:
        """What allows the command that a finding is about; what is set for it never goes with it."""
        if finding.command < 0 or finding.rule.startswith("variable."):
            return ""
        rules = allowed.get(finding.command, ())
        by = next((str(rule) for rule in rules if not rule.lifts or finding.rule in rule.lifts), "")
        return by or (NETWORK_SWITCH if self.network and finding.risk is Risk.NETWORK else "")

    def _allows(self, words: Words) -> list[Rule]:
        """The rules that allow a command as it is written."""
        if not words or words[0] is None:
            return []
        return [rule for rule in self._allowing.about(words[0]) if rule.covers(words)]

    def _added(self, command: FoundCommand) -> Iterator[_Counted]:
        """What deny and ask rules say."""
        if not self._forbidding.all or not command.argv:
            return
        if command.argv[0] is None:
            yield from self._perhaps(self._forbidding.all, [command.argv], command)
            return
        ways = list(spellings(command.argv))
        unsure = []
        for rule in dict.fromkeys(rule for words in ways for rule in self._forbidding.about(words[0] or "")):
            if rule.covers(command.argv):
                yield _finding(rule, rule.reason or "matches a rule", command), rule.verdict
            else:
                unsure.append(rule)
        if None in command.argv:
            yield from self._perhaps(unsure, ways, command)

    @staticmethod
    def _perhaps(rules: Iterable[Rule], ways: Sequence[Words], command: FoundCommand) -> Iterator[_Counted]:
        """One rule that would match if unknown words were what it means: that is worth a question, never a deny."""
        for rule in rules:
            if any(may_match(rule.pattern, words) for words in ways):
                message = "may match a rule, depending on words that are not known before it runs"
                yield _finding(rule, message, command), Verdict.ASK
                return


NO_RULES = Rules()


def _finding(rule: Rule, message: str, command: FoundCommand) -> Finding:
    where = f" ({rule.source})" if rule.source else ""
    return Finding(rule.name, Risk.UNKNOWN, message + where, command.span, rule.suggestion)
