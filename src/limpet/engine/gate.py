"""Decision -> whether it may go on, asking whoever is there to be asked."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, NamedTuple

from limpet.model.answer import Answer
from limpet.model.decision import Decision, Verdict
from limpet.model.event import Answered, Asked, Event
from limpet.model.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.request import Request
    from limpet.protocols import Approver


class Refused(NamedTuple):
    """How it ended before it began."""

    outcome: Outcome
    said: str = ""
    """What the person said who was asked."""


async def refusal(
    request: Request, decision: Decision, approver: Approver, emit: Callable[[Event], Awaitable[None]]
) -> Refused | None:
    """None when it may run. A deny is final: nobody is asked about it."""
    if decision.verdict is Verdict.DENY:
        return Refused(Outcome.DENIED)
    if decision.verdict is Verdict.ALLOW:
        return None
    await emit(Asked(request=request, decision=decision))
    said: object = approver(request, decision)
    if isinstance(said, Awaitable):  # a plain function has its answer already
        said = await said
    answer = said if isinstance(said, Answer) else Answer(approved=said is True)
    await emit(Answered(request=request, approved=answer.approved, by=answer.by or name_of(approver)))
    return None if answer.approved else Refused(Outcome.NEEDS_APPROVAL, answer.reason)


def name_of(approver: Approver) -> str:
    """Who is said to have answered."""
    return str(getattr(approver, "name", type(approver).__name__))
