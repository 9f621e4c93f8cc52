"""Events -> rows of the audit log."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, TypeVar

from limpet.audit.row import Common, Value, cleaner, common, judged_row, row_of
from limpet.audit.trouble import busy
from limpet.errors import AuditError
from limpet.model.answer import NOBODY
from limpet.model.event import Answered, Finished, Prepared

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.audit.log import Log
    from limpet.model.event import Event
    from limpet.model.judgement import Judgement
    from limpet.model.request import Request

T = TypeVar("T")
_UNFINISHED = 1_000
_NOBODY = "", ""
_DAY = 86_400.0


class SqliteRecorder:
    """Writes a row before a command starts and one when it has ended, or was refused.

    A row is written in the caller's thread when the file is free, and in a worker thread when somebody else has it
    locked, so the event loop never waits. Several threads and event loops may share one recorder.
    """

    def __init__(
        self,
        log: Log,
        *,
        redact: Callable[[str], str],
        redact_for: Callable[[Request], Callable[[str], str] | None] = lambda _: None,
        clock: Callable[[], float] = time.time,
        patience: float = 30.0,
    ) -> None:
        self._log = log
        self._clean = cleaner(redact)
        self._redact_for = redact_for
        self._clock = clock
        self._patience = patience
        self._writes = False
        self._answers: dict[str, tuple[str, str]] = {}
        self._begun: dict[str, Common] = {}
        """Of runs that have not finished."""

    async def record(self, event: Event) -> None:
        """Raises AuditError when the row could not be written."""
        if isinstance(event, (Prepared, Finished)):
            row, log = self._describe(event), self._log
            if not self._writes:
                self._begin()
            long = log.write(row)
            if long is None:
                await self._in_a_thread(log.insist, row, self._patience)
            elif long and not log.tidying:
                self._tidy()
        elif isinstance(event, Answered) and event.by != NOBODY.by:
            answered = (event.by, "") if event.approved else ("", event.by)
            _remember(self._answers, event.request.id, answered)

    def note(self, judgement: Judgement) -> None:
        """Write down what a program was told. Blocks while others write. Raises AuditError."""
        self._begin()
        row = judged_row(judgement, now=self._clock(), pid=os.getpid(), clean=self._clean)
        self._log.insist(row, self._patience)

    def prune(self, *, keep_days: float | None = None, keep_rows: int | None = None) -> int:
        """Delete rows that are too old or too many, oldest first, and say how many. Blocks while others write."""
        older_than = None if keep_days is None else self._clock() - keep_days * _DAY
        self._begin()
        return self._log.prune(older_than=older_than, keep_rows=keep_rows, patience=self._patience)

    def close(self) -> None:
        """Put the log in order and let go of it; recording again opens it again."""
        self._writes = False
        self._log.leave(self, self._patience)

    def _begin(self) -> None:
        self._writes = True
        self._log.users.add(self)

    def _tidy(self) -> None:
        """The row is written: where no thread is to be had, the next one is asked again."""
        self._log.tidying = True
        try:
            self._in_a_thread(self._log.put_in_order, 0.0)
        except AuditError:
            self._log.tidying = False

    def _in_a_thread(self, do: Callable[..., None], *given: object) -> asyncio.Future[None]:
        try:
            return asyncio.get_running_loop().run_in_executor(None, do, *given)
        except (RuntimeError, OSError) as error:  # the program is about to end, or may have no more of them
            raise busy(self._log.path) from error

    def _describe(self, event: Prepared | Finished) -> tuple[Value, ...]:
        number = event.request.id
        known = self._begun.pop(number, None) or self._common(event)
        if isinstance(event, Prepared):
            answered = self._answers.get(number, _NOBODY)
            _remember(self._begun, number, known)
        else:
            answered = self._answers.pop(number, _NOBODY)
        return row_of(event, known, now=self._clock(), pid=os.getpid(), answered=answered)

    def _common(self, event: Prepared | Finished) -> Common:
        own = self._redact_for(event.request)
        return common(event, self._clean if own is None else cleaner(own))


def _remember(many: dict[str, T], number: str, one: T) -> None:
    """More than a few are of runs that will never finish."""
    while len(many) >= _UNFINISHED:
        many.pop(next(iter(many)))
    many[number] = one
