"""A question that policy left open -> the answer of whoever reads the inbox, from any terminal of the same user."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.approval.lasting import Lasting
from limpet.approval.remembered import rules_to_remember
from limpet.errors import QuestionError
from limpet.kernel.identity import mine
from limpet.model.answer import NOBODY, Answer
from limpet.model.question import Asker, Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.approval.box import Box
    from limpet.model.decision import Decision
    from limpet.model.request import Request
    from limpet.policy.rules import Rule

_LOOK_EVERY = 2.0
"""Seconds between looks at a question whose bell was not rung: whoever answered may have been killed before that."""


class Inbox:
    """Asks there, and waits until somebody has answered or the question has expired."""

    def __init__(
        self, box: Box, *, patience: float, lasting: Lasting | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._box = box
        self._patience = patience
        self._lasting = lasting or Lasting()
        self._clock = clock

    async def __call__(self, request: Request, decision: Decision) -> Answer:
        """Whether it may run; `NOBODY` when nobody has said so in time."""
        posted = self.post(request, decision)
        try:
            return await posted.answer()
        finally:
            posted.withdraw()

    def post(self, request: Request, decision: Decision) -> Posted:
        """Ask, and do not wait. Raises QuestionError."""
        now = self._clock()
        self._box.sweep(now)
        rules = rules_to_remember(decision)
        question = Question(
            id=request.id, command=request.command, cwd=request.cwd, workspace=request.workspace, decision=decision,
            env=request.env, description=request.description, origin=request.origin, asked_at=now,
            expires_at=now + self._patience, asker=_asker(), offered=self._lasting.offered(rules),
        )  # fmt: skip
        self._box.put(question)
        return Posted(self._box, question, self._patience, lambda answer: self._settled(answer, question, rules))

    def _settled(self, answer: Answer, question: Question, rules: tuple[Rule, ...]) -> Answer:
        """What was chosen without being offered is only good for once."""
        answer = msgspec.structs.replace(
            answer,
            session=answer.session and "session" in question.offered,
            always=answer.always and "always" in question.offered,
        )
        self._lasting.remember(answer, rules)
        self._lasting.keep(answer, rules)
        return answer


class Posted:
    """A question in the inbox, from the side of whoever waits for its answer."""

    def __init__(self, box: Box, question: Question, patience: float, settle: Callable[[Answer], Answer]) -> None:
        self.question = question
        self._box = box
        self._end = time.monotonic() + patience
        self._settle = settle

    async def answer(self) -> Answer:
        """What was said. After its time it is closed, unless somebody was quicker: then that counts."""
        while (said := self._box.answer(self.question.id)) is None:
            left = self._end - time.monotonic()
            if left <= 0 and self.withdraw():
                return NOBODY
            await self._ring(min(max(left, 0.0), _LOOK_EVERY))
        self._box.take_away(self.question.id)
        return self._settle(said)

    def withdraw(self) -> bool:
        """Nobody waits for the answer any more; False when it was given before."""
        with contextlib.suppress(QuestionError):
            if not self._box.give(self.question.id, NOBODY) and self._box.answer(self.question.id) is not None:
                return False
        self._box.take_away(self.question.id)
        return True

    async def _ring(self, seconds: float) -> None:
        """Until the bell rings, or the time is over."""
        try:
            bell = self._box.open_bell(self.question.id)
        except OSError:
            await asyncio.sleep(min(seconds, 0.2))
            return
        loop, rung = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(bell, rung.set)
        try:
            with contextlib.suppress(TimeoutError):
                if self._box.answer(self.question.id) is None:
                    await asyncio.wait_for(rung.wait(), seconds)
                    os.read(bell, 4096)
        finally:
            loop.remove_reader(bell)
            os.close(bell)


def _asker() -> Asker:
    try:
        me = mine()
    except OSError as error:  # nobody could tell whether we are still there
        raise QuestionError(f"the question could not be asked: {error}") from error
    return Asker(pid=me.pid, started=me.started, boot=me.boot, space=me.space)
