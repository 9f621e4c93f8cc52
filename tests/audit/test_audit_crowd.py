from __future__ import annotations

import asyncio
import os
import random
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from audit.happenings import environment, finished, locked, prepared, present, recorder, tell, write, writer
from limpet.errors import AuditError
from limpet.history import History
from living import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def start(path: Path, count: int, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(writer(path, count, name), env=environment(), stdout=-1, stderr=-1, text=True)


def acknowledged(text: str) -> set[str]:
    """Whole lines only: the last one may have been cut by the kill."""
    return {line for line in text[: text.rfind("\n") + 1].splitlines() if line != "ready"}


def check_integrity(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_sixteen_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state" / "audit.db"
    crowd = [start(path, 25, f"w{n}") for n in range(16)]
    outputs = [process.communicate(timeout=100) for process in crowd]
    assert [(process.returncode, err) for process, (_, err) in zip(crowd, outputs, strict=True)] == [(0, "")] * 16
    rows = present(path)
    assert len(rows) == 16 * 25 * 2
    assert {*rows} == {line for out, _ in outputs for line in acknowledged(out)}
    assert History(str(path)).verify() == []


def test_killed_writers_lose_nothing_they_acknowledged(tmp_path: Path) -> None:
    path, chance = tmp_path / "audit.db", random.Random(1)
    promised: set[str] = set()
    for number in range(24):
        pair = [start(path, 100_000, f"k{number}{name}") for name in "ab"]
        for process in pair:
            assert process.stdout is not None
            assert select.select([process.stdout], [], [], 20)[0]
        time.sleep(chance.uniform(0, 0.03))  # not a wait for anything: the moment of the kill is the point
        for process in pair:
            process.kill()
        promised |= {line for process in pair for line in acknowledged(process.communicate(timeout=20)[0])}
    check_integrity(path)
    assert History(str(path)).verify() == []
    assert promised - {*present(path)} == set()
    assert len(promised) > 100


def test_the_files_are_whole_at_any_moment(tmp_path: Path) -> None:
    path, chance, copies = tmp_path / "audit.db", random.Random(2), []
    process = start(path, 100_000, "s")
    try:
        wait_for(lambda: present(path), 20)
        for number in range(12):
            time.sleep(chance.uniform(0.005, 0.02))  # not a wait for anything: the moment of the copy is the point
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            copies.append(tmp_path / str(number) / "audit.db")
            copies[-1].parent.mkdir()
            for end in ("", "-wal", "-tail"):
                if os.path.exists(f"{path}{end}"):
                    shutil.copy(f"{path}{end}", f"{copies[-1]}{end}")
            process.send_signal(signal.SIGCONT)
    finally:
        process.kill()
    promised = len(acknowledged(process.communicate(timeout=20)[0]))
    sizes = [len(present(copy)) for copy in copies]
    assert [problem for copy in copies for problem in History(str(copy)).verify()] == []
    assert 0 < sizes[0] < sizes[-1] <= promised + 1
    assert sizes == sorted(sizes)


def test_a_locked_log_holds_up_the_run_but_not_the_loop(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    write(path, 1)

    async def scene() -> int:
        log, turns = recorder(path), 0
        with locked(path):
            waiting = [asyncio.create_task(log.record(prepared(f"op-{n}"))) for n in range(2, 5)]
            for _ in range(20):
                await asyncio.sleep(0.005)
                turns += not any(task.done() for task in waiting)
        await asyncio.wait_for(asyncio.gather(*waiting), 20)
        await log.record(finished("op-5"))
        log.close()
        return turns

    assert asyncio.run(scene()) == 20
    assert len(present(path)) == 5
    assert History(str(path)).verify() == []


def test_a_log_that_is_never_let_go_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    write(path, 1)
    log = recorder(path, patience=0.05)
    with (
        locked(path),
        pytest.raises(AuditError, match=r"audit.db: audit log: others keep it locked; find out who \(`fuser "),
    ):
        tell(log, prepared())
    log.close()
    assert present(path) == ["op-1 prepared"]


def test_threads_with_loops_of_their_own_share_a_recorder(tmp_path: Path) -> None:
    log = recorder(tmp_path / "audit.db")

    def many(name: int) -> None:
        tell(log, *(prepared(f"t{name}-{n}") for n in range(40)))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(many, range(6)))
    log.close()
    assert sorted(present(tmp_path / "audit.db")) == sorted(f"t{t}-{n} prepared" for t in range(6) for n in range(40))
    assert History(str(tmp_path / "audit.db")).verify() == []


def test_a_cancelled_record_leaves_the_recorder_usable(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    write(path, 1)

    async def scene() -> None:
        log = recorder(path)
        with locked(path), pytest.raises(TimeoutError):
            await asyncio.wait_for(log.record(prepared("op-2")), 0.05)
        await log.record(finished("op-2"))
        log.close()

    asyncio.run(scene())
    assert "op-2 finished" in present(path)
    assert History(str(path)).verify() == []


def test_ctrl_c_in_the_middle_of_a_row_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    log = recorder(path)
    tell(log, prepared("op-1"))
    assert log._log.ledger is not None

    class Interrupted(list[object]):
        """Stands for the row in whose making the signal arrives, inside the transaction."""

        def __iter__(self) -> Iterator[object]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        log._log.ledger.append(Interrupted(), wait=0)
    write(path, 2)
    log.close()
    assert len(present(path)) == 3


FORKED = """
import os, sys
from audit.happenings import *
path = sys.argv[1]
log = recorder(path)
tell(log, prepared("parent-0"))
end, kept = os.pipe()
child = os.fork()
if child == 0:
    os.close(kept)
    if sys.argv[2] == "orphan":
        os.read(end, 1)  # until the parent is gone
        import subprocess
        subprocess.run(writer(path, 2, "stranger"), stdout=-3, timeout=60, env=environment(), check=True)
    tell(log, *(prepared(f"child-{n}") for n in range(50)))
    mine = [line for line in open("/proc/locks") if f" {os.getpid()} " in line and f":{os.stat(path).st_ino} " in line]
    assert mine, "SQLite believes to hold the lock that only the parent had"
    if sys.argv[2] == "orphan":
        subprocess.run(writer(path, 2, "later"), stdout=-3, timeout=60, env=environment(), check=True)
    log.close()
    print("child done", flush=True)
    os._exit(0)
if sys.argv[2] == "orphan":
    os._exit(0)
tell(log, *(prepared(f"parent-{n}") for n in range(1, 50)))
assert os.waitpid(child, 0)[1] == 0
tell(log, prepared("parent-50"))
"""


@pytest.mark.parametrize(("mode", "rows"), [("family", 101), ("orphan", 59)])
def test_a_forked_process_opens_the_log_for_itself(mode: str, rows: int, tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    command = [sys.executable, "-c", FORKED, str(path), mode]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("child done\n", "", 0)
    assert len(present(path)) == rows
    assert History(str(path)).verify() == []
    check_integrity(path)


def test_reading_while_others_write_sees_whole_rows(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    write(path, 1)
    process, history, done = start(path, 200, "w"), History(str(path)), threading.Event()
    seen: list[list[str]] = []

    def read() -> None:
        while not done.is_set():
            seen.append(history.verify())
            history.entries(limit=5)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        assert (process.communicate(timeout=60)[1], process.returncode) == ("", 0)
    finally:
        done.set()
        reader.join(20)
    assert [problems for problems in seen if problems] == []
    assert len(present(path)) == 401
