"""Events -> rows of a SQLite file that any number of processes share."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING

from limpet.audit.ledger import Ledger
from limpet.audit.row import Value, cleaner, judged_row, row_of
from limpet.audit.trouble import BusyError, busy, trouble
from limpet.errors import AuditError
from limpet.model.answer import NOBODY
from limpet.model.event import Answered, Finished, Prepared

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.event import Event
    from limpet.model.judgement import Judgement
    from limpet.model.request import Request

_ATTEMPT = 1.0
"""Seconds that SQLite waits by itself before it is asked again."""
_PAUSE = 0.005
"""Between attempts: some locks are refused at once, whatever SQLite was told to wait."""
_ANSWERS = 1_000
"""Answers remembered for runs that have not finished; more than this are runs that never will."""
_DAY = 86_400.0


class SqliteRecorder:
    """Writes a row before a command starts and one when it has ended, or was refused.

    A row is written in the caller's thread when the file is free, and in a worker thread when somebody else has it
    locked, so the event loop never waits. Several threads and event loops may share one recorder.
    """

    def __init__(
        self,
        path: str,
        *,
        redact: Callable[[str], str],
        redact_for: Callable[[Request], Callable[[str], str] | None] = lambda _: None,
        clock: Callable[[], float] = time.time,
        patience: float = 30.0,
    ) -> None:
        self._path = os.path.abspath(path)
        self._clean = cleaner(redact)
        self._redact_for = redact_for
        self._clock = clock
        self._patience = patience
        self._ledger: Ledger | None = None
        self._tidying = False
        self._locks: dict[int, threading.Lock] = {}  # by process: a lock held by a thread is never released after fork
        self._answers: dict[str, tuple[str, str]] = {}

    async def record(self, event: Event) -> None:
        """Raises AuditError when the row could not be written."""
        if isinstance(event, (Prepared, Finished)):
            row = self._describe(event)
            if not self._write(row, wait=0.0):
                await self._in_a_thread(self._insist, row)
            ledger = self._ledger  # another thread may close it
            if ledger is not None and ledger.is_long() and not self._tidying:
                self._tidy()
        elif isinstance(event, Answered):
            self._remember(event)

    def note(self, judgement: Judgement) -> None:
        """Write down what a program was told. Blocks while others write. Raises AuditError."""
        self._insist(judged_row(judgement, now=self._clock(), pid=os.getpid(), clean=self._clean))

    def prune(self, *, keep_days: float | None = None, keep_rows: int | None = None) -> int:
        """Delete rows that are too old or too many, oldest first, and say how many. Blocks while others write."""
        older_than = None if keep_days is None else self._clock() - keep_days * _DAY
        with self._lock():
            ledger = self._opened(self._patience)
            return ledger.prune(older_than=older_than, keep_rows=keep_rows, wait=self._patience)

    def close(self) -> None:
        """Put the log in order and let go of it; recording again opens it again."""
        self._put_in_order(min(_ATTEMPT, self._patience))
        with self._lock():
            self._let_go()

    def _tidy(self) -> None:
        """The row is written: where no thread is to be had, the next one is asked again."""
        self._tidying = True
        try:
            self._in_a_thread(self._put_in_order, 0.0)
        except AuditError:
            self._tidying = False

    def _in_a_thread(self, do: Callable[..., None], given: object) -> asyncio.Future[None]:
        try:
            return asyncio.get_running_loop().run_in_executor(None, do, given)
        except (RuntimeError, OSError) as error:  # the program is about to end, or may have no more of them
            raise busy(self._path) from error

    def _describe(self, event: Prepared | Finished) -> tuple[Value, ...]:
        recall = self._answers.get if isinstance(event, Prepared) else self._answers.pop
        answered = recall(event.request.id, ("", ""))
        own = self._redact_for(event.request)
        clean = self._clean if own is None else cleaner(own)
        return row_of(event, now=self._clock(), pid=os.getpid(), answered=answered, clean=clean)

    def _remember(self, event: Answered) -> None:
        if event.by != NOBODY.by:
            while len(self._answers) >= _ANSWERS:
                self._answers.pop(next(iter(self._answers)))
            self._answers[event.request.id] = (event.by, "") if event.approved else ("", event.by)

    def _insist(self, row: tuple[Value, ...]) -> None:
        deadline = time.monotonic() + self._patience
        while not self._write(row, wait=min(_ATTEMPT, self._patience)):
            if time.monotonic() > deadline:
                raise busy(self._path)
            time.sleep(_PAUSE)

    def _write(self, row: tuple[Value, ...], *, wait: float) -> bool:
        """False when somebody else has it locked."""
        lock = self._lock()
        if not lock.acquire(timeout=wait):
            return False
        try:
            self._append(row, wait)
        except BusyError:
            return False
        finally:
            lock.release()
        return True

    def _append(self, row: tuple[Value, ...], wait: float) -> None:
        ledger = self._opened(wait)
        try:
            ledger.append(row, wait=wait)
        except BusyError:
            raise
        except BaseException:
            self._let_go()  # what is wrong may be over by the next time; after Ctrl-C the file may be locked still
            raise

    def _put_in_order(self, wait: float) -> None:
        """What fails here is tried again when there is more; nothing is lost."""
        with self._lock(), contextlib.suppress(AuditError):
            self._tidying = False
            if self._ledger is not None and self._ledger.pid == os.getpid():
                self._arrange(self._ledger, wait)

    def _arrange(self, ledger: Ledger, wait: float) -> None:
        try:
            ledger.put_in_order(wait=wait)
        except AuditError:
            raise
        except BaseException:
            self._let_go()  # with the file's lock, which may be held still
            raise

    def _opened(self, wait: float) -> Ledger:
        if self._ledger is not None and self._ledger.pid != os.getpid():
            self._disown(self._ledger.pid)
        if self._ledger is None:
            self._ledger = Ledger(self._path, wait=wait)
        return self._ledger

    def _disown(self, parent: int) -> None:
        """After a fork: close what the parent opened, or SQLite believes that this process has the parent's locks."""
        held = self._locks.get(parent)
        if held is not None and held.locked():
            raise trouble(self._path, "this process was forked in the middle of a write", "fork before opening a shell")
        self._tidying = False  # the thread that would do it is the parent's
        self._let_go()

    def _let_go(self) -> None:
        ledger, self._ledger = self._ledger, None
        if ledger is not None:
            ledger.close()

    def _lock(self) -> threading.Lock:
        pid = os.getpid()
        return self._locks.get(pid) or self._locks.setdefault(pid, threading.Lock())
