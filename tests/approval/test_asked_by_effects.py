"""What a person is asked when a command has run apart from the workspace and did more than it may unasked."""

from __future__ import annotations

import asyncio

import pytest

from limpet.approval.effects import OnEffects
from limpet.model.change import Change, Changes, Kind
from limpet.model.decision import Decision, Reason, Risk, Verdict
from limpet.model.limits import Limits
from limpet.model.request import Request
from limpet.model.window import Window
from limpet.policy.effects import EffectLimits

ASK = Reason(rule="x", verdict=Verdict.ASK, risk=Risk.UNKNOWN, message="not known")
NETWORK = Reason(rule="x.network", verdict=Verdict.ASK, risk=Risk.NETWORK, message="talks to the network")


def changes(**paths: str) -> Changes:
    found = [Change(path=path, kind=Kind(kind)) for kind, all_of_it in paths.items() for path in all_of_it.split()]
    return Changes(workspace="/w", changes=tuple(found))


@pytest.mark.parametrize(
    ("found", "reason", "said"),
    [
        (changes(modified="src/a src/b/c src/d", deleted="old"), ASK, "3 modified under src/, 1 deleted (old)"),
        (changes(added="a b/c d"), ASK, "3 added"),
        (changes(added="a b"), NETWORK, "2 added (a, b); it wanted the network, and had none"),
    ],
)
def test_the_question_says_what_it_did_where_and_what_it_lacked(found: Changes, reason: Reason, said: str) -> None:
    asked: list[str] = []

    async def then(request: Request, decision: Decision) -> bool:
        asked.append(decision.reasons[0].message)
        return True

    window = Window.of(1000)
    request = Request(id="r", command="x", workspace="/w", cwd="/w", timeout=None, limits=Limits(), window=window)
    decision = Decision(verdict=Verdict.ASK, reasons=(reason,))
    answer = asyncio.run(OnEffects(EffectLimits(files=0), then).afterwards(request, decision, found))
    assert (answer.approved, asked) == (True, [f"it has run, apart from the workspace: {said}"])
