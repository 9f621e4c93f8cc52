from __future__ import annotations

import os
import shutil
import struct
from typing import TYPE_CHECKING

import pytest

from audit.happenings import prepared, recorder, tell, write
from limpet.errors import AuditError
from limpet.history import History

if TYPE_CHECKING:
    from pathlib import Path

    from limpet.audit.sqlite import SqliteRecorder


def ids(path: Path) -> list[str]:
    return [entry.operation_id for entry in History(str(path)).entries()]


def state(path: Path) -> tuple[list[str], list[str]]:
    return ids(path), History(str(path)).verify()


def tail_of(path: Path) -> Path:
    return path.with_name("audit.db-tail")


@pytest.fixture(params=["tail", "table"])
def replaced(request: pytest.FixtureRequest, tmp_path: Path) -> SqliteRecorder:
    """One that has its rows in a log whose folder was then moved away."""
    old = recorder(tmp_path / "state" / "audit.db")
    tell(old, prepared("old-1"), prepared("old-2"))
    if request.param == "table":
        old.prune(keep_rows=9)  # which has them go over to it
    (tmp_path / "state").rename(tmp_path / "moved")
    return old


def test_who_had_the_log_before_does_not_take_the_rows_of_the_new_one(replaced: SqliteRecorder, tmp_path: Path) -> None:
    path = tmp_path / "state" / "audit.db"
    new = recorder(path)
    tell(new, prepared("new-1"), prepared("new-2"))
    replaced.close()
    assert state(path) == (["new-1", "new-2"], [])
    tell(new, prepared("new-3"))
    new.close()
    assert state(path) == (["new-1", "new-2", "new-3"], [])
    assert state(tmp_path / "moved" / "audit.db") == (["old-1", "old-2"], [])


def test_who_had_the_log_before_does_not_begin_the_tail_of_the_new_one(
    replaced: SqliteRecorder, tmp_path: Path
) -> None:
    path = tmp_path / "state" / "audit.db"
    write(path, 1)
    with pytest.raises(AuditError, match="it was deleted or replaced while in use; the next command begins a new one"):
        tell(replaced, prepared("lost"))
    assert state(path) == (["op-1"], [])
    tell(replaced, prepared("op-2"))
    replaced.close()
    assert state(path) == (["op-1", "op-2"], [])


@pytest.mark.parametrize(
    "value", [b"\x90", b"\xc3", b"\xd4\0\0", b"\xcf" + b"\xff" * 8], ids=["list", "bool", "ext", "huge"]
)
def test_a_value_that_no_column_holds_is_a_finding_and_the_log_goes_on(value: bytes, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    write(path, 1)
    log = recorder(path)
    tell(log, prepared("op-2"), prepared("op-3"))
    data = tail_of(path).read_bytes()
    at = data.index(b"\xc0", 56)
    length = struct.pack("<I", struct.unpack_from("<I", data, 56)[0] + len(value) - 1)
    size = struct.pack("<Q", len(data) + len(value) - 1)
    tail_of(path).write_bytes(data[:8] + size + data[16:56] + length + data[60:at] + value + data[at + 1 :])
    assert (ids(path), History(str(path)).verify() != []) == (["op-1"], True)
    write(path, 1)
    log.close()
    told = f"{path}-damaged-1: set aside, since rows were missing from it or it did not follow the others"
    assert state(path) == (["op-1", "op-1"], [told])


def test_a_tail_that_had_gone_over_to_the_table_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    log = recorder(path)
    tell(log, prepared("op-1"), prepared("op-2"))
    shutil.copy(tail_of(path), tmp_path / "kept")
    other = recorder(path)
    tell(other, prepared("op-3"))
    other.close()
    shutil.move(tmp_path / "kept", tail_of(path))
    tell(log, prepared("op-4"))
    assert state(path) == (["op-1", "op-2", "op-3", "op-4"], [])
    log.close()
    assert state(path) == (["op-1", "op-2", "op-3", "op-4"], [])


def test_a_tail_whose_rows_are_not_those_of_the_table_shows(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "audit.db", tmp_path / "elsewhere" / "audit.db"
    log = recorder(path)
    tell(log, prepared("mine-1"), prepared("mine-2"))
    shutil.copy(tail_of(path), tmp_path / "kept")
    log.close()
    write(elsewhere, 3)
    shutil.move(elsewhere, path)
    shutil.move(tmp_path / "kept", tail_of(path))
    assert History(str(path)).verify() == ["tail: its rows are not those of the table"]


@pytest.mark.parametrize("keep", [0, 1, 2])
def test_rows_that_are_pruned_before_their_tail_is_gone_are_not_missed(keep: int, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    log = recorder(path)
    tell(log, *(prepared(f"op-{n}") for n in range(1, 5)))
    shutil.copy(tail_of(path), tmp_path / "kept")
    log.prune(keep_rows=keep)
    shutil.move(tmp_path / "kept", tail_of(path))  # as who is killed between the two leaves it
    left = [f"op-{n}" for n in range(5 - keep, 5)]
    assert state(path) == (left, [])
    log.close()
    write(path, 1)
    assert state(path) == ([*left, "op-1"], [])


def test_a_tail_without_its_table_shows(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    write(path, 2)
    log = recorder(path)
    tell(log, prepared("op-3"))
    for end in ("", "-wal", "-shm"):
        os.unlink(f"{path}{end}")
    assert state(path) == ([], ["tail: there are rows that follow a table, which is gone"])
    write(path, 1)
    log.close()
    path.unlink()
    told = f"{path}-damaged-1: set aside, since rows were missing from it or it did not follow the others"
    assert state(path) == ([], [told])
