from __future__ import annotations

import asyncio
import fcntl
import os
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from audit.happenings import ALLOWED, environment, locked, prepared, recorder, tell, write
from limpet.errors import AuditError
from limpet.history import History
from limpet.model.decision import Verdict
from limpet.model.judgement import Judgement
from limpet.model.request import Origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

JUDGED = Judgement(
    id="op-3",
    command="make",
    workspace="/project",
    cwd="/project",
    description="",
    origin=Origin(),
    decision=ALLOWED,
    told=Verdict.ALLOW,
    reason="",
)


def ids(path: Path) -> list[str]:
    return [entry.operation_id for entry in History(str(path)).entries()]


def is_free(path: Path) -> bool:
    """Whether others can have the log."""
    fd = os.open(f"{path}-tail", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True


def interrupted(do: Callable[[], object], at: int) -> bool:
    """Ctrl-C at the n-th call in what writes the files: Python sees to signals when one is entered, or C is left."""
    left = at

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal left
        ours = frame.f_code.co_filename.endswith(("audit/tail.py", "audit/ledger.py"))
        left -= ours and event in ("call", "c_return")
        if left < 0:
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        do()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


@pytest.mark.parametrize("what", ["first row", "another row", "after others", "closing"])
def test_ctrl_c_at_any_call_leaves_no_lock_and_a_log_that_is_whole(what: str, tmp_path: Path) -> None:
    at, going = 0, True
    while going:
        path = tmp_path / str(at) / "audit.db"
        log = recorder(path, patience=0.5)
        acknowledged = ["op-1"] if what == "first row" else ["op-1", "op-2"]
        write(path, 1)
        if what != "first row":
            tell(log, prepared("op-2"))
        if what == "after others":
            write(path, 1)
            acknowledged.append("op-1")
        going = interrupted(log.close if what == "closing" else partial(log.note, JUDGED), at)
        assert (at, is_free(path), History(str(path)).verify()) == (at, True, [])
        assert (at, ids(path)[: len(acknowledged)]) == (at, acknowledged)
        tell(log, prepared("after"))
        log.close()
        assert (ids(path)[-1], History(str(path)).verify()) == ("after", [])
        at += 1
    assert at > 10


def test_where_no_thread_is_to_be_had_rows_are_written_and_the_tail_waits(tmp_path: Path) -> None:
    path, log = tmp_path / "audit.db", recorder(tmp_path / "audit.db")

    async def without_threads() -> None:
        await asyncio.get_running_loop().shutdown_default_executor()
        for number in range(20):
            await log.record(prepared(f"op-{number}", "x" * 16_000))
        with locked(path), pytest.raises(AuditError, match="others keep it locked"):
            await log.record(prepared("busy"))

    asyncio.run(without_threads())
    assert len(ids(path)) == 20
    tell(log, prepared("op-20"))
    assert not os.path.exists(f"{path}-tail")
    log.close()
    assert (len(ids(path)), History(str(path)).verify()) == (21, [])


NO_DESCRIPTORS = """
import os, resource, sys
from audit.happenings import *

async def main(log):
    await log.record(prepared("op-0"))
    most = len(os.listdir("/proc/self/fd")) - 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, 4096))
    for number in range(1, 20):
        await log.record(prepared(f"op-{number}", "x" * 16_000))
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))

log = recorder(sys.argv[1])
asyncio.run(main(log))
log.close()
"""


def test_where_no_descriptor_is_to_be_had_rows_are_written_and_the_tail_waits(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    command = [sys.executable, "-c", NO_DESCRIPTORS, str(path)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.returncode) == ("", 0)
    assert (len(ids(path)), History(str(path)).verify()) == (20, [])
