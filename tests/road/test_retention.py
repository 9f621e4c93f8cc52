"""Stored output and records are kept for a while, and then deleted: the oldest first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import limpet
from limpet import sync
from limpet.engine.ids import new_id, time_of
from limpet.engine.store import Store
from limpet.history import History

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

DAY = 86_400.0


def stored(store: Store, size: int, age: float, now: float) -> str:
    name = new_id()
    output = store.open(name, 1 << 20)
    output.write(1, b"x" * size)
    output.finish()
    assert output.path is not None
    os.utime(output.path, (now - age, now - age))
    return output.path


def test_what_is_too_old_goes(tmp_path: Path) -> None:
    store, now = Store(str(tmp_path)), time_of(new_id())
    old, young = stored(store, 10, 8 * DAY, now), stored(store, 10, 6 * DAY, now)
    assert store.prune(keep_days=7, keep_bytes=1 << 20, now=now)
    assert (os.path.exists(old), os.path.exists(young)) == (False, True)


def test_the_oldest_of_too_much_goes(tmp_path: Path) -> None:
    store, now = Store(str(tmp_path)), time_of(new_id())
    paths = [stored(store, 100, age * 60, now) for age in (1, 2, 3, 4)]
    store.prune(keep_days=7, keep_bytes=250, now=now)
    assert [os.path.exists(path) for path in paths] == [True, True, False, False]


def test_it_looks_once_an_hour(tmp_path: Path) -> None:
    store, now = Store(str(tmp_path)), time_of(new_id())
    stored(store, 10, 0, now)
    looked = [store.prune(keep_days=7, keep_bytes=1 << 20, now=now + later) for later in (0, 60, 3599, 3601)]
    assert looked == [True, False, False, True]


def test_opening_a_shell_deletes_old_records_too(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_AUDIT_KEEP_ROWS", "2")
    sync.run("echo one", workspace=workspace)
    sync.run("echo two", workspace=workspace)
    history = History(os.environ["LIMPET_STATE_DIR"] + "/audit.db")
    assert len(history.entries()) == 4
    limpet.open(workspace)
    assert [entry.command for entry in history.entries()] == ["echo two", "echo two"]
    assert history.verify() == []
