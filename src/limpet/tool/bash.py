"""The bash tool as an agent sees it: what it is told, what it may pass, what it gets back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limpet.errors import CommandDeniedError, InvalidRequestError, LaunchError, limpetError
from limpet.render import text
from limpet.tool.answer import ToolAnswer
from limpet.tool.background import TaskTools, started

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.shell import Shell

NAME = "bash"

_DESCRIPTION = """\
Run one bash command in the workspace and get its exit code, stdout and stderr.

- Each call is a new shell: `cd` and variables do not last. Pass `cwd`, or chain with `&&` (stop at a failure) or `;`.
- Nobody can type: no editors, pagers or prompts. Pass flags such as `-y` or `--no-pager`; stdin is empty.
- Processes left in the background with `&` are ended when the command's shell exits. For a server, a watcher or a long
  build pass `run_in_background`: you get a task id at once. Read it with bash_output, end it with bash_stop.
- Quote paths that may hold spaces. Prefer paths relative to the workspace.
- Say in `description`, in a few words, what the command is for.
- Long output is shortened in the middle; bash_output reads all of it, by the last name in `output_file`.
- Ended after {timeout} unless `timeout` (milliseconds, at most {most:,}) says otherwise; what was printed is kept.
- Secrets of the user's environment are withheld; `withheld_env` names them."""


class BashTool:
    """One tool over one shell."""

    name = NAME
    read_only = False
    """It executes: hosts must not treat it as a tool that only looks."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._tasks = TaskTools(shell)

    def definition(self) -> dict[str, Any]:
        """Name, description, JSON schema and hints, as tool registries want them."""
        return {
            "name": NAME,
            "description": describe(self._shell.settings),
            "input_schema": schema(self._shell.settings),
            "annotations": {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True},
        }

    def definitions(self) -> list[dict[str, Any]]:
        """The same for this tool and those that read, stop and list background tasks."""
        return [self.definition(), *self._tasks.definitions()]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer | None:
        """Answer a call of `bash`, `bash_output`, `bash_stop` or `bash_tasks`; None when it is another tool's."""
        try:
            return await self._bash(arguments) if name == NAME else await self._tasks.call(name, arguments)
        except CommandDeniedError as denied:
            return _answer(denied.result)
        except limpetError as error:
            return _refusal(error)

    async def _bash(self, arguments: Mapping[str, Any]) -> ToolAnswer:
        command, options, background = _parse(arguments)
        if background:
            return started((await self._shell.start(command, **options)).status())
        return _answer(await self._shell.run(command, **options))


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
        "run_in_background": {
            "type": "boolean",
            "description": "Come back at once with a task id; the command goes on, with no time limit but `timeout`.",
        },
    }
    required = ["command", "description"] if settings.run.require_description else ["command"]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _parse(arguments: Mapping[str, Any]) -> tuple[str, RunOptions, bool]:
    known = {"command", "description", "timeout", "cwd", "env", "run_in_background"}
    if unknown := sorted(set(arguments) - known):
        raise InvalidRequestError(f"unknown arguments: {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    if "command" not in arguments:
        raise InvalidRequestError("the argument command is missing", field="command")
    background = arguments.get("run_in_background") or False
    if not isinstance(background, bool):
        raise InvalidRequestError(f"run_in_background must be true or false, not {background!r}")
    options: RunOptions = {}
    if arguments.get("timeout") is not None:
        options["timeout"] = _seconds(arguments["timeout"])
    if arguments.get("description") is not None:
        options["description"] = arguments["description"]
    if arguments.get("cwd") is not None:
        options["cwd"] = arguments["cwd"]
    if arguments.get("env") is not None:
        options["env"] = arguments["env"]
    return arguments["command"], options, background


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
