"""Result -> the kind of its ending, and what went wrong in three words: what, on whose side, where on the road."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.audit.entry import ResultKind
from limpet.model.result import Outcome

if TYPE_CHECKING:
    from limpet.model.result import Result


class Fault(msgspec.Struct, frozen=True):
    """What went wrong. Taken from the outcome alone, never from what a program printed or which status it chose."""

    result: ResultKind
    category: str | None = None
    domain: str | None = None
    """`command`, `limits`, `caller`, `policy` or `host`."""
    phase: str | None = None
    """`judge`, `gate`, `launch`, `run` or `settle`."""


_FINE = Fault(ResultKind.SUCCESS)
_NOT_KEPT = Fault(ResultKind.ROLLBACK, "not_kept", "host", "settle")

_FAULTS = {
    Outcome.EXITED: Fault(ResultKind.ERROR, "exit_status", "command", "run"),
    Outcome.SIGNALLED: Fault(ResultKind.ERROR, "signal", "command", "run"),
    Outcome.TIMED_OUT: Fault(ResultKind.TIMEOUT, "timeout", "limits", "run"),
    Outcome.LIMITED: Fault(ResultKind.LIMITED, "resource_limit", "limits", "run"),
    Outcome.CANCELLED: Fault(ResultKind.CANCELLED, "cancelled", "caller", "run"),
    Outcome.DENIED: Fault(ResultKind.BLOCKED, "denied", "policy", "judge"),
    Outcome.NEEDS_APPROVAL: Fault(ResultKind.BLOCKED, "needs_approval", "policy", "gate"),
    Outcome.NOT_STARTED: Fault(ResultKind.ERROR, "not_started", "host", "launch"),
}


def fault_of(result: Result) -> Fault:
    """How `result` is filed."""
    if result.rolled_back is not None and result.exit_code == 0:
        return _NOT_KEPT
    fault = _FINE if result.ok else _FAULTS[result.outcome]
    return fault if result.rolled_back is None else msgspec.structs.replace(fault, result=ResultKind.ROLLBACK)
