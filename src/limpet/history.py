"""The audit log -> what was run, by whom, how it ended, and whether anybody changed the record since."""

from __future__ import annotations

import itertools
import os
import sqlite3
import stat
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec

from limpet.audit import chain, schema, tail
from limpet.audit.entry import COLUMNS, Entry, Kind, ResultKind
from limpet.audit.ledger import connect
from limpet.audit.trouble import explain, explaining, is_damage, trouble, wrong_version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from limpet.audit.tail import Newest

__all__ = ["Entry", "History", "Kind", "ResultKind"]

_WAIT = 30.0
_PROBLEMS = 100
"""Told in full; of what comes after, the count."""


class History:
    """Reads an audit log, also while others write it.

    One that is not there has no entries; one that cannot be read raises AuditError.
    """

    def __init__(self, path: str) -> None:
        self._path = os.path.abspath(path)

    def entries(
        self,
        *,
        limit: int | None = None,
        since: float | None = None,
        operation_id: str | None = None,
        kind: str | None = None,
        result: str | None = None,
    ) -> list[Entry]:
        """The newest `limit` rows that fit everything given, newest last. `since` is in seconds since 1970."""
        wanted = {"time >= ?": since, "operation_id = ?": operation_id, "kind = ?": kind, "result = ?": result}
        tests = {test: value for test, value in wanted.items() if value is not None}
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        query = f"{schema.SELECT}{where} ORDER BY id DESC LIMIT ?"
        rows = self._read(query, (*tests.values(), -1 if limit is None else limit))
        return [_entry(row) for row in reversed(rows)]

    def find(self, operation_id: str) -> list[Entry]:
        """Both rows of one run; one if it has not finished or never started, none if it is not known."""
        return self.entries(operation_id=operation_id)

    def verify(self) -> list[str]:
        """What was done to the log since it was written, a sentence each; empty when nothing was."""
        connection = self._open()
        if connection is None:
            return [*self._left_behind(), *self._set_aside()]
        with closing(connection):
            problems = itertools.chain(self._problems(connection), self._set_aside())
            told = list(itertools.islice(problems, _PROBLEMS))
            more = sum(1 for _ in problems)
        return [*told, f"and {more} more"] if more else told

    def _problems(self, connection: sqlite3.Connection) -> Iterator[str]:
        """A damaged page ends the reading, and is a finding like the others."""
        try:
            newest = self._look(connection)
            if self._is_empty(connection):
                yield "the file is empty: it was emptied, or its first writer was killed at once"
            elif head := schema.read_head(connection):
                yield from chain.verify(connection.execute(f"{schema.SELECT} ORDER BY id"), _whole(head, newest))
                yield from () if newest is None else self._tail_problems(connection, newest)
                yield from (f"file: {row[0]}" for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok")
                if not schema.follows(connection):
                    yield "head: what keeps it in step with the rows was taken out"
            else:
                yield "head: missing or not of the kind that is written"
        except sqlite3.Error as error:
            if not is_damage(error):
                raise explain(error, self._path) from error
            yield f"the file is damaged: {error}"

    def _tail_problems(self, connection: sqlite3.Connection, newest: Newest) -> Iterator[str]:
        if newest.torn:
            yield "tail: the newest rows are missing, or cannot be read"
        elif not newest.rows and not schema.holds(connection, newest.end.id, newest.end.hash):
            yield "tail: its rows are not those of the table"

    def _left_behind(self) -> Iterator[str]:
        try:
            if os.lstat(self._path + tail.SUFFIX).st_size and not os.path.lexists(self._path):  # nobody has begun it
                yield "tail: there are rows that follow a table, which is gone"
        except OSError:
            return

    def _set_aside(self) -> Iterator[str]:
        for name in itertools.takewhile(os.path.lexists, tail.set_aside_names(self._path)):
            yield f"{name}: set aside, since rows were missing from it or it did not follow the others"

    def _read(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        connection = self._open()
        if connection is None:
            return []
        with closing(connection), explaining(self._path):
            self._look(connection)
            return [] if self._is_empty(connection) else connection.execute(query, values).fetchall()

    def _look(self, connection: sqlite3.Connection) -> Newest | None:
        """Have one view of table and tail, whatever is written meanwhile; what the tail has more than the table."""

        def look() -> None:
            connection.execute("BEGIN")
            self._is_empty(connection)

        try:
            newest = tail.newest(self._path, _WAIT, look)
        except OSError as error:
            raise explain(error, self._path) from error
        if newest is None or self._is_empty(connection):
            return None
        head, last = schema.read_head(connection), connection.execute(schema.READ_LAST).fetchone()[0]
        behind = max(last, 0 if head is None else head.anchor_id)  # what was pruned is not there anymore
        more = [row for row in newest.rows if row[0] > behind]
        schema.extend(connection, more)
        return newest._replace(rows=more)

    def _is_empty(self, connection: sqlite3.Connection) -> bool:
        version = schema.read_version(connection)
        if version not in (0, schema.VERSION):
            raise wrong_version(self._path, version)
        return version == 0

    def _open(self) -> sqlite3.Connection | None:
        try:
            found, still = os.lstat(self._path), self._is_still()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise explain(error, self._path) from error
        if not stat.S_ISREG(found.st_mode):
            raise trouble(self._path, "it is not a plain file", "see what put it there and remove it")
        with explaining(self._path):
            connection = connect(self._path, wait=_WAIT, mode="ro&immutable=1" if still else "ro")
        # bytes that are not text were put there by somebody else; they must be shown, not refused
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        return connection

    def _is_still(self) -> bool:
        """Whether nobody can write: SQLite would miss the files that it makes for that, which cannot be made there."""
        read_only = os.statvfs(self._path).f_flag & os.ST_RDONLY
        return bool(read_only) and not os.path.lexists(self._path + "-wal")


def _whole(head: chain.Head, newest: Newest | None) -> chain.Head:
    """The head of the table, or that of table and tail."""
    if newest is None or newest.end.id <= head.last_id:
        return head
    return msgspec.structs.replace(
        head, count=head.count + len(newest.rows), last_id=newest.end.id, last_hash=newest.end.hash
    )


def _entry(row: tuple[Any, ...]) -> Entry:
    fields = dict(zip(COLUMNS, row, strict=True))
    fields["hash"] = row[-1].hex() if isinstance(row[-1], bytes) else str(row[-1])
    fields["truncated"] = None if fields["truncated"] is None else bool(fields["truncated"])
    return Entry(**fields)
