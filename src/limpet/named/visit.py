"""One who comes to a named session with a command -> that command run, seen by them and answered."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING

import msgspec

from limpet.engine.cancel import CancelToken
from limpet.errors import InvalidRequestError, limpetError
from limpet.model.answer import Answer
from limpet.model.event import Output, Prepared, Waiting
from limpet.named.talk import Answered, Cancel, Done, Failed, Opened, Piece, Question, Resized, Typed

if TYPE_CHECKING:
    from limpet.engine.stream import Stream
    from limpet.model.decision import Decision
    from limpet.model.event import Event
    from limpet.model.request import Request
    from limpet.named.talk import Line, Run
    from limpet.sessions import Session


class Visit:
    """One command, for one who came: they see it, may answer, and may leave, which ends it."""

    def __init__(self, line: Line, run: Run) -> None:
        self._line = line
        self._run = run
        self.command = os.fsdecode(run.command)
        self.running = False
        """Whether it is its turn, and it was not refused."""
        self.prompt: str | None = None
        """What it printed last, where it waits for input."""
        self._token = CancelToken()
        self._answers: asyncio.Queue[Answered] = asyncio.Queue()
        self._stream: Stream | None = None

    async def hear(self) -> None:
        """What they say while it runs."""
        while (said := await self._line.heard()) is not None:
            if isinstance(said, Answered):
                self._answers.put_nowait(said)
            elif isinstance(said, Cancel):
                self._token.cancel()
            elif self._stream is not None:
                _pass_on(said, self._stream)
        self._answers.put_nowait(Answered(approved=False, reason="nobody is there any more"))
        self._token.cancel()

    def take(self, typed: Typed) -> None:
        """From somebody else. Raises InvalidRequestError where the command cannot be answered."""
        if not self._run.attended or self._stream is None:
            raise InvalidRequestError(
                "what runs there now is not to be answered: it was not run with --attended, nor at a terminal",
                field="name",
            )
        _pass_on(typed, self._stream)

    async def walk(self, session: Session) -> None:
        """Run it."""
        run = self._run
        approver = self._ask if run.approver == "ask" else run.approver
        try:
            async with session.stream(
                self.command, lossless=True, approver=approver, cancel=self._token, stdin=run.stdin,
                attended=run.attended, **run.options,
            ) as stream:  # fmt: skip
                self._stream = stream
                async for event in stream:
                    await self._tell(event)
                self.running = False
                await self._line.say(Done(result=await stream.result()))
        except limpetError as error:
            await self._line.say(Failed(kind=type(error).__name__, message=str(error)))

    async def _tell(self, event: Event) -> None:
        if isinstance(event, Prepared):
            self.running = True
            await self._line.say(Opened(request=_plain(event.request)))
        elif isinstance(event, Output):
            await self._line.say(Piece(stream=event.stream, data=event.data, text=event.text))
        elif isinstance(event, Waiting):
            self.prompt = event.prompt if event.waiting else None

    async def _ask(self, request: Request, decision: Decision) -> Answer:
        await self._line.say(Question(request=_plain(request), decision=decision))
        answer = await self._answers.get()
        return Answer(approved=answer.approved, reason=answer.reason)


def _pass_on(said: object, stream: Stream) -> None:
    """What was done at their terminal."""
    if isinstance(said, Typed):
        stream.send(said.data)
        if said.end:
            stream.close_input()
    elif isinstance(said, Resized):
        with contextlib.suppress(limpetError):  # no terminal is of that size
            stream.resize(said.rows, said.columns)


def _plain(request: Request) -> Request:
    """Without what only the judge needs."""
    return msgspec.structs.replace(request, facts=None, stdin=None)
