from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from audit.happenings import prepared, recorder, tell, write
from limpet.audit.sqlite import SqliteRecorder
from limpet.errors import AuditError
from limpet.history import History


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
