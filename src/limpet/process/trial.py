"""A job -> why its shell cannot be started here as it is to be contained."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TYPE_CHECKING

from limpet.process import bound
from limpet.process.walls import Walls

if TYPE_CHECKING:
    from limpet.process.wire import Message


def trouble(job: Message) -> str:
    """Empty when it can be. For a process that ends after this: walls cannot be left."""
    job = {**job, "terminal": False}  # nobody made one for this
    try:
        os.chdir(job["cwd"])
        if job["confinement"]["namespaces"]:
            walls = Walls(job["confinement"])
            try:
                shell, let_go_of_walls = walls.house().start(job, [], {})
                _end(shell)
                let_go_of_walls()
            finally:
                walls.close()
        elif job["confinement"]["filter_fd"] >= 0:
            return _said_by_another(job)
        else:
            _end(bound.start(job, [], {}, b""))
    except OSError as error:
        return f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"
    return ""


def _said_by_another(job: Message) -> str:
    """A program that builds the walls itself is run with nothing to do behind them."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    words = job["argv"][: job["argv"].index(b"--")]
    trial = {**job, "argv": [*words, b"--", job["argv"][len(words) + 1], b"-c", b":"]}
    pid = bound.start(trial, [(os.POSIX_SPAWN_DUP2, writing, 2)], {}, b"")
    os.close(writing)
    with open(reading, "rb") as file:
        said = file.read(1000)
    _, status = os.waitpid(pid, 0)
    return os.fsdecode(said).strip() or f"it ended with status {os.waitstatus_to_exitcode(status)}" if status else ""


def _end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
