"""An event -> the columns of its row, without id and hash."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from limpet.audit.entry import Kind, ResultKind
from limpet.audit.fault import fault_of
from limpet.model.codec import printable
from limpet.model.decision import Verdict
from limpet.model.event import Prepared
from limpet.model.result import Outcome

if TYPE_CHECKING:
    from limpet.model.decision import Decision
    from limpet.model.event import Finished
    from limpet.model.judgement import Judgement
    from limpet.model.request import Request
    from limpet.model.result import Result

Value = str | int | float | None
_LONGEST = 16_384
"""Characters of a command that are recorded."""
_LONGEST_SECRET = 8_192
_PREPARED, _FINISHED = Kind.PREPARED.value, Kind.FINISHED.value
_NO_END: tuple[Value, ...] = (None, None, "", None, None, None, None, None, None, None, None)


class Common(msgspec.Struct, frozen=True, eq=False):
    """What both rows of a command have in common, and what cleans the rest of them."""

    id: str
    columns: tuple[Value, ...]
    clean: Callable[[str], str]


def common(event: Prepared | Finished, clean: Callable[[str], str]) -> Common:
    """Who asked for what, and what was decided."""
    request, decision = event.request, event.decision if isinstance(event, Prepared) else event.result.decision
    return Common(printable(request.id), (*_asked(request, clean), *_decided(decision)), clean)


def row_of(
    event: Prepared | Finished, common: Common, *, now: float, pid: int, answered: tuple[str, str]
) -> tuple[Value, ...]:
    """The values in the order of `Entry`. `answered`: who approved it, and who refused.

    Numbers are made what the column stores, or the hash would not hold.
    """
    approved_by, refused_by = answered
    if isinstance(event, Prepared):
        kind, tool, end = _PREPARED, "bash", _NO_END
    else:
        kind, tool, end = _FINISHED, event.result.tool, _end(event.result, common.clean, refused_by)
    start = float(now), common.id, kind, tool
    return (*start, *common.columns, approved_by and printable(approved_by), *end, pid)


def judged_row(judgement: Judgement, *, now: float, pid: int, clean: Callable[[str], str]) -> tuple[Value, ...]:
    """The same for what a program was told about a command of its own."""
    start = float(now), judgement.id, Kind.JUDGED.value, "bash"
    refused = judgement.told is Verdict.DENY
    result, outcome = (ResultKind.BLOCKED.value, Outcome.DENIED.value) if refused else (None, None)
    end = result, outcome, clean(judgement.reason), *_NO_END[3:]
    return (*start, *_asked(judgement, clean), *_decided(judgement.decision), "", *end, pid)


def cleaner(redact: Callable[[str], str]) -> Callable[[str], str]:
    """Redacts what is not empty, and makes it text that SQLite and JSON can hold.

    It remembers some: folders, surfaces and the command of both rows come again and again.
    """
    return functools.lru_cache(maxsize=64)(lambda text: printable(redact(text)) if text else "")


def _asked(request: Request | Judgement, clean: Callable[[str], str]) -> tuple[Value, ...]:
    origin = request.origin
    return (
        _command(request.command, clean),
        clean(request.cwd),
        clean(request.description),
        clean(origin.surface),
        clean(origin.agent),
        clean(origin.caller),
    )


def _command(command: str, clean: Callable[[str], str]) -> str:
    """Whole, or, of a script of megabytes, its beginning, its length and its digest."""
    more = len(command) - _LONGEST
    if more <= 0:
        return clean(command)
    digest = hashlib.sha256(command.encode("utf-8", "surrogatepass")).hexdigest()
    beginning = clean(command[: _LONGEST + _LONGEST_SECRET])[:_LONGEST]  # cut afterwards: a secret is never cut in two
    return f"{beginning} [{more:,} more characters; sha256 of all: {digest}]"


def _decided(decision: Decision | None) -> tuple[Value, ...]:
    if decision is None:
        return "", ""
    if not decision.reasons:
        return str(decision.verdict), ""
    rules = (reason.rule for reason in decision.reasons if reason.verdict == decision.verdict)
    return str(decision.verdict), printable(next(rules, ""))


def _end(result: Result, clean: Callable[[str], str], refused_by: str) -> tuple[Value, ...]:
    fault = fault_of(result)
    return (
        str(fault.result),
        str(result.outcome),
        clean(_reason(result, fault.result, refused_by)),
        int(result.duration_ms),
        fault.category,
        fault.domain,
        fault.phase,
        result.exit_code,
        result.signal,
        int(result.truncated),
        None if result.output_file is None else clean(result.output_file),
    )


def _reason(result: Result, kind: ResultKind, refused_by: str) -> str:
    if refused_by and result.decision_refused:
        return f"{result.error} (answered by {refused_by})"
    if result.error or kind is not ResultKind.BLOCKED or result.decision is None:
        return result.error or ""
    verdict = result.decision.verdict
    return next((reason.message for reason in result.decision.reasons if reason.verdict == verdict), "")
