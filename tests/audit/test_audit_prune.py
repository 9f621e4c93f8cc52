from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.happenings import prepared, recorder, tell
from limpet.errors import AuditError
from limpet.history import History

if TYPE_CHECKING:
    from pathlib import Path

    from limpet.audit.sqlite import SqliteRecorder

DAY = 86_400.0


def kept(path: Path) -> list[int]:
    history = History(str(path))
    assert history.verify() == []
    return [entry.id for entry in history.entries()]


def log_with(path: Path, days: list[float]) -> SqliteRecorder:
    """A row for each of `days`, read on the tenth day."""
    times = iter([*(day * DAY for day in days), *[10 * DAY] * 100])
    log = recorder(path, clock=lambda: next(times))
    tell(log, *(prepared(f"op-{n}") for n in range(len(days))))
    return log


@pytest.mark.parametrize(
    ("days", "rows", "left"),
    [
        (None, None, [1, 2, 3, 4, 5, 6]),
        (None, 2, [5, 6]),
        (None, 0, []),
        (None, 6, [1, 2, 3, 4, 5, 6]),
        (3, None, [5, 6]),
        (3, 1, [6]),
        (100, 100, [1, 2, 3, 4, 5, 6]),
        (0.5, None, []),
    ],
)
def test_what_is_too_old_or_too_many_goes(
    days: float | None, rows: int | None, left: list[int], tmp_path: Path
) -> None:
    log = log_with(tmp_path / "audit.db", [1, 2, 3, 4, 8, 9])
    assert log.prune(keep_days=days, keep_rows=rows) == 6 - len(left)
    assert kept(tmp_path / "audit.db") == left
    tell(log, prepared("after"))
    assert kept(tmp_path / "audit.db") == [*left, 7]
    log.close()


def test_a_clock_that_was_set_back_tears_no_hole(tmp_path: Path) -> None:
    log = log_with(tmp_path / "audit.db", [1, 9, 2, 9])
    assert log.prune(keep_days=3) == 1
    assert kept(tmp_path / "audit.db") == [2, 3, 4]
    log.close()


def test_many_rows_go_in_several_steps(tmp_path: Path) -> None:
    log = recorder(tmp_path / "audit.db")
    tell(log, *(prepared(f"op-{n}") for n in range(5_003)))
    assert log.prune(keep_rows=1) == 5_002
    assert kept(tmp_path / "audit.db") == [5_003]
    log.close()


def test_pruning_does_not_hide_a_deleted_row(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    log = log_with(path, [1] * 6)
    log.prune()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DELETE FROM log WHERE id = 2")
    log.prune(keep_rows=3)
    assert History(str(path)).verify() == ["head: counts 4 rows, 3 are there"]
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DELETE FROM log WHERE id = 5")
    with pytest.raises(AuditError, match="row 5 is missing; `limpet log --verify` tells"):
        log.prune(keep_rows=1)
    log.close()


def test_rows_deleted_by_hand_are_not_taken_for_pruned(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    log = log_with(path, [1] * 6)
    log.prune(keep_rows=4)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DELETE FROM log WHERE id = 3")
    assert History(str(path)).verify()[0] == "row 3 is missing: deleted before row 4"
    log.close()


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=6))
def test_any_order_of_writing_and_pruning_verifies(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int]]
) -> None:
    path, written, left = tmp_path_factory.mktemp("log") / "audit.db", 0, 0
    log = recorder(path)
    for more, keep in steps:
        tell(log, *(prepared(f"op-{n}") for n in range(more)))
        log.prune(keep_rows=keep)
        written, left = written + more, min(left + more, keep)
        assert kept(path) == list(range(written - left + 1, written + 1))
    log.close()
