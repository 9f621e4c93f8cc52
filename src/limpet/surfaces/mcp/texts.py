"""Runs and what they printed -> the text that a model reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.result import Outcome
from limpet.render import text
from limpet.render.paint import shorten

if TYPE_CHECKING:
    from limpet.model.result import Result
    from limpet.surfaces.mcp.runs import Run

MOST = 30_000
"""Characters of one answer."""
_COMMAND = 80


def ended(result: Result) -> str:
    """A run that is over."""
    said = text.render(result)
    return f"{said}\n\nRun: {result.operation_id}" if result.truncated else said


def going_on(run: Run, so_far: str) -> str:
    """A run that is not."""
    head = [f"Command: {run.command}".replace("\n", "\n  "), f"Status: {status(run)}", f"Id: {run.id}"]
    if run.asks is None:
        head.append(
            "Next: bash_output with this id reads on (wait: milliseconds to wait for its end); bash_stop ends it"
        )
    else:
        head.append("Next: bash_input with this id types the answer; bash_stop ends it")
    return "\n".join([*head, "", "OUTPUT SO FAR:", so_far.strip("\n") or text.NO_OUTPUT])


def status(run: Run) -> str:
    """Where it has come to, in a few words."""
    result = run.result
    if result is not None:
        return f"{result.what_happened()} after {run.seconds:.1f} s"
    asks = "" if run.asks is None else f"; it waits for input{f': {run.asks!r}' if run.asks else ''}"
    return f"running for {run.seconds:.1f} s, {run.size:,} bytes so far{asks}"


def progress(run: Run) -> str:
    """The same for whoever looks on."""
    return f"{run.seconds:.0f} s, {run.size:,} bytes: {shorten(run.last_line(), _COMMAND)}"


def shortened(run: Run) -> str:
    """Its command, on one line."""
    return shorten(run.command, _COMMAND)


def listed(runs: list[Run]) -> list[str]:
    """A line a run."""
    return [f"run {run.id}: {status(run)}: {shorten(run.command, _COMMAND)}" for run in runs]


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
