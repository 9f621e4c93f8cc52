"""A command, where it would run and under which profile -> the decision. Total: any text, never an exception."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from limpet.model.decision import Decision, Reason, Risk, Verdict
from limpet.policy.case import Case
from limpet.policy.finding import Finding
from limpet.policy.judging import judge_text
from limpet.policy.preflight import look
from limpet.policy.profiles import PROFILES
from limpet.policy.rules import NO_RULES, Rules
from limpet.policy.tools import Tools

if TYPE_CHECKING:
    from limpet.model.session import ShellFacts
    from limpet.policy.places import World
    from limpet.policy.profiles import Profile

_MOST_REASONS = 50


@cache
def _tools() -> Tools:
    return Tools()


def decide(
    text: str, world: World, *, cwd: str | None = None, profile: str = "workspace", containment: str = "none",
    rules: Rules = NO_RULES, facts: ShellFacts | None = None,
) -> Decision:  # fmt: skip
    """Judge a command. `containment` is `full` when the whole sandbox will be around it.

    `facts` are those of a shell that has run other commands before.
    """
    case = Case(world, _tools(), len(text), facts)
    chosen = PROFILES.get(profile, PROFILES["workspace"])
    try:
        _judge(text, case, cwd if cwd is not None else world.workspace, chosen)
    except RecursionError:
        case.unclear("is nested too deep to be followed", (0, len(text)), "limit.depth")
    return _conclude(case, chosen, containment, rules)


def _judge(text: str, case: Case, cwd: str, profile: Profile) -> None:
    for odd in look(text):
        case.unclear(odd.message, odd.span, odd.rule)
    judge_text(text, case, cwd=cwd)
    if profile.restricted:
        from limpet.policy.restricted import restricted  # noqa: PLC0415 - one profile needs it

        for message, span in restricted(text):
            case.find(Finding("strict.character", Risk.OPAQUE, message, span))
    if not profile.writes and not case.read_only:
        case.ask(
            "read-only.changes", Risk.ESCAPES, "changes something, or may", (0, len(text.encode("utf-8", "replace")))
        )


def _conclude(case: Case, profile: Profile, containment: str, rules: Rules) -> Decision:
    table = profile.contained if containment == "full" else profile.bare
    counted = rules.verdicts(case.commands, case.findings, table)
    reasons = dict.fromkeys(_reason(finding, verdict) for finding, verdict in counted)
    verdict = max((reason.verdict for reason in reasons), default=Verdict.ALLOW)
    ordered = sorted(reasons, key=lambda reason: -_ORDER[reason.verdict])
    return Decision(
        verdict=verdict,
        reasons=tuple(ordered[:_MOST_REASONS]),
        commands=tuple(sorted(case.commands, key=lambda command: command.span[0])),
        effects=tuple(dict.fromkeys(case.effects)),
        read_only=case.read_only and verdict is Verdict.ALLOW,
        opaque=case.opaque,
        containment=containment,
    )


_ORDER = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}


def _reason(finding: Finding, verdict: Verdict) -> Reason:
    return Reason(
        rule=finding.rule, verdict=verdict, message=finding.message, risk=finding.risk,
        suggestion=finding.suggestion, span=finding.span,
    )  # fmt: skip
