"""Policy asks -> the command runs apart from the workspace first, and what it did is judged, not what it says."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

import msgspec

from limpet.model.answer import Answer
from limpet.model.change import Kind
from limpet.model.decision import Decision, Reason, Risk, Verdict
from limpet.policy.effects import EffectLimits, judge_effects

if TYPE_CHECKING:
    from limpet.model.change import Changes
    from limpet.model.request import Request
    from limpet.protocols import Approver

_FEW = 2


class OnEffects:
    """An approver that lets a command run in a transaction, without the network, and then looks at what it changed.

    What keeps to the limits is kept. What does not is asked of `then`, with what would change in place of the command's
    text, or dropped where the limits say so. Where no transaction can be had, `then` is asked beforehand.
    """

    def __init__(self, limits: EffectLimits, then: Approver) -> None:
        self._limits = limits
        self._then = then
        self.name = "effects"

    async def __call__(self, request: Request, decision: Decision) -> bool | Answer:
        """As if there were no such thing."""
        return await self._then(request, decision)

    async def afterwards(self, request: Request, decision: Decision, found: Changes) -> Answer:
        """Whether what was changed is kept."""
        judged = judge_effects(found, self._limits)
        if judged.verdict is Verdict.ALLOW:
            return Answer(approved=True)
        if judged.verdict is Verdict.DENY:
            return Answer(approved=False, reason="; ".join(reason.message for reason in judged.reasons))
        words = f"it has run, apart from the workspace: {_told(found)}{_missed(decision)}"
        did = Reason(
            rule="effects", verdict=Verdict.ASK, risk=Risk.DESTROYS, message=words,
            suggestion="keep what it changed, or drop it",
        )  # fmt: skip
        seen = msgspec.structs.replace(decision, reasons=(did, *judged.reasons, *decision.reasons))
        said = await self._then(request, seen)
        return said if isinstance(said, Answer) else Answer(approved=said is True)


def _told(found: Changes) -> str:
    """`3 modified under src/, 1 deleted (old.txt)`."""
    by_kind = ((kind, [change.path for change in found.of(kind)]) for kind in Kind)
    return ", ".join(f"{len(paths)} {kind}{_where(paths)}" for kind, paths in by_kind if paths)


def _where(paths: list[str]) -> str:
    if len(paths) <= _FEW:
        return f" ({', '.join(paths)})"
    folder = posixpath.commonpath([posixpath.dirname(path) for path in paths])
    return f" under {folder}/" if folder else ""


def _missed(decision: Decision) -> str:
    network = any(reason.risk is Risk.NETWORK for reason in decision.reasons)
    return "; it wanted the network, and had none" if network else ""
