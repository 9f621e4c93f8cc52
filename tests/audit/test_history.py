from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
import pytest

from audit.happenings import finished, prepared, recorder, tell, write
from limpet.audit.entry import COLUMNS
from limpet.errors import AuditError
from limpet.history import History
from limpet.model.codec import to_json

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of six rows."""
    write(tmp_path / "audit.db", 6)
    return tmp_path / "audit.db"


def alter(path: Path, *statements: str) -> list[str]:
    """What `verify` says once somebody has had the file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return History(str(path)).verify()


def test_a_missing_log_has_no_entries_and_no_problems(tmp_path: Path) -> None:
    history = History(str(tmp_path / "nowhere" / "audit.db"))
    assert (history.entries(), history.find("op-1"), history.verify()) == ([], [], [])
    assert list(tmp_path.iterdir()) == []


def test_entries_are_chosen_by_what_is_given_and_come_newest_last(tmp_path: Path) -> None:
    times = iter(range(100))
    log = recorder(tmp_path / "audit.db", clock=lambda: next(times))
    tell(log, prepared("a"), finished("a"), prepared("b"), prepared("c"), finished("b"))
    history = History(str(tmp_path / "audit.db"))
    assert [entry.id for entry in history.entries()] == [1, 2, 3, 4, 5]
    assert [entry.id for entry in history.entries(limit=2)] == [4, 5]
    assert [entry.id for entry in history.entries(limit=0)] == []
    assert [entry.id for entry in history.entries(since=2.0)] == [3, 4, 5]
    assert [entry.id for entry in history.entries(kind="prepared", limit=2)] == [3, 4]
    assert [entry.id for entry in history.entries(result="success")] == [2, 5]
    assert [entry.id for entry in history.find("b")] == [3, 5]
    assert [entry.id for entry in history.find("x' OR 1=1 --")] == []
    log.close()


def test_an_entry_is_one_line_of_json(path: Path) -> None:
    (entry,) = History(str(path)).find("op-3")
    assert json.loads(to_json(entry)) == msgspec.to_builtins(entry)


def test_reading_sees_what_was_written_a_moment_ago(path: Path) -> None:
    log, history = recorder(path), History(str(path))
    for number in range(7, 20):
        tell(log, prepared(f"op-{number}"))
        assert [entry.id for entry in history.find(f"op-{number}")] == [number]
        assert history.verify() == []
    log.close()


def test_an_untouched_log_has_no_problems(path: Path) -> None:
    assert alter(path) == []


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("row", [1, 3, 6])
@pytest.mark.parametrize("value", ["'forged'", "x'00'", "CAST(x'ff' AS TEXT)", "-77"])
def test_a_changed_column_shows(column: str, row: int, value: str, path: Path) -> None:
    value = "-77" if column == "id" else value  # an id is always a number
    assert alter(path, f"UPDATE log SET {column} = {value} WHERE id = {row}") != []
    assert len(History(str(path)).entries()) == 6


def test_a_changed_row_is_named(path: Path) -> None:
    assert alter(path, "UPDATE log SET command = 'ls' WHERE id = 3") == [
        "row 3: does not match its hash: it or the row before it was edited or moved"
    ]


@pytest.mark.parametrize("row", [1, 3, 6])
def test_a_deleted_row_shows(row: int, path: Path) -> None:
    problems = alter(path, f"DELETE FROM log WHERE id = {row}")
    assert (problems[0].split(":")[0], problems[1:]) == (
        f"row {row} is missing",
        ["head: counts 6 rows, 5 are there"],
    )


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 5), (5, 6), (1, 6)])
def test_swapped_rows_show(one: int, other: int, path: Path) -> None:
    swap = (f"UPDATE log SET id = {a} WHERE id = {b}" for a, b in ((99, one), (one, other), (other, 99)))
    problems = alter(path, *swap)
    assert {one, other} <= {int(problem.split()[1].rstrip(":")) for problem in problems}


@pytest.mark.parametrize("after", [0, 1, 4])
def test_a_log_without_its_newest_rows_shows(after: int, path: Path) -> None:
    assert "the newest rows were deleted" in alter(path, f"DELETE FROM log WHERE id > {after}")[0]


@pytest.mark.parametrize("column", ["count", "last_id", "last_hash", "anchor_id", "anchor_hash"])
@pytest.mark.parametrize("value", ["3", "x'00'", "NULL", "'x'"])
def test_a_changed_head_shows(column: str, value: str, path: Path) -> None:
    assert alter(path, f"UPDATE head SET {column} = {value}") != []


@pytest.mark.parametrize("statement", ["DELETE FROM head", "DROP TABLE head", "DROP TABLE log"])
def test_a_missing_table_shows(statement: str, path: Path) -> None:
    (problem,) = alter(path, statement)
    assert problem.startswith(("head: missing", "the file is damaged: no such table"))


def test_many_problems_are_counted(path: Path) -> None:
    write(path, 200)
    problems = alter(path, "UPDATE log SET command = 'ls'")
    assert (len(problems), problems[-1]) == (101, "and 106 more")


@pytest.mark.parametrize("keep", [0.9, 0.5, 0.2])
def test_a_file_cut_short_shows(keep: float, path: Path) -> None:
    write(path, 400)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(int(size * keep))
    assert History(str(path)).verify() != []


def test_an_emptied_file_shows(path: Path) -> None:
    path.write_bytes(b"")
    history = History(str(path))
    assert history.entries() == []
    assert history.verify() == ["the file is empty: it was emptied, or its first writer was killed at once"]


def test_bytes_overwritten_in_the_middle_show(path: Path) -> None:
    write(path, 400)
    data = bytearray(path.read_bytes())
    for at in range(4096 * 3, len(data), 4096 * 5):
        data[at : at + 64] = b"\xa5" * 64
    path.write_bytes(data)
    assert History(str(path)).verify() != []


def test_a_file_that_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "audit.db").write_text("not a database, but long enough to be looked at as one. " * 100)
    history = History(str(tmp_path / "audit.db"))
    with pytest.raises(AuditError, match=r"audit.db: audit log: it is damaged or not a database .*; move it away"):
        history.entries()
    assert history.verify() == ["the file is damaged: file is not a database"]


def test_a_missing_rule_shows_and_nothing_more_is_written(path: Path) -> None:
    assert alter(path, "DROP TRIGGER follow") == ["head: what keeps it in step with the rows was taken out"]
