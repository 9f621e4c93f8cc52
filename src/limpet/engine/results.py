"""What is known at the end of a run -> its Result."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import msgspec

from limpet.engine import denials
from limpet.model.ended import Ended, Ending
from limpet.model.result import Outcome, Result
from limpet.output.hints import hint, layer_hint
from limpet.render.decision import advice, refusal

if TYPE_CHECKING:
    from limpet.engine.capture import Capture
    from limpet.engine.gate import Refused
    from limpet.model.decision import Decision
    from limpet.model.plan import Plan
    from limpet.model.request import Request
    from limpet.output.shape import Shaped
    from limpet.protocols import Planned

_MANY = 5


def refused(request: Request, decision: Decision, how: Refused) -> Result:
    """It was not run because policy, or whoever was asked, said so."""
    error = refusal(decision)
    if how.said:
        error += f" It was not approved: {how.said}"
    return Result(
        command=request.command, outcome=how.outcome, ok=False, operation_id=request.id, cwd=request.cwd,
        decision=decision, error=error, hint=None if how.said else advice(decision) or None,
    )  # fmt: skip


def not_started(request: Request, decision: Decision | None, outcome: Outcome, error: str) -> Result:
    """It could not be started, or was called off before."""
    return Result(
        command=request.command, outcome=outcome, ok=False, operation_id=request.id, cwd=request.cwd,
        cancelled=outcome is Outcome.CANCELLED, decision=decision, error=error,
    )  # fmt: skip


def finished(
    request: Request, decision: Decision, planned: Planned, ended: Ended, capture: Capture, shaped: Shaped
) -> Result:
    """It ran, and this is what came of it."""
    plan = planned.plan
    outcome = _outcome(ended)
    ok = outcome is Outcome.EXITED and ended.exit_code == 0
    name = None if ended.signal is None else _signal_name(ended.signal)
    out_bytes, err_bytes = capture.sizes
    asked = _unanswered(capture.unanswered) if outcome is Outcome.CANCELLED else None
    notes = _notes(request, ended, outcome)
    filtered = capture.filtered
    return Result(
        command=request.command,
        outcome=outcome,
        ok=ok,
        exit_code=ended.exit_code,
        signal=name,
        stdout=shaped.stdout.text,
        stderr=shaped.stderr.text,
        output=shaped.output.text,
        timed_out=outcome is Outcome.TIMED_OUT,
        cancelled=outcome is Outcome.CANCELLED,
        truncated=shaped.stdout.truncated or shaped.stderr.truncated or filtered is not None,
        filtered=filtered,
        duration_ms=round(ended.usage.wall * 1000),
        operation_id=request.id,
        cwd=request.cwd,
        stdout_bytes=out_bytes,
        stderr_bytes=err_bytes,
        decision=decision,
        guarantees=msgspec.structs.replace(plan.guarantees, limits=ended.enforced, tree_owned=not ended.survivors),
        usage=ended.usage,
        output_file=capture.stored_in,
        withheld_env=planned.withheld_env,
        hint=None if ok else _hint(request, decision, plan, ended, outcome, shaped.stderr.text),
        error=f"{asked}; {notes}" if asked and notes else asked or notes,
    )


def _outcome(ended: Ended) -> Outcome:
    if ended.ending is Ending.TIMEOUT:
        return Outcome.TIMED_OUT
    if ended.ending is Ending.STOPPED:
        return Outcome.CANCELLED
    if ended.ending is Ending.LIMIT or (ended.limit and ended.exit_code != 0):
        return Outcome.LIMITED
    if ended.ending is Ending.LOST or ended.signal is not None:
        return Outcome.SIGNALLED
    return Outcome.EXITED


def _hint(request: Request, decision: Decision, plan: Plan, ended: Ended, outcome: Outcome, stderr: str) -> str | None:
    """What may have been in its way."""
    code, name = ended.exit_code, None if ended.signal is None else _signal_name(ended.signal)
    return (
        (outcome is Outcome.EXITED and denials.explain(decision, plan))
        or (request.layer is not None and layer_hint(code, stderr))
        or hint(outcome=outcome, exit_code=code, signal=name, stderr=stderr, limits=request.limits)
    )


def _unanswered(prompt: str | None) -> str | None:
    if prompt is None:
        return None
    asked = f" (its last line: {prompt!r})" if prompt else ""
    return f"it waited for input{asked}, and nobody was there to give any: pass stdin, or stream it and send the answer"


def _notes(request: Request, ended: Ended, outcome: Outcome) -> str | None:
    notes = []
    if outcome is Outcome.TIMED_OUT:
        notes.append(f"timed out after {request.timeout:g} s; the output so far is kept")
    if ended.limit:
        notes.append(f"the limit {ended.limit} = {getattr(request.limits, ended.limit, None)} was reached")
    if ended.ending is Ending.LOST:
        notes.append("the process that watched over the command was killed; its exit status is not known")
    if ended.left_behind:
        notes.append(f"still running when the shell had exited, and ended: {_some(ended.left_behind)}")
    if ended.survivors:
        notes.append(f"could not be ended: {_some(ended.survivors)}")
    if ended.note:
        notes.append(ended.note)
    return "; ".join(notes) or None


def _some(names: tuple[str, ...]) -> str:
    more = len(names) - _MANY
    return ", ".join(names[:_MANY]) + (f" and {more} more" if more > 0 else "")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIGRTMIN+{number - signal.SIGRTMIN}"
