"""Rows -> a SQLite file and its tail. Not for several threads at once, nor across a fork."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING, NoReturn

from limpet.audit import place, schema
from limpet.audit.tail import End, Tail, following
from limpet.audit.trouble import damaged, explain, explaining, trouble, wrong_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Execute = Callable[..., sqlite3.Cursor]

_GONE, _BEGIN_ANEW = "it was deleted or replaced while in use", "the next command begins a new one"
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
        self._tail = Tail(path)
        self._end: End | None = None
        """Where the log ended when we last wrote to it."""
        with contextlib.ExitStack() as undo, explaining(path):
            self._connection = connect(path, wait=wait)
            undo.callback(self.close)
            self._set_up()
            undo.pop_all()

    def append(self, values: Sequence[object], *, wait: float) -> bool:
        """Write one row: all columns but id and hash. It is there, whole, or not at all.

        Whether the log should be put in order when there is time.
        """
        try:
            known = self._tail.lock(wait)
            try:
                if not known:
                    self._catch_up(wait)
                self._end = self._tail.add(values)
            finally:
                self._tail.unlock()
        except OSError as error:
            raise explain(error, self._path) from error
        if place.identity(self._path) != self._identity:
            self._be_gone()
        return self._tail.is_long

    def put_in_order(self, *, wait: float) -> None:
        """Have the newest rows go over to the table."""
        if not os.path.lexists(self._tail.path):
            return
        try:
            self._tail.lock(wait)
            try:
                self._be_the_log()
                self._move(wait)
            finally:
                self._tail.unlock()
        except OSError as error:
            raise explain(error, self._path) from error

    def _catch_up(self, wait: float) -> None:
        """Others have written since, or nobody has yet: find where the log ends."""
        self._be_the_log()
        while (known := self._tail.find_end()) is False or (known and self._must_move()):
            self._move(wait)
            self._tail.lock(wait)
        if known is None:
            self._tail.begin(self._end_of_table())

    def _be_the_log(self) -> None:
        """Where another log has taken the place of this one, the tail there is not ours to begin or to move."""
        if place.identity(self._path) != self._identity:
            self._be_gone()

    def _must_move(self) -> bool:
        """Also at first: only what is in the table is known to follow it."""
        return self._end is None or self._tail.is_too_long() or (self._tail.is_unknown and self._is_old())

    def _is_old(self) -> bool:
        """Whether it had gone over to the table before, and was put back."""
        self._tail.is_unknown = False
        return self._tail.end.id < self._read_end().id

    def _end_of_table(self) -> End:
        end = self._read_end()
        with explaining(self._path):
            newest = self._connection.execute(schema.READ_LAST).fetchone()[0]
        if newest > end.id:
            raise damaged(self._path, "its head does not know its newest rows")
        last, self._end = self._end, end
        if last is not None and end.id < last.id:
            raise trouble(self._tail.path, _GONE, _BEGIN_ANEW)
        return end

    def _read_end(self) -> End:
        with explaining(self._path):
            return End(*(self._connection.execute(schema.READ_END).fetchone() or self._headless()))

    def _move(self, wait: float) -> None:
        """With the lock in hand: all rows that follow what is in the table. What does not is kept elsewhere."""
        found = self._tail.read()
        if found is not None:
            with self._transaction(wait):
                self._connection.executemany(schema.INSERT, following(self._read_end(), found.rows))
            if found.torn or (found.rows and not self._has(found.end)):
                self._tail.set_aside()
                return
        self._tail.remove()

    def _has(self, end: End) -> bool:
        with explaining(self._path):
            return schema.holds(self._connection, end.id, end.hash)

    def prune(self, *, older_than: float | None, keep_rows: int | None, wait: float) -> int:
        """Delete the oldest rows, the count of which is returned, and move the start of the log behind them."""
        self.put_in_order(wait=wait)
        total = 0
        while deleted := self._prune_some(older_than, keep_rows, wait):
            total += deleted
        return total

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        self._tail.close()
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def _set_up(self) -> None:
        version = schema.read_version(self._connection)
        if version not in (0, schema.VERSION):
            raise wrong_version(self._path, version)
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

    def _be_gone(self) -> NoReturn:
        raise trouble(self._path, _GONE, _BEGIN_ANEW)

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
