"""A few words -> the events of a run, and a recorder to give them to."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from limpet.audit.log import Log
from limpet.audit.sqlite import SqliteRecorder
from limpet.history import History
from limpet.model.decision import Decision, Reason, Verdict
from limpet.model.event import Finished, Prepared
from limpet.model.guarantees import Guarantees
from limpet.model.limits import Limits
from limpet.model.plan import Ladder, Plan
from limpet.model.request import Origin, Request
from limpet.model.result import Outcome, Result
from limpet.model.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.model.event import Event
    from limpet.protocols import Recorder

TESTS = Path(__file__).parent.parent
WRITER = Path(__file__).parent / "writer.py"

ALLOWED = Decision(verdict=Verdict.ALLOW, reasons=(Reason(rule="tests", verdict=Verdict.ALLOW, message="runs tests"),))
DENIED = Decision(
    verdict=Verdict.DENY,
    reasons=(
        Reason(rule="network", verdict=Verdict.ASK, message="connects"),
        Reason(rule="no-root", verdict=Verdict.DENY, message="deletes the system"),
    ),
)
PLAN = Plan(
    executable="/bin/bash",
    argv=("bash", "-c", "true"),
    env={"API_KEY": "hunter2"},
    cwd="/project",
    ladder=Ladder(grace=1, drain=1, kill_wait=1),
    limits=Limits(),
    guarantees=Guarantees(level="bare", backend="bare"),
)


def request(id: str = "op-1", command: str = "make test", **others: object) -> Request:  # noqa: A002 - the field's name
    given = {
        "cwd": "/project",
        "description": "Run the tests",
        "origin": Origin(agent="claude", caller="main"),
        **others,
    }
    return Request(
        id=id,
        command=command,
        workspace="/project",
        timeout=None,
        limits=Limits(),
        window=Window.of(1000),
        **given,  # type: ignore[arg-type]  # a test says what differs
    )


def result(outcome: Outcome = Outcome.EXITED, **others: object) -> Result:
    given = {"ok": False, "decision": ALLOWED, "duration_ms": 12, **others}
    return Result(command="make test", outcome=outcome, **given)  # type: ignore[arg-type]  # a test says what differs


def prepared(id: str = "op-1", command: str = "make test") -> Prepared:  # noqa: A002 - the field's name
    return Prepared(request=request(id, command), decision=ALLOWED, plan=PLAN)


def finished(id: str = "op-1", command: str = "make test") -> Finished:  # noqa: A002 - the field's name
    return Finished(request=request(id, command), result=result(ok=True, exit_code=0))


def as_it_is(text: str) -> str:
    return text


def recorder(
    path: Path | str,
    *,
    redact: Callable[[str], str] = as_it_is,
    clock: Callable[[], float] = lambda: 1000.5,
    patience: float = 30.0,
) -> SqliteRecorder:
    """One that shares the log with nobody, as if it were in a process of its own."""
    return SqliteRecorder(Log(str(path)), redact=redact, clock=clock, patience=patience)


def tell(listener: Recorder, *events: Event) -> None:
    """Record the events, as the road would."""

    async def all_of_them() -> None:
        for event in events:
            await listener.record(event)

    asyncio.run(all_of_them())


def write(path: Path, count: int) -> None:
    """A log of `count` rows, closed again."""
    one = recorder(path)
    tell(one, *(prepared(f"op-{n}") for n in range(1, count + 1)))
    one.close()


def present(path: Path) -> list[str]:
    """Runs, each with which of its rows it is."""
    return [f"{entry.operation_id} {entry.kind}" for entry in History(str(path)).entries()]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Somebody else has the log, and keeps it."""
    fd = os.open(f"{path}-tail", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(fd)


def writer(path: Path | str, count: int, name: str) -> list[str]:
    """The argv of a process that records `count` runs and prints what was acknowledged."""
    return [sys.executable, str(WRITER), str(path), str(count), name]


def environment() -> dict[str, str]:
    """For a process that imports these modules."""
    return {**os.environ, "PYTHONPATH": f"{TESTS.parent / 'src'}:{TESTS}"}
