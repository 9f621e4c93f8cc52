"""The tools for background tasks, as an agent sees them: read, stop, list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from limpet.errors import InvalidRequestError
from limpet.logs import StoredLog, is_task
from limpet.tool.answer import ToolAnswer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from limpet.model.task import TaskStatus
    from limpet.shell import Shell
    from limpet.tasks.task import Task

_ID = {"type": "string", "description": "The id of the task."}
_ANY_ID = {"type": "string", "description": "The id of the task, or of a run: the last name in its `output_file`."}
_MOST_CHARACTERS = 30_000
_LARGEST = 1 << 53

_READ = """\
Read what a background task has printed, and where it has come to; or all of what a run has printed. Pass `since` = the
last `next_offset` to get only what is new, `tail` for the last lines, `grep` for lines that match a regular expression.
`wait` waits up to so many milliseconds for the end of the task: use that instead of sleeping."""

_TOOLS: dict[str, tuple[str, dict[str, Any], list[str], bool]] = {
    "bash_output": (
        _READ,
        {
            "task_id": _ANY_ID,
            "since": {"type": "integer", "minimum": 0, "description": "Offset in bytes to read from."},
            "tail": {"type": "integer", "minimum": 0, "description": "Only the last lines."},
            "grep": {"type": "string", "description": "Only lines that match this regular expression."},
            "wait": {"type": "number", "minimum": 0, "description": "Milliseconds to wait for its end."},
        },
        ["task_id"],
        True,
    ),
    "bash_stop": (
        "End a background task, with everything it started.",
        {"task_id": _ID},
        ["task_id"],
        False,
    ),
    "bash_tasks": (
        "List the background tasks of this workspace, oldest first.",
        {"running": {"type": "boolean", "description": "Only those that are not over."}},
        [],
        True,
    ),
}  # fmt: skip


class TaskTools:
    """Three tools over one shell."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._calls: dict[str, Callable[[Mapping[str, Any]], Awaitable[ToolAnswer]]] = {
            "bash_output": self._output,
            "bash_stop": self._stop,
            "bash_tasks": self._list,
        }

    def definitions(self) -> list[dict[str, Any]]:
        """Name, description, JSON schema and hints of each."""
        return [
            {
                "name": name,
                "description": description,
                "input_schema": {
                    "type": "object", "properties": properties, "required": required, "additionalProperties": False,
                },
                "annotations": {"readOnlyHint": reads, "destructiveHint": not reads, "openWorldHint": False},
            }
            for name, (description, properties, required, reads) in _TOOLS.items()
        ]  # fmt: skip

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer | None:
        """Answer a call by name; None when it is another tool's. Raises limpetError for what makes no sense."""
        if name not in self._calls:
            return None
        _check(name, arguments)
        return await self._calls[name](arguments)

    async def _output(self, arguments: Mapping[str, Any]) -> ToolAnswer:
        if not is_task(arguments["task_id"]):
            return _of_run(arguments)
        task = self._task(arguments["task_id"])
        if arguments.get("wait"):
            await task.wait(arguments["wait"] / 1000)
        status = task.status()
        part = task.read(since=arguments.get("since") or 0, tail=arguments.get("tail"), grep=arguments.get("grep"))
        text = (
            part.text
            if len(part.text) <= _MOST_CHARACTERS
            else _shortened(part.text, f"all of it: {status.output_file}")
        )
        gone = f"[{part.dropped_bytes:,} bytes before this are gone]\n" if part.dropped_bytes else ""
        head = f"{_line(status)}\nNext Offset: {part.next_offset}"
        data = {**_data(status), "text": text, "next_offset": part.next_offset, "dropped_bytes": part.dropped_bytes}
        return ToolAnswer(text=f"{head}\n\n{gone}{text or '(no output)'}", data=data, is_error=False)

    async def _stop(self, arguments: Mapping[str, Any]) -> ToolAnswer:
        task = self._task(arguments["task_id"])
        await task.stop()
        status = task.status()
        return ToolAnswer(text=_line(status), data=_data(status), is_error=False)

    def _task(self, name: str) -> Task:
        """One of this workspace: an agent has no business with those of others."""
        task = self._shell.task(name)
        if task.status().workspace != self._shell.workspace:
            raise InvalidRequestError(f"there is no task {name!r} in this workspace", field="task_id")
        return task

    async def _list(self, arguments: Mapping[str, Any]) -> ToolAnswer:
        found = [task.status() for task in self._shell.tasks()]
        if arguments.get("running"):
            found = [status for status in found if not status.over]
        text = "\n".join(_line(status) for status in found) or "(no background tasks)"
        return ToolAnswer(text=text, data={"tasks": [_data(status) for status in found]}, is_error=False)


def _of_run(arguments: Mapping[str, Any]) -> ToolAnswer:
    """What a command printed that was not in the background: those that are contained do not see the file itself."""
    log = StoredLog(arguments["task_id"])
    found, end = log.part(since=arguments.get("since") or 0, tail=arguments.get("tail"), grep=arguments.get("grep"))
    text = found if len(found) <= _MOST_CHARACTERS else _shortened(found, "narrow it with since, tail or grep")
    data = {"text": text, "next_offset": end, "dropped_bytes": 0}
    return ToolAnswer(text=f"Next Offset: {end}\n\n{text or '(no output)'}", data=data, is_error=False)


def started(status: TaskStatus) -> ToolAnswer:
    """What is said of a command that was started in the background."""
    text = (
        f"Started in the background.\nTask: {status.task_id}\nOutput File: {status.output_file}\n"
        "Read it with bash_output, end it with bash_stop; it goes on until it is over or stopped."
    )
    return ToolAnswer(text=text, data={"success": True, **_data(status)}, is_error=False)


def _check(name: str, arguments: Mapping[str, Any]) -> None:
    _, properties, required, _ = _TOOLS[name]
    if unknown := sorted(set(arguments) - properties.keys()):
        known = ", ".join(sorted(properties))
        raise InvalidRequestError(f"unknown arguments: {', '.join(unknown)}; there are: {known}")
    for field in required:
        if field not in arguments:
            raise InvalidRequestError(f"the argument {field} is missing", field=field)
    for field, value in arguments.items():
        kind = properties[field]["type"]
        if value is not None and not _fits(kind, value):
            raise InvalidRequestError(f"{field} must be of type {kind}, not {value!r:.100}", field=field)


def _fits(kind: str, value: object) -> bool:
    if kind == "boolean" or isinstance(value, bool):
        return kind == "boolean" and isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str)
    if isinstance(value, int) or (kind == "number" and isinstance(value, float)):
        return 0 <= value <= _LARGEST
    return False


def _line(status: TaskStatus) -> str:
    after = "" if status.duration_ms is None else f" ({status.duration_ms / 1000:.1f} s)"
    what = status.description or status.command.partition("\n")[0][:80]
    note = f": {status.error}" if status.error else f": it asks {status.prompt!r}" if status.prompt else ""
    return f"Task {status.task_id}: {status.what_happened()}{after}: {what}{note}"


def _data(status: TaskStatus) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(status)
    return found


def _shortened(text: str, advice: str) -> str:
    left_out = len(text) - _MOST_CHARACTERS
    note = f"[{left_out:,} characters left out; {advice}]\n"
    return note + text[left_out:]
