from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from audit.happenings import environment, prepared, recorder, tell, write, writer
from limpet.errors import AuditError
from limpet.history import History

if TYPE_CHECKING:
    from pathlib import Path

MOUNTS = ["unshare", "--mount", "--propagation", "private"]
STRACE = shutil.which("strace")

FULL = """
import os, sys
from audit.happenings import *
from limpet.errors import AuditError
from limpet.history import History
place = sys.argv[1]
log, done = recorder(place + "/audit.db"), 0
tell(log, prepared("op-0"))
ballast = os.open(place + "/ballast", os.O_CREAT | os.O_WRONLY)
try:
    while True:
        os.write(ballast, bytes(4096))
except OSError:
    pass
try:
    for done in range(1, 10_000):
        tell(log, prepared(f"op-{done}", "x" * 5000))
except AuditError as error:
    print(error)
history = History(place + "/audit.db")
assert [one.operation_id for one in history.entries()] == [f"op-{n}" for n in range(done)], done
assert history.verify() == []
os.ftruncate(ballast, 0)
tell(log, prepared("after"))
assert (len(history.entries()), history.verify()) == (done + 1, [])
log.close()
assert History(place + "/audit.db").verify() == []
print("recovered")
"""

FILLED = """
import os, sys
from audit.happenings import *
from limpet.errors import AuditError
place = sys.argv[1]
log = recorder(place + "/audit.db")
tell(log, prepared("op-0"))
log.close()
ballast = os.open(place + "/ballast", os.O_WRONLY | os.O_CREAT)
try:
    while True:
        os.write(ballast, bytes(4096))
except OSError:
    pass
log = recorder(place + "/audit.db")
try:
    tell(log, prepared("op-1"))
except AuditError as error:
    print(error)
"""

READ_ONLY = """
import subprocess, sys
from audit.happenings import *
from limpet.errors import AuditError
from limpet.history import History
place = sys.argv[1]
log = recorder(place + "/audit.db")
tell(log, prepared("op-0"))
log.close()
subprocess.run(["mount", "-o", "remount,ro", place], check=True, timeout=20)
try:
    tell(log, prepared("op-1"))
except AuditError as error:
    print(error)
"""

READ_ONLY_AND_READ = """
import subprocess, sys
from audit.happenings import *
from limpet.history import History
place = sys.argv[1]
log = recorder(place + "/audit.db")
tell(log, prepared("op-0"), prepared("op-1"))
log.close()
subprocess.run(["mount", "-o", "remount,ro", place], check=True, timeout=20)
history = History(place + "/audit.db")
print([one.operation_id for one in history.entries()], history.verify())
"""


def on_small_disk(script: str, place: Path) -> list[str]:
    """What the script prints when run on a file system of 256 KiB that only it can see."""
    if os.geteuid() != 0 or subprocess.run([*MOUNTS, "true"], capture_output=True, timeout=20).returncode:
        pytest.skip("mounting a small file system needs root")
    mount = 'mount -t tmpfs -o size=256k none "$1" && exec "$2" -c "$3" "$1"'
    command = [*MOUNTS, "sh", "-c", mount, "sh", str(place), sys.executable, script]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout.splitlines()


def test_a_full_disk_is_told_and_costs_no_old_row(tmp_path: Path) -> None:
    said, recovered = on_small_disk(FULL, tmp_path)
    assert re.fullmatch(
        rf"{tmp_path}/audit.db: audit log: no space is left on its disk \(.*\); free some "
        r"\(audit.required = false runs commands without a record\)",
        said,
    )
    assert recovered == "recovered"


def test_a_log_that_is_opened_on_a_full_disk_is_not_called_damaged(tmp_path: Path) -> None:
    (said,) = on_small_disk(FILLED, tmp_path)
    assert re.match(rf"{tmp_path}/audit.db: audit log: (its disk is full|no space is left)", said), said


def test_a_read_only_disk_is_told(tmp_path: Path) -> None:
    (said,) = on_small_disk(READ_ONLY, tmp_path)
    assert re.match(
        rf"{tmp_path}/audit.db: audit log: it (may not be written|cannot be opened) .*LIMPET_STATE_DIR", said
    )


def test_a_log_on_a_read_only_disk_is_read(tmp_path: Path) -> None:
    assert on_small_disk(READ_ONLY_AND_READ, tmp_path) == ["['op-0', 'op-1'] []"]


@pytest.mark.skipif(STRACE is None, reason="strace is what makes a call fail")
@pytest.mark.parametrize(
    ("call", "error", "first", "last"),
    [
        ("pwrite64", "ENOSPC", 1, 14),
        ("pwrite64", "EIO", 3, 6),
        ("fdatasync", "EIO", 1, 4),
        ("ftruncate", "EIO", 1, 2),
        ("flock", "ENOLCK", 1, 8),
        ("pread64", "EIO", 1, 3),
        ("unlink", "EIO", 1, 3),
        ("newfstatat", "EIO", 1, 12),
        ("mmap", "ENOMEM", 1, 1),
        ("fcntl", "EIO", 1, 6),
        ("mknodat", "EROFS", 1, 1),
    ],
)
def test_a_call_that_fails_never_makes_the_log_lie(
    call: str, error: str, first: int, last: int, tmp_path: Path
) -> None:
    for number in range(first, last + 1):
        path = tmp_path / f"{number}" / "audit.db"
        done = injected(path, call, error, number)
        assert "Traceback" not in done.stderr
        assert all(re.match(r".*/audit.db: audit log: .*; .*", line) for line in done.stderr.splitlines()), done.stderr
        promised = [line for line in done.stdout.splitlines() if line != "ready"]
        rows = [f"{entry.operation_id} {entry.kind}" for entry in History(str(path)).entries()]
        assert set(promised) - set(rows) == set()
        assert [problem for problem in History(str(path)).verify() if "empty" not in problem or rows] == []
        subprocess.run(writer(path, 1, "after"), env=environment(), check=True, stdout=-3, timeout=30)
        assert History(str(path)).verify() == []


def injected(path: Path, call: str, error: str, number: int) -> subprocess.CompletedProcess[str]:
    """Three runs recorded by a process whose n-th call of a kind that touches the log fails."""
    assert STRACE is not None
    log = ["-P", str(path), "-P", f"{path}-wal", "-P", f"{path}-shm", "-P", f"{path}-tail"]
    fault = ["-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={number}"]
    traced = [STRACE, "-f", "-qq", "-o", "/dev/null", *log, *fault, *writer(path, 3, "run")]
    done = subprocess.run(traced, env=environment(), capture_output=True, text=True, timeout=60)
    if "strace: " in done.stderr:
        pytest.skip("strace may not trace here")
    return done


def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    path.write_bytes(b"no database at all " * 300)
    with pytest.raises(AuditError, match=r"it is damaged or not a database .*move it away .*audit.required = false"):
        tell(recorder(path), prepared())
    assert path.read_bytes() == b"no database at all " * 300


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["PRAGMA user_version = 2"], "its schema is 2, this limpet knows 1; upgrade limpet"),
        (["PRAGMA application_id = 7"], "it is a database of something else; set LIMPET_STATE_DIR"),
        (["DELETE FROM head"], "its head is missing; move it away"),
        (["DROP TABLE log"], "damaged or not a database"),
        (["UPDATE head SET last_id = 1"], "damaged or not a database"),
    ],
)
def test_a_log_that_cannot_be_continued_is_refused(statements: list[str], words: str, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    write(path, 3)
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    with pytest.raises(AuditError, match=words):
        tell(recorder(path), prepared())


def test_another_programs_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(AuditError, match="database of something else"):
        tell(recorder(path), prepared())
    with pytest.raises(AuditError, match="database of something else"):
        History(str(path)).entries()
    assert path.read_bytes() == before


@pytest.mark.parametrize("how", ["deleted", "replaced", "folder"])
def test_a_log_that_vanishes_is_told_once_and_begun_anew(how: str, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    log = recorder(folder / "audit.db")
    tell(log, prepared("op-1"))
    if how == "deleted":
        (folder / "audit.db").unlink()
    elif how == "folder":
        shutil.rmtree(folder)
    else:
        write(tmp_path / "other.db", 2)
        (tmp_path / "other.db").replace(folder / "audit.db")
    with pytest.raises(AuditError, match=r"audit.db: audit log: "):
        tell(log, prepared("op-2"))
    for name in ("audit.db-wal", "audit.db-shm"):
        (folder / name).unlink(missing_ok=True)
    tell(log, prepared("op-3"))
    log.close()
    history = History(str(folder / "audit.db"))
    assert [entry.operation_id for entry in history.entries()][-1] == "op-3"
    assert history.verify() == []
