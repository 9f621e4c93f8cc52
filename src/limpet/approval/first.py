"""Several who are asked at the same time -> the first answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from limpet.model.answer import NOBODY, Answer

if TYPE_CHECKING:
    from limpet.model.decision import Decision
    from limpet.model.request import Request
    from limpet.protocols import Approver


class FirstAnswer:
    """Asks all of them; nobody being there is no answer, and what one of them cannot ask another may."""

    def __init__(self, *approvers: Approver) -> None:
        self._approvers = approvers

    async def __call__(self, request: Request, decision: Decision) -> Answer:
        """The first answer; the others are called off. Raises what went wrong when nobody could be asked."""
        asked = [asyncio.ensure_future(_answer(one, request, decision)) for one in self._approvers]
        try:
            return await _first(asked)
        finally:
            for one in asked:
                one.cancel()
            await asyncio.gather(*asked, return_exceptions=True)


async def _first(asked: list[asyncio.Task[Answer]]) -> Answer:
    trouble: Exception | None = None
    for done in asyncio.as_completed(asked):
        try:
            answer = await done
        except Exception as error:  # noqa: BLE001 - it is raised when no other way of asking is left
            trouble = error
            continue
        if answer.by != NOBODY.by:
            return answer
    if trouble is not None:
        raise trouble
    return NOBODY


async def _answer(approver: Approver, request: Request, decision: Decision) -> Answer:
    said = await approver(request, decision)
    answer = said if isinstance(said, Answer) else Answer(approved=said is True)
    return answer if answer.by else Answer(
        approved=answer.approved, session=answer.session, always=answer.always, reason=answer.reason,
        by=type(approver).__name__,
    )  # fmt: skip
