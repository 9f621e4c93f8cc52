"""Questions that outlive the call that asked them: the same command, asked again, finds the answer."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from limpet.model.answer import NOBODY, Answer

if TYPE_CHECKING:
    from limpet.approval.inbox import Inbox, Posted
    from limpet.model.decision import Decision
    from limpet.model.question import Question
    from limpet.model.request import Request

_WAITING = "nobody has answered yet. A person can, with `limpet approve {0}` or `limpet deny {0}`; then call again"


class Later:
    """Asks in the inbox and answers at once: with what was said, or that nobody has said anything yet.

    An answer is good for one call with exactly the command, folder, variables and so on that a person was shown.
    """

    def __init__(self, inbox: Inbox, *, patience: float) -> None:
        self._inbox = inbox
        self._patience = patience
        self._open: dict[str, Pending] = {}

    async def __call__(self, request: Request, decision: Decision) -> Answer:
        """The answer, or a no that says how to answer."""
        key = _key(request, decision)
        pending = self._pending(key, request, decision)
        said = pending.said
        if said is None:
            return Answer(approved=False, reason=_WAITING.format(pending.question.short), by=NOBODY.by)
        self._open.pop(key, None)
        return said

    def pose(self, request: Request, decision: Decision) -> Pending:
        """Ask without wanting to run it yet."""
        return self._pending(_key(request, decision), request, decision)

    def _pending(self, key: str, request: Request, decision: Decision) -> Pending:
        self._open = {key: one for key, one in self._open.items() if not one.stale}
        if key not in self._open:
            self._open[key] = Pending(self._inbox.post(request, decision), self._patience)
        return self._open[key]


class Pending:
    """One such question."""

    def __init__(self, posted: Posted, patience: float) -> None:
        self.question: Question = posted.question
        self._posted = posted
        self._patience = patience
        self._answered_at: float | None = None
        self._task = asyncio.ensure_future(self._wait())

    @property
    def said(self) -> Answer | None:
        """The answer, once there is one."""
        return self._task.result() if self._task.done() and not self._task.cancelled() else None

    @property
    def stale(self) -> bool:
        """Nobody answered in time, or nobody came for the answer in as much time."""
        if self._task.cancelled() or (self.said is not None and self.said.by == NOBODY.by):
            return True
        return self._answered_at is not None and time.monotonic() - self._answered_at > self._patience

    async def wait(self, seconds: float | None) -> bool:
        """Whether there is an answer now, or within this time; None: as long as it takes."""
        await asyncio.wait([self._task], timeout=seconds)
        return self._task.done()

    async def _wait(self) -> Answer:
        try:
            return await self._posted.answer()
        finally:
            self._answered_at = time.monotonic()
            self._posted.withdraw()


def _key(request: Request, decision: Decision) -> str:
    """All that a person was asked about. What it is said to be for, and how long it may take, is no part of that."""
    one = request
    return repr((
        one.command, one.workspace, one.cwd, sorted(one.env.items()), one.empty_env, one.stdin, one.open_stdin,
        one.terminal, one.limits, one.sandbox, one.network, one.require, one.profile, one.block, one.origin, decision,
    ))  # fmt: skip
