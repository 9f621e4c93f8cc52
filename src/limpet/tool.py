"""The bash tool as an agent sees it: what it is told, what it may pass, what it gets back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from limpet.errors import InvalidRequestError, LaunchError, limpetError
from limpet.render import text

if TYPE_CHECKING:
    from limpet.config import Settings
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.shell import Shell

NAME = "bash"

_DESCRIPTION = """\
Run one bash command in the workspace and get its exit code, stdout and stderr.

- Each call is a new shell: `cd` and variables do not last. Pass `cwd`, or chain with `&&` (stop at a failure) or `;`.
- Nobody can type: no editors, pagers or prompts. Pass flags such as `-y` or `--no-pager`; stdin is empty.
- Processes left in the background are ended when the command's shell exits.
- Quote paths that may hold spaces. Prefer paths relative to the workspace.
- Say in `description`, in a few words, what the command is for.
- Long output is shortened in the middle; `output_file` has all of it: read on with grep, sed -n or tail.
- Ended after {timeout} unless `timeout` (milliseconds, at most {most:,}) says otherwise; what was printed is kept.
- Secrets of the user's environment are withheld; `withheld_env` names them."""


class ToolAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What goes back to the model and to the program around it."""

    text: str
    """For the model."""
    data: Mapping[str, Any]
    """For programs."""
    is_error: bool
    """The call itself was wrong or refused; a command that failed is not an error of the tool."""


class BashTool:
    """One tool over one shell."""

    name = NAME
    read_only = False
    """It executes: hosts must not treat it as a tool that only looks."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def definition(self) -> dict[str, Any]:
        """Name, description, JSON schema and hints, as tool registries want them."""
        return {
            "name": NAME,
            "description": describe(self._shell.settings),
            "input_schema": schema(self._shell.settings),
            "annotations": {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True},
        }

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer | None:
        """Answer a call by name; None when it is another tool's."""
        if name != NAME:
            return None
        try:
            command, options = _parse(arguments)
            result = await self._shell.run(command, **options)
        except limpetError as error:
            return _refusal(error)
        return _answer(result)


def describe(settings: Settings) -> str:
    """What the model is told."""
    limit = settings.run.timeout
    timeout = "no time limit" if limit is None else f"{limit:g} s"
    return _DESCRIPTION.format(timeout=timeout, most=round(settings.run.max_timeout * 1000))


def schema(settings: Settings) -> dict[str, Any]:
    """What the model may pass."""
    properties = {
        "command": {"type": "string", "minLength": 1, "description": "The command, as typed into bash."},
        "description": {"type": "string", "description": "What it is for, in five to ten words."},
        "timeout": {
            "type": "number",
            "minimum": settings.run.min_timeout * 1000,
            "maximum": settings.run.max_timeout * 1000,
            "description": "Milliseconds after which it is ended.",
        },
        "cwd": {"type": "string", "description": "Folder to run in, inside the workspace."},
        "env": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Environment variables to add.",
        },
    }
    required = ["command", "description"] if settings.run.require_description else ["command"]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _parse(arguments: Mapping[str, Any]) -> tuple[str, RunOptions]:
    known = {"command", "description", "timeout", "cwd", "env"}
    if unknown := sorted(set(arguments) - known):
        raise InvalidRequestError(f"unknown arguments: {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    if "command" not in arguments:
        raise InvalidRequestError("the argument command is missing", field="command")
    options: RunOptions = {}
    if arguments.get("timeout") is not None:
        options["timeout"] = _seconds(arguments["timeout"])
    if arguments.get("description") is not None:
        options["description"] = arguments["description"]
    if arguments.get("cwd") is not None:
        options["cwd"] = arguments["cwd"]
    if arguments.get("env") is not None:
        options["env"] = arguments["env"]
    return arguments["command"], options


def _seconds(milliseconds: object) -> float:
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, (int, float)):
        raise InvalidRequestError(f"timeout must be a number of milliseconds, not {milliseconds!r}", field="timeout")
    try:
        return milliseconds / 1000
    except OverflowError:
        raise InvalidRequestError("timeout is beyond all bounds", field="timeout") from None


def _answer(result: Result) -> ToolAnswer:
    data = {
        "success": result.ok,
        "outcome": result.outcome.value,
        "stdout": result.stdout,
        "stderr": result.stderr,
        "exit_code": result.exit_code,
        "signal": result.signal,
        "timed_out": result.timed_out,
        "duration_ms": result.duration_ms,
        "truncated": result.truncated,
        "task_id": result.task_id,
        "output_file": result.output_file,
        "withheld_env": list(result.withheld_env),
        "hint": result.hint,
        "error": result.error,
    }
    return ToolAnswer(text=text.render(result), data=data, is_error=result.decision_refused)


def _refusal(error: limpetError) -> ToolAnswer:
    kind = "not started" if isinstance(error, LaunchError) else "refused"
    text = f"{kind}: {error}"
    return ToolAnswer(text=text, data={"success": False, "outcome": "not_started", "error": str(error)}, is_error=True)
