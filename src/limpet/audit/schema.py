"""The tables of the audit log, and the statements that write and read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.audit.chain import GENESIS, Head
from limpet.audit.entry import COLUMNS

if TYPE_CHECKING:
    import sqlite3

VERSION = 1
APPLICATION = 0x4C4D5054
"""Says in the file's own header that this is an audit log of limpet."""

_LOG = """
CREATE TABLE log (
    id INTEGER PRIMARY KEY, time REAL, operation_id TEXT, kind TEXT, tool TEXT, command TEXT, cwd TEXT,
    description TEXT, surface TEXT, agent TEXT, caller TEXT, verdict TEXT, rule TEXT, approved_by TEXT,
    result TEXT, outcome TEXT, reason TEXT, duration_ms INTEGER,
    error_category TEXT, error_domain TEXT, error_phase TEXT,
    exit_code INTEGER, signal TEXT, truncated INTEGER, output_file TEXT, pid INTEGER, hash BLOB
)
"""
_HEAD = """
CREATE TABLE head (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    count INTEGER, last_id INTEGER, last_hash BLOB, anchor_id INTEGER, anchor_hash BLOB
)
"""

# A row is written only where it is the next one, and the head with it.
_FOLLOW = """
CREATE TRIGGER follow AFTER INSERT ON log BEGIN
    SELECT RAISE(ABORT, 'not the next row') WHERE NEW.id IS NOT (SELECT last_id + 1 FROM head);
    UPDATE head SET count = count + 1, last_id = NEW.id, last_hash = NEW.hash;
END
"""

INSERT = f"INSERT INTO log VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - nothing but question marks
SELECT = f"SELECT {', '.join(COLUMNS)} FROM log"  # noqa: S608 - names of our own columns
READ_LAST = "SELECT coalesce(max(id), 0) FROM log"
READ_END = "SELECT last_id, last_hash FROM head"
HOLDS = """
SELECT EXISTS (SELECT 1 FROM main.log WHERE id = :id AND hash = :hash)
    OR EXISTS (SELECT 1 FROM head WHERE anchor_id > :id OR (anchor_id = :id AND anchor_hash = :hash))
"""
MOVE_START = "UPDATE head SET count = count - ?, anchor_id = ?, anchor_hash = ?"
READ_HEAD = "SELECT count, last_id, last_hash, anchor_id, anchor_hash FROM head"


def create(connection: sqlite3.Connection) -> None:
    """Lay out an empty log, inside the caller's transaction."""
    connection.execute(_LOG)
    connection.execute("CREATE INDEX log_operation ON log (operation_id)")
    connection.execute(_HEAD)
    connection.execute(_FOLLOW)
    connection.execute("INSERT INTO head VALUES (1, 0, 0, ?, 0, ?)", (GENESIS, GENESIS))
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def extend(connection: sqlite3.Connection, rows: list[tuple[object, ...]]) -> None:
    """Have this connection, and nobody else, see more rows at the end of the log."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(_LOG.replace("TABLE log", "TEMP TABLE more"))
    connection.executemany(INSERT.replace("INTO log", "INTO temp.more"), rows)
    connection.execute("CREATE TEMP VIEW log AS SELECT * FROM main.log UNION ALL SELECT * FROM temp.more")


def holds(connection: sqlite3.Connection, row_id: int, row_hash: bytes) -> bool:
    """Whether a row is in the table, or was until it was pruned."""
    return bool(connection.execute(HOLDS, {"id": row_id, "hash": row_hash}).fetchone()[0])


def read_version(connection: sqlite3.Connection) -> int | None:
    """0 for a file with nothing in it; None for a database that is not an audit log."""
    if connection.in_transaction:
        return _version(connection)
    connection.execute("BEGIN")  # one view of all of it: somebody may be laying it out at this moment
    try:
        return _version(connection)
    finally:
        connection.rollback()  # it was only a look; nothing happens where a full disk has ended it


def _version(connection: sqlite3.Connection) -> int | None:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    if application == APPLICATION:
        return version
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return None if tables or version or application else 0


def follows(connection: sqlite3.Connection) -> bool:
    """Whether what keeps the head in step with the rows is still there."""
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name = 'follow'"
    return bool(connection.execute(query).fetchone()[0])


def read_head(connection: sqlite3.Connection) -> Head | None:
    """None when the head is not there or holds what was never written."""
    row = connection.execute(READ_HEAD).fetchone()
    kinds = (int, int, bytes, int, bytes)
    if row is None or not all(isinstance(value, kind) for value, kind in zip(row, kinds, strict=True)):
        return None
    return Head(count=row[0], last_id=row[1], last_hash=row[2], anchor_id=row[3], anchor_hash=row[4])
