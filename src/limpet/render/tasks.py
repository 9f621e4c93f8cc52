"""Tasks -> a table, a panel, or a few lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.task import TaskInput, TaskState
from limpet.output.terminal import spelled
from limpet.render.paint import Span, columns, joined, paint, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.model.task import TaskStatus

_STYLES = {
    TaskState.STARTING: "cyan", TaskState.RUNNING: "cyan", TaskState.WAITING: "yellow", TaskState.STOPPED: "dim",
    TaskState.EXITED: "green",
}  # fmt: skip
_LEAST_COMMAND = 12
_ANSWER = {
    TaskInput.NONE: "", TaskInput.PIPE: "limpet send {id} TEXT", TaskInput.TERMINAL: "limpet attach {id}",
}  # fmt: skip


def table(tasks: Sequence[TaskStatus], *, width: int, color: bool, everywhere: bool = False) -> str:
    """A line a task: id, where it has come to, for how long, whose it is, what it is."""
    heading = ["TASK", "STATUS", "TIME", *_extra_heading(tasks, everywhere=everywhere)]
    rows = [_cells(task, heading) for task in tasks]
    widths = [max(columns(row[at]) for row in [heading, *rows]) for at in range(len(heading))]
    room = max(_LEAST_COMMAND, width - sum(widths) - 2 * len(widths))
    lines = [[Span("  ".join([*_padded(heading, widths), "COMMAND"]), "bold")]]
    for task, row in zip(tasks, rows, strict=True):
        first, state, *rest = _padded(row, widths)
        asks = f"asks: {task.prompt} | " if task.prompt else ""
        what = shorten(asks + (task.description or task.command), room)
        lines.append([Span(f"{first}  "), Span(state, style(task)), Span("  " + "  ".join([*rest, what]))])
    return paint(joined(lines), color=color)


def started(task: TaskStatus, *, width: int, color: bool) -> str:
    """The panel for a task that was just started: what it is, where its output goes, how to see and to end it."""
    title = " started in the background "
    rows = [
        ("task", task.task_id),
        ("what", task.description),
        ("command", task.command),
        ("folder", task.cwd),
        ("output", task.output_file),
        ("follow", f"limpet logs -f {task.task_id}"),
        ("answer", _ANSWER[task.input].format(id=task.task_id)),
        ("stop", f"limpet stop {task.task_id}"),
    ]
    label = max(len(name) for name, _ in rows)
    inner = max(len(title) + 2, min(width - 4, max(label + 2 + columns(spelled(text)) for _, text in rows)))
    lines = [[Span("╭" + title.center(inner + 2, "─") + "╮", "dim")]]
    for name, text in rows:
        if text:
            lines += _boxed(name.ljust(label), text, inner)
    lines.append([Span("╰" + "─" * (inner + 2) + "╯", "dim")])
    return paint(joined(lines), color=color)


def details(task: TaskStatus, *, color: bool) -> str:
    """Everything that is known of one."""
    rows = [
        ("task", task.task_id), ("what", task.description), ("command", task.command), ("folder", task.cwd),
        ("workspace", task.workspace if task.workspace != task.cwd else ""), ("agent", task.agent),
        ("asks", task.prompt),
        ("time", seconds(task.duration_ms)), ("limit", "" if task.timeout is None else f"{task.timeout:g} s"),
        ("pid", "" if task.pid is None or task.over else str(task.pid)),
        ("output", f"{task.output_file} ({task.output_bytes:,} bytes)"), ("note", task.error or ""),
    ]  # fmt: skip
    label = max(len(name) for name, _ in rows)
    lines = [[Span(f"{'status'.ljust(label)}  ", "dim"), Span(task.what_happened(), style(task))]]
    lines += [[Span(f"{name.ljust(label)}  ", "dim"), Span(spelled(text))] for name, text in rows if text]
    return paint(joined(lines), color=color)


def sentence(task: TaskStatus) -> str:
    """One line about one that is over, or not."""
    after = "" if task.duration_ms is None else f" after {seconds(task.duration_ms)}"
    note = f": {spelled(task.error)}" if task.error else ""
    return f"task {task.task_id}: {task.what_happened()}{after}{note}"


def style(task: TaskStatus) -> str:
    """The colour of its state."""
    if task.status is TaskState.EXITED and task.exit_code:
        return "red"
    return _STYLES.get(task.status, "red")


def seconds(milliseconds: int | None) -> str:
    """A duration as people say it."""
    if milliseconds is None:
        return ""
    total = milliseconds / 1000
    if total < 60:
        return f"{total:.1f} s"
    minutes, rest = divmod(round(total), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def _extra_heading(tasks: Sequence[TaskStatus], *, everywhere: bool) -> list[str]:
    return (["AGENT"] if any(task.agent for task in tasks) else []) + (["WORKSPACE"] if everywhere else [])


def _cells(task: TaskStatus, heading: list[str]) -> list[str]:
    cells = {
        "TASK": task.task_id, "STATUS": task.what_happened(), "TIME": seconds(task.duration_ms),
        "AGENT": shorten(task.agent, 20), "WORKSPACE": shorten(task.workspace, 40),
    }  # fmt: skip
    return [cells[name] for name in heading]


def _padded(cells: list[str], widths: list[int]) -> list[str]:
    return [cell + " " * (width - columns(cell)) for cell, width in zip(cells, widths, strict=True)]


def _boxed(name: str, text: str, inner: int) -> list[list[Span]]:
    room = inner - len(name) - 2
    text = spelled(text).replace("\t", " ")
    short = shorten(text, room) if not text.startswith("/") else text
    pieces = [short[at : at + room] for at in range(0, len(short), room)] if columns(short) > room else [short]
    return [
        [
            Span("│ ", "dim"), Span(name if not at else " " * len(name), "dim"),
            Span("  " + piece + " " * (room - columns(piece))), Span(" │", "dim"),
        ]
        for at, piece in enumerate(pieces)
    ]  # fmt: skip
