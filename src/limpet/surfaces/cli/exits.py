"""A result -> the exit status of `limpet run`."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from limpet.model.result import Outcome

if TYPE_CHECKING:
    from limpet.model.result import Result

_FIXED = {
    Outcome.TIMED_OUT: 124,
    Outcome.NOT_STARTED: 125,
    Outcome.DENIED: 126,
    Outcome.NEEDS_APPROVAL: 126,
    Outcome.CANCELLED: 130,
    Outcome.RUNNING: 124,
}
_NOT_KEPT = 125


def exit_status(result: Result) -> int:
    """The command's own where it has one, unless it is 0 and what was done is not there."""
    if result.outcome in _FIXED:
        return _FIXED[result.outcome]
    if result.exit_code == 0 and result.rolled_back is not None:
        return _NOT_KEPT
    if result.exit_code is not None:
        return result.exit_code
    return 128 + _number(result.signal)


def _number(name: str | None) -> int:
    """`SIGTERM`, or `SIGRTMIN+3`: most real-time signals have no other name."""
    base, _, more = (name or "SIGKILL").partition("+")
    return signal.Signals[base].value + int(more or 0)
