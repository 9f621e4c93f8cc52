"""Whoever records to one file in a process does so through one log."""

from __future__ import annotations

import gc
import os
import threading
from typing import TYPE_CHECKING

from audit.happenings import as_it_is, finished, prepared, present, tell
from limpet.audit.log import log_at
from limpet.audit.sqlite import SqliteRecorder
from limpet.history import History

if TYPE_CHECKING:
    from pathlib import Path


def one_of_several(path: Path) -> SqliteRecorder:
    return SqliteRecorder(log_at(str(path)), redact=as_it_is)


def descriptors(path: Path) -> list[str]:
    """What of the log is open in this process."""
    found = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            name = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            continue
        if name.startswith(str(path)):
            found.append(name)
    return sorted(found)


def test_it_is_opened_once(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    first, second = one_of_several(path), one_of_several(path)
    tell(first, prepared("op-1"))
    alone = descriptors(path)
    tell(second, prepared("op-2"))
    assert alone
    assert descriptors(path) == alone
    first.close()
    second.close()
    assert present(path) == ["op-1 prepared", "op-2 prepared"]


def test_who_leaves_takes_it_from_nobody(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    first, second = one_of_several(path), one_of_several(path)
    tell(first, prepared("op-1"))
    tell(second, prepared("op-2"))
    first.close()
    first.close()
    held = descriptors(path)
    tell(second, finished("op-2"))
    assert held
    second.close()
    assert descriptors(path) == []
    assert not path.with_name("audit.db-tail").exists()
    assert History(str(path)).verify() == []


def test_who_has_left_may_come_again(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    first, second = one_of_several(path), one_of_several(path)
    tell(first, prepared("op-1"))
    first.close()
    tell(first, finished("op-1"))
    tell(second, prepared("op-2"))
    second.close()
    assert descriptors(path), "the first is not done"
    first.close()
    assert descriptors(path) == []


def test_who_is_forgotten_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    first, second = one_of_several(path), one_of_several(path)
    tell(first, prepared("op-1"))
    tell(second, prepared("op-2"))
    del first
    gc.collect()
    second.close()
    assert descriptors(path) == []


def test_many_threads_write_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    names = [f"op-{number}" for number in range(400)]

    def work(some: list[str]) -> None:
        recorder = one_of_several(path)
        for name in some:
            tell(recorder, prepared(name), finished(name))
        recorder.close()

    threads = [threading.Thread(target=work, args=(names[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(present(path)) == sorted(f"{name} {when}" for name in names for when in ("prepared", "finished"))
    assert History(str(path)).verify() == []
    assert descriptors(path) == []
