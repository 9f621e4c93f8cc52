from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from audit.happenings import environment, finished, prepared, recorder, tell, write, writer
from limpet.audit import tail
from limpet.errors import AuditError
from limpet.history import History
from living import wait_for

if TYPE_CHECKING:
    from limpet.audit.sqlite import SqliteRecorder


def tail_of(path: Path) -> Path:
    return path.with_name("audit.db-tail")


def in_table(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM log").fetchone()[0])


def ids(path: Path) -> list[str]:
    return [entry.operation_id for entry in History(str(path)).entries()]


def names(count: int, first: int = 1) -> list[str]:
    return [f"op-{n}" for n in range(first, first + count)]


@pytest.fixture
def log(tmp_path: Path) -> SqliteRecorder:
    """Two rows in the table, four in the tail, and the recorder still open."""
    write(tmp_path / "audit.db", 2)
    open_log = recorder(tmp_path / "audit.db")
    tell(open_log, *(prepared(name) for name in names(4, 3)))
    return open_log


def killed(path: Path) -> None:
    """What the log is like when its only writer was killed at once after its fourth row."""
    process = subprocess.Popen(writer(path, 10_000, "k"), env=environment(), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(5):
        process.stdout.readline()
    process.kill()
    process.communicate(timeout=20)


def test_the_newest_rows_are_read_with_the_others(log: SqliteRecorder, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    history = History(str(path))
    assert (in_table(path), ids(path), history.verify()) == (2, names(6), [])
    assert [entry.id for entry in history.entries(limit=3)] == [4, 5, 6]
    assert [entry.id for entry in history.find("op-2") + history.find("op-5")] == [2, 5]
    log.close()
    assert (in_table(path), ids(path), history.verify(), tail_of(path).exists()) == (6, names(6), [], False)


def test_reading_changes_nothing(log: SqliteRecorder, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in tmp_path.iterdir() if not file.name.endswith("-shm")}
    ids(tmp_path / "audit.db")
    History(str(tmp_path / "audit.db")).verify()
    assert {file: file.read_bytes() for file in before} == before
    log.close()


def test_what_a_killed_writer_leaves_is_read_and_then_put_in_order_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    killed(path)
    left = len(ids(path))
    assert (left >= 4, in_table(path), History(str(path)).verify()) == (True, 0, [])
    write(path, 1)
    assert (in_table(path), History(str(path)).verify(), tail_of(path).exists()) == (left + 1, [], False)


def test_every_byte_that_is_changed_shows(log: SqliteRecorder, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    data = tail_of(path).read_bytes()
    unseen = []
    for at in range(len(data)):
        tail_of(path).write_bytes(data[:at] + bytes([data[at] ^ 0x11]) + data[at + 1 :])
        try:
            unseen += [] if History(str(path)).verify() else [at]
        except AuditError as error:
            assert "this limpet did not write it" in str(error)
    assert unseen == []
    tail_of(path).write_bytes(data)
    assert History(str(path)).verify() == []
    log.close()


def test_wherever_it_is_cut_that_shows_and_the_log_goes_on(log: SqliteRecorder, tmp_path: Path) -> None:
    path, places = tmp_path / "audit.db", tmp_path / "copies"
    size = tail_of(path).stat().st_size
    for length in range(0, size, 13):
        copy = places / str(length) / "audit.db"
        copy.parent.mkdir(parents=True)
        for end in ("", "-wal", "-tail"):
            shutil.copy(f"{path}{end}", f"{copy}{end}")
        os.truncate(tail_of(copy), length)
        begun = length >= 56
        assert bool(History(str(copy)).verify()) == begun, length
        write(copy, 1)
        kept = ids(copy)
        assert (kept[:-1], kept[-1]) == (names(len(kept) - 1), "op-1")
        problems = History(str(copy)).verify()
        assert ([problem.split(": ")[0] for problem in problems]) == ([f"{copy}-damaged-1"] if begun else [])
        assert os.path.exists(f"{copy}-damaged-1") == begun
    log.close()


def test_what_was_begun_and_not_acknowledged_does_not_count(log: SqliteRecorder, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    for rest in (b"\0", b"\xff" * 5_000, tail_of(path).read_bytes()[56:]):
        with tail_of(path).open("ab") as file:
            file.write(rest)
        assert (ids(path), History(str(path)).verify()) == (names(6), [])
    tell(log, prepared("op-7"))
    assert (ids(path), History(str(path)).verify()) == (names(7), [])
    log.close()
    assert (ids(path), History(str(path)).verify()) == (names(7), [])


@pytest.mark.parametrize("what", ["audit.db-tail", "audit.db"])
def test_what_is_deleted_while_it_is_in_use_is_told_once(what: str, log: SqliteRecorder, tmp_path: Path) -> None:
    (tmp_path / what).unlink()
    with pytest.raises(AuditError, match="it was deleted or replaced while in use; the next command begins a new one"):
        tell(log, prepared("lost"))
    tell(log, prepared("op-8"))
    log.close()
    assert ids(tmp_path / "audit.db")[-1] == "op-8"


def test_others_may_put_it_in_order_at_any_time(log: SqliteRecorder, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    for number in range(7, 30):
        other = recorder(path)
        tell(log if number % 3 else other, prepared(f"op-{number}"))
        other.close()
    log.close()
    assert (ids(path), History(str(path)).verify()) == (names(29), [])


def test_rows_are_not_written_twice_by_who_is_killed_before_the_file_is_gone(
    log: SqliteRecorder, tmp_path: Path
) -> None:
    path = tmp_path / "audit.db"
    shutil.copy(tail_of(path), tmp_path / "kept")
    log.close()
    shutil.move(tmp_path / "kept", tail_of(path))
    assert (ids(path), History(str(path)).verify()) == (names(6), [])
    tell(log, prepared("op-7"))
    log.close()
    assert (ids(path), History(str(path)).verify()) == (names(7), [])


def test_rows_that_do_not_follow_the_table_are_set_aside_and_told(log: SqliteRecorder, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    log.close()
    for file in tmp_path.iterdir():
        shutil.copy(file, tmp_path / f"old-{file.name}")
    tell(log, prepared("op-7"), prepared("op-8"))
    log.close()
    tell(log, prepared("op-9"))
    shutil.copy(tail_of(path), tmp_path / "kept")
    log.close()
    shutil.move(tmp_path / "old-audit.db", path)  # somebody has brought back a copy of yesterday
    shutil.move(tmp_path / "kept", tail_of(path))
    assert History(str(path)).verify() != []
    write(path, 1)
    assert ids(path) == [*names(6), "op-1"]
    (problem,) = History(str(path)).verify()
    assert problem.startswith(f"{path}-damaged-1: set aside, since rows were missing from it or it did not follow")
    assert b"op-9" in Path(f"{path}-damaged-1").read_bytes()


def test_a_long_tail_goes_over_to_the_table_while_the_log_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    log = recorder(path)
    tell(log, *(prepared(name, "x" * 10_000) for name in names(40)))
    wait_for(lambda: in_table(path) > 20, 20)
    assert tail_of(path).stat().st_size < tail.LONG
    assert (ids(path), History(str(path)).verify()) == (names(40), [])
    log.close()


def test_a_locked_table_holds_up_nobody_until_there_is_too_much(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    log = recorder(path, patience=0.1)
    tell(log, prepared("op-0"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        rows = tail.TOO_LONG // 17_000
        tell(log, *(prepared(f"op-{n}", "x" * 16_000) for n in range(1, rows)))
        assert len(ids(path)) == rows
        with pytest.raises(AuditError, match="others keep it locked"):
            tell(log, *(finished(f"more-{n}", "x" * 16_000) for n in range(rows)))
        other.execute("ROLLBACK")
    tell(log, prepared("after"))
    log.close()
    assert (History(str(path)).verify(), ids(path)[-1]) == ([], "after")


def test_who_is_stopped_with_the_lock_in_hand_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    process = subprocess.Popen(writer(path, 100_000, "s"), env=environment(), stdout=subprocess.DEVNULL)
    try:
        for _ in range(15):
            wait_for(lambda: ids(path), 20)
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            log = recorder(path, patience=0.05)
            try:
                tell(log, prepared("other"))
            except AuditError as error:
                assert "others keep it locked" in str(error)
            process.send_signal(signal.SIGCONT)
            log.close()
    finally:
        process.kill()
        process.wait(20)
    assert History(str(path)).verify() == []
