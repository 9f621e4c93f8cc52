"""Results -> the text that a model reads, and that text -> the data it was made from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limpet.model.result import Outcome
from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.model.filtered import Filtered
    from limpet.model.result import Result

NO_OUTPUT = "(no output)"
NO_ERRORS = "(no errors)"
_NO_CODE = "none"
_CONTINUED = "  "
# A line of output that could be taken for one of ours gets a backslash in front, and one that already has some gets one
# more; every other line stands as it is.
_STUFFED = late(r"^(?=\\*(?:STDOUT:|STDERR:|\(no output\)|\(no errors\))$)", re.MULTILINE)
_UNSTUFFED = late(r"^\\(?=\\*(?:STDOUT:|STDERR:|\(no output\)|\(no errors\))$)", re.MULTILINE)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What the text form says of a result."""

    command: str
    exit_code: int | None
    cwd: str
    outcome: str | None = None
    """In words; None when the command exited by itself."""
    note: str | None = None
    hint: str | None = None
    truncated: bool = False
    filtered: str | None = None
    """What a filter left out, in words."""
    output_file: str | None = None
    """Only when something is missing from the text, or still to come."""
    stdout: str = ""
    """Without surrounding whitespace, and so is `stderr`."""
    stderr: str = ""


def report(result: Result) -> Report:
    """The part of `result` that its text form carries."""
    return Report(
        command=result.command,
        exit_code=result.exit_code,
        cwd=result.cwd,
        outcome=None if result.outcome is Outcome.EXITED else result.what_happened(),
        note=result.error or None,
        hint=result.hint or None,
        truncated=result.truncated,
        filtered=_left_out(result.filtered),
        output_file=(result.output_file or None) if result.truncated or result.outcome is Outcome.RUNNING else None,
        stdout=result.stdout.strip(),
        stderr=result.stderr.strip(),
    )


def render(result: Result) -> str:
    """The text form: what was run and how it ended, STDOUT, STDERR; a line that would say nothing is left out."""
    return write(report(result))


def write(said: Report) -> str:
    """The text form of a report; `parse` is its inverse."""
    fields = (
        ("Command", said.command),
        ("Exit Code", _NO_CODE if said.exit_code is None else str(said.exit_code)),
        ("Working Directory", said.cwd),
        ("Outcome", said.outcome),
        ("Note", said.note),
        ("Hint", said.hint),
        ("Truncated", "yes" if said.truncated else None),
        ("Filtered", said.filtered),
        ("Output File", said.output_file),
    )
    head = [f"{name}: " + value.replace("\n", "\n" + _CONTINUED) for name, value in fields if value is not None]
    bodies = ["", "STDOUT:", _stuff(said.stdout, NO_OUTPUT), "", "STDERR:", _stuff(said.stderr, NO_ERRORS)]
    return "\n".join(head + bodies)


def parse(text: str) -> Report:
    """The data a text form was made from. Raises ValueError for text that is none."""
    head, opened, rest = text.partition("\n\nSTDOUT:\n")
    stdout, closed, stderr = rest.partition("\n\nSTDERR:\n")  # such a line of the output itself is stuffed
    fields = _fields(head)
    if not (opened and closed and {"Command", "Exit Code", "Working Directory"} <= fields.keys()):
        raise ValueError("not the text form of a result: a heading is missing")
    code = fields["Exit Code"]
    return Report(
        command=fields["Command"],
        exit_code=None if code == _NO_CODE else int(code),
        cwd=fields["Working Directory"],
        outcome=fields.get("Outcome"),
        note=fields.get("Note"),
        hint=fields.get("Hint"),
        truncated="Truncated" in fields,
        filtered=fields.get("Filtered"),
        output_file=fields.get("Output File"),
        stdout=_unstuff(stdout, NO_OUTPUT),
        stderr=_unstuff(stderr, NO_ERRORS),
    )


def summary(results: Iterable[Result]) -> str:
    """A series of commands, each as `$ command` with its output and, unless it succeeded, how it ended."""
    return "\n\n".join([_told(result) for result in results]) or NO_OUTPUT


def _left_out(filtered: Filtered | None) -> str | None:
    if filtered is None:
        return None
    lines = filtered.raw_lines - filtered.filtered_lines
    return f"{lines:,} of {filtered.raw_lines:,} lines left out: progress of {filtered.filter}"


def _told(result: Result) -> str:
    lines = ["$ " + result.command.replace("\n", "\n> "), result.output.strip("\n") or NO_OUTPUT]
    if not result.ok:
        said = ": ".join(part for part in (result.what_happened(), result.error) if part)
        lines.append(f"[{said}]")
    return "\n".join(lines)


def _stuff(body: str, nothing: str) -> str:
    return _STUFFED.sub(r"\\", body) if body else nothing


def _unstuff(body: str, nothing: str) -> str:
    return "" if body == nothing else _UNSTUFFED.sub("", body)


def _fields(head: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = ""
    for line in head.split("\n"):
        if line.startswith(_CONTINUED):
            fields[name] = fields.get(name, "") + "\n" + line.removeprefix(_CONTINUED)
        else:
            name, _, value = line.partition(": ")
            fields[name] = value
    return fields
