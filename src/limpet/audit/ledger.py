"""Rows -> a SQLite file, each in a transaction of its own. Not for several threads at once, nor across a fork."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING, NoReturn

from limpet.audit import place, schema
from limpet.audit.chain import link
from limpet.audit.trouble import damaged, explain, explaining, trouble, wrong_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Execute = Callable[..., sqlite3.Cursor]

_PRUNED_AT_ONCE = 5_000
"""So that nobody waits long for the lock."""


class Ledger:
    """An open audit log. Every method raises AuditError; BusyError among them means that trying again may help."""

    def __init__(self, path: str, *, wait: float) -> None:
        place.claim(path)
        self.pid = os.getpid()
        self._path = path
        self._identity = place.identity(path)
        self._wait = wait
        self._end: tuple[int, bytes] | None = None
        """Where the log ended when we last wrote to it."""
        with contextlib.ExitStack() as undo, explaining(path):
            self._connection = connect(path, wait=wait)
            undo.callback(self.close)
            self._set_up()
            undo.pop_all()

    def append(self, values: Sequence[object], *, wait: float) -> None:
        """Write one row: all columns but id and hash. It is there, whole, or not at all."""
        end, self._end = self._end, None
        if end is None or not self._follows(end, values, wait):
            # Somebody else has written since. With the lock in hand, nobody can come between.
            with self._transaction(wait) as execute:
                self._insert(execute(schema.READ_END).fetchone() or self._headless(), values)
        if place.identity(self._path) != self._identity:
            raise trouble(self._path, "it was deleted or replaced while in use", "the next command begins a new one")

    def _follows(self, end: tuple[int, bytes], values: Sequence[object], wait: float) -> bool:
        """Write the row in one statement, on the chance that the log still ends where we left it."""
        try:
            self._be_patient(wait)
            self._insert(end, values)
        except sqlite3.IntegrityError:
            return False
        except sqlite3.Error as error:
            raise explain(error, self._path) from error
        return True

    def _insert(self, end: tuple[int, bytes], values: Sequence[object]) -> None:
        number = end[0] + 1
        row_hash = link(end[1], (number, *values))
        self._connection.execute(schema.INSERT, (number, *values, row_hash))
        self._end = number, row_hash

    def prune(self, *, older_than: float | None, keep_rows: int | None, wait: float) -> int:
        """Delete the oldest rows, the count of which is returned, and move the start of the log behind them."""
        total = 0
        while deleted := self._prune_some(older_than, keep_rows, wait):
            total += deleted
        return total

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def _set_up(self) -> None:
        version = schema.read_version(self._connection)
        if version not in (0, schema.VERSION):
            raise wrong_version(self._path, version)
        # Rows are short: a small page is less to write for each. It counts only for a file with nothing in it yet.
        self._connection.execute("PRAGMA page_size = 1024")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        if version == 0:
            with self._transaction(self._wait):
                if schema.read_version(self._connection) == 0:  # nobody else was faster
                    schema.create(self._connection)
        if not schema.follows(self._connection):
            raise damaged(self._path, "what keeps its head in step with its rows was taken out")

    @contextlib.contextmanager
    def _transaction(self, wait: float) -> Iterator[Execute]:
        connection = self._connection
        try:
            self._be_patient(wait)
            connection.execute("BEGIN IMMEDIATE")
            yield connection.execute
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise explain(error, self._path) from error
        finally:
            # also after Ctrl-C: an open transaction would lock out every other process
            if connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    connection.rollback()

    def _prune_some(self, older_than: float | None, keep_rows: int | None, wait: float) -> int:
        with self._transaction(wait) as execute:
            head = schema.read_head(self._connection) or self._headless()
            too_many = 0 if keep_rows is None else head.last_id - keep_rows
            last = max(self._last_older_than(older_than, head.last_id), too_many)
            last = min(last, head.anchor_id + _PRUNED_AT_ONCE, head.last_id)
            if last <= head.anchor_id:
                return 0
            (last_hash,) = execute("SELECT hash FROM log WHERE id = ?", (last,)).fetchone() or self._torn(last)
            deleted = execute("DELETE FROM log WHERE id <= ?", (last,)).rowcount
            execute(schema.MOVE_START, (deleted, last, last_hash))
            return deleted

    def _last_older_than(self, time: float | None, last_id: int) -> int:
        if time is None:
            return 0
        # the first row that is young enough ends it: a clock that was set back must not tear a hole
        row = self._connection.execute("SELECT id FROM log WHERE time >= ? ORDER BY id LIMIT 1", (time,)).fetchone()
        return last_id if row is None else int(row[0]) - 1

    def _be_patient(self, wait: float) -> None:
        if wait != self._wait:
            self._connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
            self._wait = wait

    def _headless(self) -> NoReturn:
        raise trouble(self._path, "its head is missing", "move it away so that a new one is begun (it is evidence)")

    def _torn(self, row_id: int) -> NoReturn:
        raise trouble(self._path, f"row {row_id} is missing", "`limpet log --verify` tells what was done to it")


def connect(path: str, *, wait: float, mode: str = "rw") -> sqlite3.Connection:
    """Open the database at `path`, never creating it: a file made by SQLite would have the umask's mode."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(
        f"file://{quoted}?mode={mode}", uri=True, timeout=wait, isolation_level=None, check_same_thread=False
    )
