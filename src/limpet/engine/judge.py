"""Request -> Decision. The seam where syntax and policy join; until they do, it says that nobody judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Decision, Reason, Verdict

if TYPE_CHECKING:
    from limpet.model.request import Request

_UNJUDGED = Decision(
    verdict=Verdict.ALLOW,
    reasons=(
        Reason(
            rule="unjudged",
            verdict=Verdict.ALLOW,
            message="no policy was applied: this version of limpet runs every admitted command",
        ),
    ),
)


def unjudged(request: Request) -> Decision:  # noqa: ARG001 - the shape of a judge
    """Let everything run, and say that this is what happened."""
    return _UNJUDGED
