"""Rows -> a log that any number of processes share, and in each of them whoever writes to it."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from typing import TYPE_CHECKING

from limpet.audit.ledger import Ledger
from limpet.audit.trouble import BusyError, busy, trouble
from limpet.errors import AuditError

if TYPE_CHECKING:
    from collections.abc import Sequence

_ATTEMPT = 1.0
"""Seconds that SQLite waits by itself before it is asked again."""
_PAUSE = 0.005
"""Between attempts: some locks are refused at once, whatever SQLite was told to wait."""


class Log:
    """Opened when there is something to write, and closed when nobody has anything more to write. For any thread.

    There should be one in a process: who finds the rows of somebody else has to find out first where it ends now.
    """

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)
        self.users: weakref.WeakSet[object] = weakref.WeakSet()
        self.ledger: Ledger | None = None
        self.tidying = False
        """Whether somebody is about to put it in order."""
        self._locks: dict[int, threading.Lock] = {}  # by process: a lock held by a thread is never released after fork

    def write(self, row: Sequence[object], *, wait: float = 0.0) -> bool | None:
        """Whether it should be put in order when there is time; None when somebody else has it locked."""
        pid = os.getpid()
        lock = self._locks.get(pid) or self._lock()
        if not lock.acquire(timeout=wait):
            return None
        ledger = None
        try:
            ledger = self.ledger if self.ledger is not None and self.ledger.pid == pid else self._opened(wait)
            return ledger.append(row, wait=wait)
        except BusyError:
            return None
        except BaseException:
            if ledger is not None:
                self._let_go()  # what is wrong may be over by the next time; after Ctrl-C the file may be locked still
            raise
        finally:
            lock.release()

    def insist(self, row: Sequence[object], patience: float) -> None:
        """Write it, however long others have it locked. Raises AuditError after so many seconds."""
        deadline = time.monotonic() + patience
        while self.write(row, wait=min(_ATTEMPT, patience)) is None:
            if time.monotonic() > deadline:
                raise busy(self.path)
            time.sleep(_PAUSE)

    def prune(self, *, older_than: float | None, keep_rows: int | None, patience: float) -> int:
        """Delete the oldest rows, and say how many."""
        with self._lock():
            return self._opened(patience).prune(older_than=older_than, keep_rows=keep_rows, wait=patience)

    def put_in_order(self, wait: float) -> None:
        """What fails here is tried again when there is more; nothing is lost."""
        with self._lock(), contextlib.suppress(AuditError):
            self.tidying = False
            if self.ledger is not None and self.ledger.pid == os.getpid():
                self._arrange(self.ledger, wait)

    def leave(self, user: object, patience: float) -> None:
        """It has nothing more to write: put the log in order, and let go of it when it was the last."""
        self.put_in_order(min(_ATTEMPT, patience))
        with self._lock():
            self.users.discard(user)
            if not self.users:
                self._let_go()

    def _arrange(self, ledger: Ledger, wait: float) -> None:
        try:
            ledger.put_in_order(wait=wait)
        except AuditError:
            raise
        except BaseException:
            self._let_go()  # with the file's lock, which may be held still
            raise

    def _opened(self, wait: float) -> Ledger:
        if self.ledger is not None and self.ledger.pid != os.getpid():
            self._disown(self.ledger.pid)
        if self.ledger is None:
            self.ledger = Ledger(self.path, wait=wait)
        return self.ledger

    def _disown(self, parent: int) -> None:
        """After a fork: close what the parent opened, or SQLite believes that this process has the parent's locks."""
        held = self._locks.get(parent)
        if held is not None and held.locked():
            raise trouble(self.path, "this process was forked in the middle of a write", "fork before opening a shell")
        self.tidying = False  # the thread that would do it is the parent's
        self._let_go()

    def _let_go(self) -> None:
        ledger, self.ledger = self.ledger, None
        if ledger is not None:
            ledger.close()

    def _lock(self) -> threading.Lock:
        pid = os.getpid()
        return self._locks.get(pid) or self._locks.setdefault(pid, threading.Lock())


_logs: weakref.WeakValueDictionary[str, Log] = weakref.WeakValueDictionary()


def log_at(path: str) -> Log:
    """The one of this process."""
    path = os.path.abspath(path)
    return _logs.get(path) or _logs.setdefault(path, Log(path))
