"""Results -> what a person sees on a terminal, in four zones: header, parameters, viewport, status line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.model.result import Outcome
from limpet.output.terminal import spelled, visible
from limpet.render.paint import Span, columns, joined, paint, shorten
from limpet.render.viewport import viewport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.model.decision import Reason
    from limpet.model.result import Result

_WIDTH = 100


def zones(result: Result, *, timeout: float | None, width: int, color: bool, description: str = "") -> str:
    """A finished run, whole. Without `color` the same text, and no escape sequence in it."""
    verdict = [Span(f"  {_verdict(result)}", _style(result))]
    room = max(10, width - sum(len(span.text) for span in verdict) - 2)
    header = [Span("$ " + shorten(result.command, room), "bold"), *verdict]
    shown = viewport(result.stdout, result.stderr)
    lines = [header, *_parameters(description, result.cwd, timeout, width), *shown, _status(result)]
    return paint(joined(lines), color=color)


def opening(
    command: str, description: str, cwd: str, timeout: float | None, *, color: bool, width: int = _WIDTH
) -> str:
    """What is shown before the output of a live run: header and parameters."""
    header = [Span("$ " + shorten(command, max(10, width - 2)), "bold")]
    return paint(joined([header, *_parameters(description, cwd, timeout, width)]), color=color)


def closing(result: Result, *, lines: tuple[int, int], color: bool, width: int = _WIDTH) -> str:
    """What is shown after the output of a live run, of which `lines` were shown: how it ended, and what to know."""
    label = _label(result)
    said = [f"{result.duration_ms / 1000:.1f} s", _counts(*lines), _walls(result), _one_line(result.operation_id)]
    first, *more = _rows(said, width, used=len(label))
    notes = [[Span(f"  {_one_line(note)}", style)] for note, style in _notes(result)]
    status = [[Span(label, _style(result)), Span(first, "dim")], *([Span(row, "dim")] for row in more)]
    return paint(joined([*status, *notes]), color=color)


def notice(result: Result) -> str:
    """The one line for a reader who sees nothing but the output; empty when everything went as expected."""
    known = result.hint if result.hint and not result.hint.startswith("guess: ") else ""
    error = result.error or ""
    said = f"{error}{'' if error.endswith('.') else ';' * bool(error and known)} {known}".strip()
    return f"limpet: {_one_line(said)}\n" if said else ""


def blocked(result: Result, *, color: bool, width: int = _WIDTH) -> str:
    """A command that was not run: what matched, why, and what to do instead."""
    title = "needs approval" if result.outcome is Outcome.NEEDS_APPROVAL else "blocked"
    header = [
        Span(f"[{title}] ", "bold red"),
        Span("$ " + shorten(result.command, max(10, width - len(title) - 5)), "bold"),
    ]
    reasons = result.decision.reasons if result.decision else ()
    lines = [
        line for reason in reasons if reason.verdict is not Verdict.ALLOW for line in _reason(result.command, reason)
    ]
    if not lines and result.error:
        lines = [_row("why", result.error)]
    return paint(joined([header, *lines, _status(result)]), color=color)


def _reason(command: str, reason: Reason) -> list[list[Span]]:
    start, end = reason.span or (0, 0)
    rows = [_row("rule", f"{reason.rule} ({reason.risk.value})")]
    if start < end:
        rows.append(_row("matched", shorten(command[start:end], _WIDTH)))
    rows.append(_row("why", reason.message))
    return [*rows, _row("instead", reason.suggestion)] if reason.suggestion else rows


def _row(name: str, value: str) -> list[Span]:
    return [Span(f"  {name:<8} ", "dim"), Span(_one_line(value))]


def _verdict(result: Result) -> str:
    return _one_line(result.what_happened())


def _label(result: Result) -> str:
    return "timed out" if result.outcome is Outcome.TIMED_OUT else _verdict(result)


def _notes(result: Result) -> Iterator[tuple[str, str]]:
    if result.error:
        yield result.error, "yellow"
    if result.hint:
        yield result.hint, "dim"
    if result.truncated:
        yield f"truncated for a model; all of it: limpet logs {result.operation_id}", "yellow"


def _style(result: Result) -> str:
    return "bold green" if result.ok else "bold red"


def _parameters(description: str, cwd: str, timeout: float | None, width: int) -> list[list[Span]]:
    said = [_one_line(description), f"in {_one_line(cwd)}" if cwd else ""]
    said.append("no time limit" if timeout is None else f"time limit {timeout:g} s")
    return [[Span(row, "dim")] for row in _rows(said, width)]


def _rows(parts: list[str], width: int, *, used: int = 0) -> list[str]:
    """Parts beside each other as long as they fit, each row set in by two; `used` columns of the first are taken."""
    rows = [""]
    for part in filter(None, parts):
        longer = f"{rows[-1]} | {part}" if rows[-1] else f"  {part}"
        if rows[-1] and columns(longer) + used * (len(rows) == 1) > width:
            rows.append(f"  {part}")
        else:
            rows[-1] = longer
    return rows


def _status(result: Result) -> list[Span]:
    where = f"; all of it: {_one_line(result.output_file)}" if result.output_file else ""
    spans = [Span(f"truncated{where} | ", "yellow")] if result.truncated else []
    said = [
        _counts(_lines(result.stdout), _lines(result.stderr)),
        f"{result.duration_ms / 1000:.1f} s",
        _walls(result),
        _one_line(result.operation_id),
    ]
    if result.error and result.outcome not in (Outcome.DENIED, Outcome.NEEDS_APPROVAL):
        said.append(_one_line(result.error))
    return [*spans, Span(" | ".join(part for part in said if part), "dim")]


def _walls(result: Result) -> str:
    """How it was contained; nobody should have to ask."""
    held = result.guarantees
    if held is None:
        return ""
    if held.level == "bare":
        return "not contained"
    return f"contained: {held.level}" + (", network open" if held.network == "open" else "")


def _lines(text: str) -> int:
    return len(visible(text).splitlines()) if text else 0


def _counts(out: int, err: int) -> str:
    return f"{out:,} line{'s' * (out != 1)} out, {err:,} line{'s' * (err != 1)} err"


def _one_line(text: str) -> str:
    return spelled(text).replace("\n", " ").replace("\t", " ")
