"""Runs and what they printed -> the text that a model reads."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from limpet.errors import StoreError
from limpet.model.result import Outcome
from limpet.model.task import TaskState
from limpet.render import text
from limpet.render.paint import shorten

if TYPE_CHECKING:
    from limpet.model.result import Result
    from limpet.model.task import TaskStatus
    from limpet.render.screen import Screen
    from limpet.surfaces.mcp.runs import Run
    from limpet.tasks.task import Task

MOST = 30_000
"""Characters of one answer."""
_COMMAND = 80
_ERROR = 300
_LINES = 3


def ended(result: Result) -> str:
    """A run that is over."""
    said = text.render(result)
    if is_error(result):  # it printed nothing, since there was nothing that could have
        said = said.partition("\n\nSTDOUT:\n")[0]
    return f"{said}\n\nRun: {result.operation_id}" if result.truncated else said


def going_on(run: Run, so_far: str) -> str:
    """A run that is not."""
    return _going_on(run.command, status(run), run.id, so_far, asks=run.asks is not None)


def task_going_on(command: str, task: TaskStatus, so_far: str) -> str:
    """A task that is not."""
    return _going_on(command, status_of(task), task.task_id, so_far, asks=task.status is TaskState.WAITING)


def _going_on(command: str, where: str, name: str, so_far: str, *, asks: bool) -> str:
    head = [f"Command: {command}".replace("\n", "\n  "), f"Status: {where}", f"Id: {name}"]
    if not asks:
        head.append(
            "Next: bash_output with this id reads on (wait: milliseconds to wait for its end); bash_stop ends it"
        )
    else:
        head.append(
            "Next: bash_input with this id types the answer; bash_output with screen shows its screen; "
            "bash_stop ends it"
        )
    return "\n".join([*head, "", "OUTPUT SO FAR:", so_far.strip("\n") or text.NO_OUTPUT])


def status(run: Run) -> str:
    """Where it has come to, in a few words."""
    result = run.result
    if result is not None:
        return f"{result.what_happened()} after {run.seconds:.1f} s"
    return _running(run.seconds, run.size, run.asks)


def status_of(task: TaskStatus) -> str:
    """The same for a task."""
    took = (task.duration_ms or 0) / 1000
    if not task.over:
        return _running(took, task.output_bytes, task.prompt if task.status is TaskState.WAITING else None)
    said = f"exit code {task.exit_code}" if task.status is TaskState.EXITED else task.what_happened()
    return f"{said} after {took:.1f} s{f': {shorten(task.error, _ERROR)}' if task.error else ''}"


def _running(seconds: float, size: int, asks: str | None) -> str:
    waits = "" if asks is None else f"; it waits for input{f': {asks!r}' if asks else ''}"
    return f"running for {seconds:.1f} s, {size:,} bytes so far{waits}"


def progress(run: Run) -> str:
    """The same for whoever looks on."""
    return _progress(run.seconds, run.size, run.last_line())


def progress_of(task: Task, status: TaskStatus) -> str:
    """The same for a task."""
    said = ""
    with contextlib.suppress(StoreError):
        said = task.output(tail=_LINES)
    return _progress((status.duration_ms or 0) / 1000, status.output_bytes, last_line(said))


def _progress(seconds: float, size: int, said: str) -> str:
    return f"{seconds:.0f} s, {size:,} bytes: {shorten(said, _COMMAND)}"


def last_line(said: str) -> str:
    """The newest line that says anything."""
    return next((line for line in reversed(said.splitlines()) if line.strip()), "")


def shortened(command: str) -> str:
    """A command, on one line."""
    return shorten(command, _COMMAND)


def in_the_way(session: str, run: Run) -> str:
    """A command that another one of its session has to wait for."""
    asks = run.asks is not None
    next_step = "bash_input with this id answers it" if asks else "bash_output with this id and wait waits for its end"
    return (
        f"the command was not started: session {session} is busy with {shorten(run.command, _COMMAND)!r}, "
        f"{status(run)}\nId: {run.id}\nNext: {next_step}, bash_stop ends it; then call again"
    )


def screen(drawn: Screen) -> str:
    """What is to be seen, and where the next character would go."""
    size, (row, column) = drawn.size, drawn.cursor
    head = f"Screen: {size.rows} rows, {size.columns} columns; cursor in row {row + 1}, column {column + 1}"
    return f"{head}\n\n{drawn.text() or '(blank)'}"


def listed(runs: list[Run], tasks: list[TaskStatus]) -> str:
    """A line each."""
    lines = [f"run {run.id}: {status(run)}: {shorten(run.command, _COMMAND)}" for run in runs]
    lines += [f"task {task.task_id}: {status_of(task)}: {shorten(task.command, _COMMAND)}" for task in tasks]
    return "\n".join(lines) or "Nothing runs, and nothing has run yet."


def bounded(said: str, *, what: str) -> str:
    """Not more than a model should be handed at once: the end, with how much was left out."""
    left_out = len(said) - MOST
    return said if left_out <= 0 else f"[{left_out:,} characters before this were left out: {what}]\n{said[-MOST:]}"


def facts(result: Result) -> dict[str, object]:
    """The same for programs, small: what was printed is in the text."""
    return {
        "outcome": result.outcome.value,
        "exit_code": result.exit_code,
        "signal": result.signal,
        "duration_ms": result.duration_ms,
        "truncated": result.truncated,
        "run": result.operation_id,
        "output_file": result.output_file,
        "verdict": None if result.decision is None else result.decision.verdict.value,
        "withheld_env": list(result.withheld_env),
        "sandbox": None if result.guarantees is None else result.guarantees.backend,
    }


def is_error(result: Result) -> bool:
    """Whether the call itself came to nothing; a command that failed is an answer like any other."""
    return result.decision_refused or result.outcome is Outcome.NOT_STARTED
