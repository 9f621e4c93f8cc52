"""A command that needs approval -> the question put to the person in front of the client, and into the inbox.

Both at the same time: whoever answers first. In the older protocol the server asks the client; in the newer one the
call comes back with the question, and the client makes it again with the answer.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from limpet.approvals import Approvals
from limpet.errors import limpetError
from limpet.model.answer import Answer
from limpet.render.question import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.approval.later import Later, Pending
    from limpet.model.decision import Decision
    from limpet.model.question import Question
    from limpet.model.request import Request
    from limpet.surfaces.mcp.talk import Talk

_KEY = "approval"
_FIELD = "answer"
_BY = "the client's form"
_WIDTH = 100
_ONCE, _DENY = "allow once", "deny"
_CHOICES = {"session": "allow such commands for this session", "always": "allow such commands here from now on"}
_LOOK_EVERY = 1.0
_HEARD = 10.0
"""Seconds in which an answer that was given is heard."""


class Asked:
    """An approver for one call, where what is asked is known only on the road: in a session."""

    def __init__(self, talk: Talk, later: Later, *, patience: float) -> None:
        self._talk = talk
        self._later = later
        self._patience = patience
        self.form: types.InputRequiredResult | None = None
        """What the client has to ask before it makes the call again."""
        self.asking = False
        """Until it was approved; refused, it is over in a moment."""

    async def __call__(self, request: Request, decision: Decision) -> Answer:
        """What they say, or that nobody has said anything yet."""
        pending = self._later.pose(request, decision)
        self.asking = True
        if pending.said is None:
            self.form = await settle(self._talk, pending, patience=self._patience)
        answer = await self._later(request, decision)
        self.asking = not answer.approved
        return answer


async def settle(talk: Talk, pending: Pending, *, patience: float) -> types.InputRequiredResult | None:
    """Ask and wait, or hand back what the client has to ask. What comes of it is found in the inbox."""
    if not talk.elicits:
        await _wait(talk, pending, patience)
    elif talk.can_be_asked:
        await _ask(talk, pending, patience)
    elif talk.state != pending.question.id:
        return types.InputRequiredResult(
            input_requests={_KEY: types.ElicitRequest(params=_form(pending.question))},
            request_state=pending.question.id,
        )
    else:
        await _take(pending, talk.responses.get(_KEY))
    return None


async def _ask(talk: Talk, pending: Pending, patience: float) -> None:
    """The client asks while anybody may answer in the inbox. As long as a form is open, there is time."""
    form = _form(pending.question)
    asking = asyncio.ensure_future(talk.elicit(form.message, form.requested_schema))
    answered = asyncio.ensure_future(pending.wait(None))
    try:
        await asyncio.wait([asking, answered], return_when=asyncio.FIRST_COMPLETED)
        if asking.done() and not answered.done():
            try:
                await _take(pending, asking.result())
            except MCPError:  # it could not ask after all
                await _wait(talk, pending, patience)
    finally:
        for task in (asking, answered):
            task.cancel()
        await asyncio.gather(asking, answered, return_exceptions=True)


async def _wait(talk: Talk, pending: Pending, patience: float) -> None:
    """For somebody to answer in the inbox."""
    waited = 0.0
    while waited < patience and not await pending.wait(min(_LOOK_EVERY, patience - waited)):
        waited += _LOOK_EVERY
        await talk.progress(waited, f"waiting for approval: limpet approve {pending.question.short}")


async def _take(pending: Pending, said: object) -> None:
    """What the client's form came back with. Closed without an answer, the question stays in the inbox."""
    answer = _answer(said)
    if answer is not None:
        with contextlib.suppress(limpetError):  # somebody was quicker
            Approvals().answer(pending.question, answer)
        await pending.wait(_HEARD)


def _answer(said: object) -> Answer | None:
    if not isinstance(said, types.ElicitResult) or said.action == "cancel":
        return None
    choice = (said.content or {}).get(_FIELD) if said.action == "accept" else _DENY
    approved = choice in (_ONCE, *_CHOICES.values())
    always = choice == _CHOICES["always"]
    reason = "" if approved else "the user declined"
    return Answer(
        approved=approved, session=always or choice == _CHOICES["session"], always=always, reason=reason, by=_BY
    )


def _form(question: Question) -> types.ElicitRequestFormParams:
    message = f"limpet: may this run?\n{render(question, width=_WIDTH, color=False)}"
    return types.ElicitRequestFormParams(message=message.rstrip("\n"), requested_schema=_schema(question.offered))


def _schema(offered: Mapping[str, str]) -> dict[str, Any]:
    """One list to choose from, and no title: one client closes a form that has one without showing it."""
    choices = [_ONCE, *(words for name, words in _CHOICES.items() if name in offered), _DENY]
    covered = next(iter(offered.values()), "")
    about = f"Such commands: {covered}" if covered else "Whether it may run."
    field = {"type": "string", "enum": choices, "default": _ONCE, "description": about}
    return {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]}
