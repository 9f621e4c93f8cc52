from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from audit.happenings import environment, prepared, recorder, tell, write, writer
from limpet.audit import place
from limpet.errors import AuditError
from limpet.history import History

if TYPE_CHECKING:
    from pathlib import Path


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}


PRIVATE = {"state": 0o700, **dict.fromkeys(("audit.db", "audit.db-shm", "audit.db-tail", "audit.db-wal"), 0o600)}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_files_are_private_under_any_umask_which_stays_as_it_is(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        log = recorder(tmp_path / "deep" / "state" / "audit.db")
        tell(log, prepared())
        assert modes(tmp_path / "deep" / "state") == PRIVATE
        log.close()
    finally:
        assert os.umask(before) == umask


def test_files_that_others_may_read_are_made_private(tmp_path: Path) -> None:
    first, second = recorder(tmp_path / "state" / "audit.db"), recorder(tmp_path / "state" / "audit.db")
    tell(first, prepared())
    for file in (tmp_path / "state").iterdir():
        file.chmod(0o666)
    tell(second, prepared())
    assert modes(tmp_path / "state") == PRIVATE
    first.close()
    second.close()


@pytest.mark.parametrize("name", ["audit.db", "audit.db-wal", "audit.db-shm", "audit.db-tail"])
def test_a_symbolic_link_is_not_followed(name: str, tmp_path: Path) -> None:
    target, folder = tmp_path / "precious", tmp_path / "state"
    target.write_text("precious")
    folder.mkdir()
    (folder / name).symlink_to(target)
    with pytest.raises(AuditError, match=f"{name}: audit log: it is not a plain file; see what put it there"):
        tell(recorder(folder / "audit.db"), prepared())
    assert target.read_text() == "precious"


def test_a_link_to_nowhere_creates_nothing(tmp_path: Path) -> None:
    (tmp_path / "audit.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(AuditError, match="not a plain file"):
        tell(recorder(tmp_path / "audit.db"), prepared())
    assert [file.name for file in tmp_path.iterdir()] == ["audit.db"]


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_not_a_file_is_refused(make: object, tmp_path: Path) -> None:
    assert callable(make)
    make(tmp_path / "audit.db")
    with pytest.raises(AuditError, match="not a plain file"):
        tell(recorder(tmp_path / "audit.db"), prepared())
    with pytest.raises(AuditError, match="not a plain file"):
        History(str(tmp_path / "audit.db")).entries()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "audit.db", 1)
    os.chown(tmp_path / "audit.db", 12345, -1)
    with pytest.raises(AuditError, match="belongs to user 12345, not 0; set LIMPET_STATE_DIR"):
        tell(recorder(tmp_path / "audit.db"), prepared())


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in the way")
    with pytest.raises(AuditError, match=r"state/audit.db: audit log: it cannot be opened .*set LIMPET_STATE_DIR"):
        tell(recorder(tmp_path / "state" / "audit.db"), prepared())


@pytest.mark.parametrize("name", ["a b", "50%?x=1#y", "ünïcode", "\udcff"])
def test_the_path_may_hold_anything(name: str, tmp_path: Path) -> None:
    write(tmp_path / name / "audit.db", 2)
    assert sorted(file.name for file in (tmp_path / name).iterdir()) == ["audit.db"]
    assert len(History(str(tmp_path / name / "audit.db")).entries()) == 2


def test_a_path_is_taken_from_where_the_recorder_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log, history = recorder("audit.db"), History("audit.db")
    monkeypatch.chdir("/")
    tell(log, prepared())
    assert len(history.entries()) == 1
    log.close()


def test_making_sure_of_the_file_does_not_drop_its_locks(tmp_path: Path) -> None:
    write(tmp_path / "audit.db", 1)
    log = recorder(tmp_path / "audit.db")
    tell(log, prepared())
    assert log._log.ledger is not None
    log._log.ledger._connection.execute("BEGIN IMMEDIATE")
    place.claim(str(tmp_path / "audit.db"))
    script = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "audit.db"], capture_output=True, timeout=30)
    assert b"database is locked" in done.stderr
    log._log.ledger._connection.execute("COMMIT")
    subprocess.run(writer(tmp_path / "audit.db", 1, "w"), check=True, env=environment(), stdout=-3, timeout=30)
    log.close()
