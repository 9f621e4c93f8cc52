"""Decisions -> what a person reads, with carets under the words that decided, and a few sentences for a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.output.terminal import spelled
from limpet.render.marking import marked_lines, slice_bytes
from limpet.render.paint import Span, joined, paint, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.model.decision import Decision, FoundCommand, Reason
    from limpet.render.marking import Line

_STYLES = {Verdict.ALLOW: "bold green", Verdict.ASK: "bold yellow", Verdict.DENY: "bold red"}
_FLOOR = "floor."
_NO_OTHER_WAY = "Do not try to reach the same effect another way."
_MOST_PARTS = 3
_MOST_CHARACTERS = 60


def explain(command: str, decision: Decision, *, width: int, color: bool) -> str:
    """The command, marked; each reason that decided; and a line that sums it up."""
    reasons = _deciding(decision)
    spans = [reason.span for reason in reasons if reason.span is not None]
    count = command.removesuffix("\n").count("\n") + 1
    digits = len(str(count)) if count > 1 else 0
    lines = marked_lines(command, spans, width=width - digits - 3)
    rows = [*_source(lines, count, digits, _STYLES[decision.verdict])]
    for reason in reasons:
        rows += _told(command, reason, width)
    return paint(joined([*rows, _summary(decision, len(reasons))]), color=color)


def for_model(decision: Decision) -> str:
    """What was decided, why, and what to do instead."""
    return " ".join(part for part in (refusal(decision), advice(decision)) if part)


def refusal(decision: Decision) -> str:
    """What is denied or needs approval, and why, in one sentence; each part with the words it is about."""
    if decision.verdict is Verdict.ALLOW:
        return "Allowed."
    parts = _parts(decision)
    said = ", ".join(parts[:_MOST_PARTS]) + (f" and {len(parts) - _MOST_PARTS} more" * (len(parts) > _MOST_PARTS))
    if decision.verdict is Verdict.DENY:
        rules = list(dict.fromkeys(_one_line(reason.rule) for reason in _deciding(decision)))
        return f"Denied by {', '.join(rules[:_MOST_PARTS]) or 'policy'}: {said or 'no reason was given'}."
    asked, all_of_them = _counts(decision)
    some = f"{asked} of {all_of_them} commands need{'s' * (asked == 1)} approval"
    need = some if asked and all_of_them > 1 else "Needs approval"
    return f"{need}: {said or 'no reason was given'}."


def advice(decision: Decision) -> str:
    """One way to go on; empty when there is nothing to say."""
    if decision.verdict is Verdict.ALLOW:
        return ""
    reasons = _deciding(decision)
    instead = [_sentence(next((reason.suggestion for reason in reasons if reason.suggestion), ""))]
    if any(reason.rule.startswith(_FLOOR) for reason in reasons):
        instead.append(_NO_OTHER_WAY)
    elif decision.verdict is Verdict.ASK and not instead[0]:
        asked, all_of_them = _counts(decision)
        some = 0 < asked < all_of_them
        instead = ["The rest is allowed without it." if some else "Ask the user to approve it."]
    return " ".join(part for part in instead if part)


def _deciding(decision: Decision) -> list[Reason]:
    return [reason for reason in decision.reasons if reason.verdict is decision.verdict]


def _source(lines: list[Line], count: int, digits: int, style: str) -> Iterator[list[Span]]:
    """The lines with their carets; numbered where there are several."""
    due = 1
    for line in lines:
        yield from _gap(line.number - due, digits)
        gutter = f"{line.number:>{digits}} | " if digits else "  "
        yield [Span(gutter, "dim"), Span(line.text)]
        if line.carets:
            yield [Span(f"{'':>{digits}} | " if digits else "  ", "dim"), Span(line.carets, style)]
        due = line.number + 1
    yield from _gap(count - due + 1, digits)


def _gap(lines: int, digits: int) -> Iterator[list[Span]]:
    if lines > 0:
        yield [Span(f"{'':>{digits}} … {lines:,} line{'s' * (lines > 1)}", "dim")]


def _told(command: str, reason: Reason, width: int) -> Iterator[list[Span]]:
    indent = " " * 6
    yield [Span(f"{reason.verdict:<6}", _STYLES[reason.verdict]), Span(f"{_one_line(reason.rule)} ({reason.risk})")]
    words = slice_bytes(command, reason.span) if reason.span is not None else ""
    about = f"`{shorten(words, min(width, _MOST_CHARACTERS))}`: " if words.strip() else ""
    yield [Span(f"{indent}{about}{_one_line(reason.message)}")]
    if reason.suggestion:
        yield [Span(f"{indent}instead: ", "dim"), Span(_one_line(reason.suggestion))]


def _summary(decision: Decision, deciding: int) -> list[Span]:
    said = [f"{deciding} reason{'s' * (deciding != 1)}" if deciding else "nothing speaks against it"]
    asked, all_of_them = _counts(decision)
    if decision.verdict is not Verdict.ALLOW and asked and all_of_them > 1:
        said[0] += f" in {asked} of {all_of_them} commands"
    others = len(decision.reasons) - deciding
    if others:
        said.append(f"{others} lesser reason{'s' * (others > 1)} not shown")
    if decision.read_only:
        said.append("it only reads")
    return [Span(f"{decision.verdict}: ", _STYLES[decision.verdict]), Span("; ".join(said))]


def _counts(decision: Decision) -> tuple[int, int]:
    """How many commands decided, and of how many; those within a script count as one with what runs it."""
    spans = {command.span for command in decision.commands}
    return len(spans & {reason.span for reason in _deciding(decision)}), len(spans)


def _parts(decision: Decision) -> list[str]:
    """Each place that decided, with everything that was said about it."""
    words = {command.span: _words(command) for command in reversed(decision.commands)}
    messages: dict[str, dict[str, None]] = {}
    for reason in _deciding(decision):
        place = words.get(reason.span, "the command") if reason.span is not None else "the command"
        messages.setdefault(place, {})[_one_line(reason.message)] = None
    return [f"{place} ({'; '.join(list(said)[:_MOST_PARTS])})" for place, said in messages.items()]


def _words(command: FoundCommand) -> str:
    text = _one_line(" ".join("…" if word is None else word for word in command.argv))
    return f"`{text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + '…'}`"


def _sentence(text: str) -> str:
    text = _one_line(text).strip()
    return f"{text[0].upper()}{text[1:].removesuffix('.')}." if text else ""


def _one_line(text: str) -> str:
    return spelled(text).replace("\n", " ").replace("\t", " ")
