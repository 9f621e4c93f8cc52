from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from audit.happenings import environment, prepared, recorder, tell, write
from limpet.audit import tail
from limpet.history import History

if TYPE_CHECKING:
    from pathlib import Path

KILLED = """
import os, signal, sys
from audit.happenings import *
log = recorder(sys.argv[1])
tell(log, prepared("op-1"))
child = os.fork()
if child == 0:
    signal.pause()
print(child, flush=True)

class Row(list):
    def __iter__(self):
        os.kill(os.getpid(), signal.SIGKILL)

log._log.ledger.append(Row(), wait=0)
"""


def ids(path: Path) -> list[str]:
    return [entry.operation_id for entry in History(str(path)).entries()]


def test_the_lock_of_who_is_killed_is_not_kept_by_a_child_that_was_forked_before(tmp_path: Path) -> None:
    path = tmp_path / "audit.db"
    command = [sys.executable, "-c", KILLED, str(path)]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            assert process.wait(20) == -signal.SIGKILL
            log = recorder(path, patience=0.5)
            tell(log, prepared("op-2"))
            log.close()
        finally:
            os.kill(child, signal.SIGKILL)
    assert (ids(path), History(str(path)).verify()) == (["op-1", "op-2"], [])


def test_the_lock_of_who_reads_is_not_kept_by_a_child_that_was_forked_meanwhile(tmp_path: Path) -> None:
    path, children = tmp_path / "audit.db", []
    write(path, 1)
    log = recorder(path, patience=0.5)
    tell(log, prepared("op-2"))

    def look() -> None:
        """Stands for another thread that forks while this one reads."""
        children.append(idle_child())

    try:
        assert tail.newest(str(path), 1.0, look) is not None
        tell(log, prepared("op-3"))
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    log.close()
    assert (ids(path), History(str(path)).verify()) == (["op-1", "op-2", "op-3"], [])


def idle_child() -> int:
    child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(0)
    return child
