"""One command of a session, from where it was handed over to its end."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.model.ended import Ended, Ending
from limpet.model.terminal import Terminal
from limpet.session import telling
from limpet.session.hearing import Hearing

if TYPE_CHECKING:
    from limpet.model.plan import Plan
    from limpet.model.session import SessionState
    from limpet.protocols import Sink
    from limpet.session.launch import SessionLauncher
    from limpet.session.seams import LiveShell

_NEAR = 2.0
"""Seconds: looks come more often than that."""
_BEFORE = "the session goes on from the state before this command, in a new shell"
_WORDS = {
    Ending.TIMEOUT: f"{_BEFORE}; what ran in its background was ended",
    Ending.STOPPED: f"{_BEFORE}; what ran in its background was ended",
}


class SessionRun:
    """A command in the hands of a live shell."""

    def __init__(
        self, session: SessionLauncher, live: LiveShell, plan: Plan, deadline: float | None, words: tuple[str, str]
    ) -> None:
        """`words`: the token of this command, and the one by which the shell says farewell."""
        self._session = session
        self._live = live
        self._plan = plan
        self._deadline = deadline
        token, self._nonce = words
        self._hearing = Hearing(token)
        self._why: Ending | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._stuck = 0
        self._broken = False
        self._ended: Ended | None = None

    async def finish(self, sink: Sink) -> Ended:
        """Pass on all output until the command is over. May be called again after a cancellation."""
        if self._ended is None:
            if self._plan.terminal is not None:
                sink = self._session.recent.on_its_way_to(sink)
            self._greet(sink)
            await self._listen(sink)
            self._live.drain(sink)
            self._ended = self._remarked(self._conclude())
        return self._ended

    def _remarked(self, ended: Ended) -> Ended:
        remark, self._session.remark = self._session.remark, ""
        note = "; ".join(part for part in (remark, ended.note) if part)
        return msgspec.structs.replace(ended, note=note) if remark else ended

    def stop(self, *, now: bool = False) -> None:
        """End the command, and with it the shell; the next one gets a new shell."""
        if self._ended is None:
            self._why = self._why or Ending.STOPPED
            self._live.stop(now=now)

    def send(self, data: bytes) -> None:
        """Without effect where there is no terminal: such a command reads what it was given when it began."""
        self._live.send(data)

    def close_input(self) -> None:
        """As above."""
        self._live.close_input()

    def resize(self, rows: int, columns: int) -> None:
        """Also for the commands to come."""
        self._session.resize(Terminal(rows=rows, columns=columns))

    def close(self) -> None:
        """Where it is not over, the shell is killed."""
        if self._ended is None:
            self._session.gone(None, ended="")

    def _greet(self, sink: Sink) -> None:
        sink.started(self._live.pid)
        for stream, data in self._session.kept:
            sink.write(stream, data)
        self._session.kept.clear()

    async def _listen(self, sink: Sink) -> None:
        self._mind_the_time()
        try:
            await self._live.listen(sink, self._hearing, self._look)
        finally:
            if self._alarm is not None:
                self._alarm.cancel()
                self._alarm = None

    def _mind_the_time(self) -> None:
        """Only a command that comes near its limit has a timer of its own: most are over long before."""
        if self._deadline is None or self._alarm is not None or self._why is not None:
            return
        left = self._deadline - time.monotonic()
        if left < _NEAR:
            self._alarm = asyncio.get_running_loop().call_later(max(0.0, left), self._expire)

    def _expire(self) -> None:
        """Where this process was stopped meanwhile, it has to hear first what came in time."""
        asyncio.get_running_loop().call_later(0, self._end)

    def _end(self) -> None:
        if self._hearing.answer is None and self._ended is None:
            self._why = self._why or Ending.TIMEOUT
            self._live.stop()

    def _look(self) -> None:
        """A shell that has read all and says nothing will never say anything: it was told not to run what it reads."""
        self._mind_the_time()
        self._stuck = self._stuck + 1 if not self._live.unread() and not self._live.deaf else 0
        if self._stuck > 1 and self._why is None:
            self._broken = True
            self._live.stop(now=True)

    def _conclude(self) -> Ended:
        answer = self._hearing.answer
        if answer is not None and self._why is None:
            ended = self._live.answered(answer.status)
            self._session.over(self._plan, answer.status, answer.flags)
            return ended
        if answer is not None:  # it was told to end, and has answered before it heard of that
            self._live.close()
            ended = self._live.answered(answer.status)
        else:
            ended = self._live.ended()
            if ended.ending is Ending.TIMEOUT:  # the keeper has seen to it
                self._why = Ending.TIMEOUT
        return self._buried(ended)

    def _buried(self, ended: Ended) -> Ended:
        """The shell is gone: the session goes on without it, or is over."""
        farewell = self._hearing.farewell
        told = telling.read(self._hearing.told, self._nonce) if farewell is not None else None
        if self._why is not None:
            self._session.gone(None, ended="")
            return msgspec.structs.replace(ended, ending=self._why, note=_WORDS[self._why])
        if farewell is not None and ended.signal is None and self._session.may_exit(self._plan):
            how = f"the session has ended (exit {farewell})"
            self._session.gone(told, ended=how)
            return msgspec.structs.replace(ended, note=how)
        return self._died(ended, told)

    def _died(self, ended: Ended, told: SessionState | None) -> Ended:
        self._session.gone(told, ended="")
        if self._broken:
            note = f"the session's shell does not answer any more, so how this command ended is not known; {_BEFORE}"
            return Ended(ending=Ending.ITSELF, usage=ended.usage, enforced=ended.enforced, note=note)
        note = "this ended the session's shell; " + (_BEFORE if told is None else "the session goes on in a new one")
        return msgspec.structs.replace(ended, note=note)
