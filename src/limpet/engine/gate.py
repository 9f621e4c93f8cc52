"""Decision -> whether it may go on, asking whoever is there to be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Decision, Verdict
from limpet.model.event import Answered, Asked, Event
from limpet.model.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from limpet.model.request import Request
    from limpet.protocols import Approver


async def refusal(
    request: Request, decision: Decision, approver: Approver, emit: Callable[[Event], Awaitable[None]]
) -> Outcome | None:
    """None when it may run; else how it ended before it began. A deny is final: nobody is asked about it."""
    if decision.verdict is Verdict.DENY:
        return Outcome.DENIED
    if decision.verdict is Verdict.ALLOW:
        return None
    await emit(Asked(request=request, decision=decision))
    approved = await approver(request, decision)
    await emit(Answered(request=request, approved=approved, by=type(approver).__name__))
    return None if approved else Outcome.NEEDS_APPROVAL
