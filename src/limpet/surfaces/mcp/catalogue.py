"""Settings -> what the server says of itself and of its tools. Plain data: nothing of the SDK is needed to say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limpet import __version__
from limpet.tool import describe, schema

if TYPE_CHECKING:
    from limpet.config import Settings

NAME = "limpet"
VERSION = __version__
TEMPLATE = "limpet://runs/{id}/output"
OUTPUT = {"uriTemplate": TEMPLATE, "name": "output", "title": "What a run printed", "mimeType": "text/plain"}

INSTRUCTIONS = """\
limpet runs shell commands: each is judged before it starts, contained while it runs, and recorded. Use `bash` for \
every command. A call comes back after {patience:g} s at the latest; a command that takes longer goes on, and \
`bash_output`, `bash_input` and `bash_stop` reach it by the id in the answer. What was refused says why, and what to \
do instead: do not try to reach the same effect another way. Where a person has to approve, tell them what the answer \
says, and call again."""

_BASH = """

- A command still running after `yield` milliseconds (at most {patience:,}) goes on as a task: the answer has its id.
- With `background` it is one at once. Tasks go on without this server, and `limpet tasks` shows them to the user.
- With `draft` the workspace stays as it is: later calls with `draft` see the changes, bash_changes keeps or drops them.
- With `terminal` it gets one: when it waits for input the answer says what it asks, and `bash_input` types."""

_ELSEWHERE = "run_in_background"
"""What the tool for programs calls it."""
_LONG = (
    "by the last name in `output_file`.",
    "by the id after `Run:`.",
)
"""How that tool and these are told which output is meant."""
_ID = {"type": "string", "minLength": 1, "description": "The id of the run, as the answer of bash gave it."}
_SCREEN = {"type": "boolean", "description": "Instead of output: what its terminal shows now, as text."}


def instructions(patience: float) -> str:
    """For the model, once."""
    return INSTRUCTIONS.format(patience=patience)


def tools(settings: Settings, patience: float) -> list[dict[str, Any]]:
    """All of them, as the protocol lists them."""
    return [_bash(settings, patience), _output(), _input(), _stop(), _tasks(), _session(), _changes()]


def _tool(name: str, title: str, description: str, properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    required = more.pop("required", [])
    return {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": {
            "type": "object", "properties": properties, "required": required, "additionalProperties": False,
        },
        "annotations": {"title": title, **more},
    }  # fmt: skip


def _bash(settings: Settings, patience: float) -> dict[str, Any]:
    wanted = schema(settings)
    wanted["properties"].pop(_ELSEWHERE, None)
    more = {
        "background": {"type": "boolean", "description": "Come back at once; it goes on as a task."},
        "yield": {
            "type": "number", "minimum": 0, "maximum": 3_600_000,
            "description": "Milliseconds to wait for its end; after that it goes on without being waited for.",
        },
        "draft": {"type": "boolean", "description": "What it changes waits to be kept or dropped (bash_changes)."},
        "terminal": {"type": "boolean", "description": "Run it in a terminal, to be answered with bash_input."},
    }  # fmt: skip
    said = describe(settings).replace(_ELSEWHERE, "background").replace(*_LONG)
    said += _BASH.format(patience=round(patience * 1000))
    return _tool(
        "bash", "Run a bash command", said, {**wanted["properties"], **more}, required=wanted["required"],
        readOnlyHint=False, destructiveHint=True, idempotentHint=False, openWorldHint=True,
    )  # fmt: skip


def _output() -> dict[str, Any]:
    properties = {
        "id": _ID,
        "tail": {"type": "integer", "minimum": 0, "description": "Only the last lines, this many."},
        "since": {"type": "integer", "minimum": 0, "description": "Only from this byte on."},
        "grep": {"type": "string", "description": "Only lines that match this regular expression."},
        "wait": {
            "type": "number", "minimum": 0, "maximum": 3_600_000,
            "description": "Milliseconds to wait for its end, or for it to ask something, before answering.",
        },
        "screen": _SCREEN,
    }  # fmt: skip
    return _tool(
        "bash_output", "Read what a command printed",
        "How a run stands, and what it has printed: all of it, its end, what is new since an offset, or what matches.",
        properties, required=["id"], readOnlyHint=True, openWorldHint=False,
    )  # fmt: skip


def _input() -> dict[str, Any]:
    properties = {
        "id": _ID,
        "text": {"type": "string", "description": "Typed as it stands; end a line with \\n."},
        "keys": {
            "type": "array", "items": {"type": "string"},
            "description": "Keys by name, pressed after the text: enter, up, tab, escape, ctrl-c, f1, ...",
        },
        "screen": _SCREEN,
    }  # fmt: skip
    return _tool(
        "bash_input", "Type into a command's terminal",
        "Type into a command that was started with `terminal`, or in a session that has one, and see what it prints "
        "next.",
        properties, required=["id"], readOnlyHint=False, destructiveHint=True, openWorldHint=True,
    )  # fmt: skip


def _stop() -> dict[str, Any]:
    return _tool(
        "bash_stop", "End a command", "End a run with everything it started, and get what it had printed.",
        {"id": _ID}, required=["id"], readOnlyHint=False, destructiveHint=True, idempotentHint=True,
        openWorldHint=False,
    )  # fmt: skip


def _tasks() -> dict[str, Any]:
    return _tool(
        "bash_tasks", "List commands that run", "The commands that still run, and those that ended last.", {},
        readOnlyHint=True, openWorldHint=False,
    )  # fmt: skip


def _session() -> dict[str, Any]:
    properties = {
        "command": {"type": "string", "minLength": 1, "description": "The command, as typed into bash."},
        "name": {"type": "string", "minLength": 1, "description": "Which session (main); each is a shell of its own."},
        "description": {"type": "string", "description": "What it is for, in five to ten words."},
        "timeout": {"type": "number", "minimum": 1, "description": "Milliseconds after which it is ended."},
        "yield": {
            "type": "number", "minimum": 0, "maximum": 3_600_000,
            "description": "Milliseconds to wait for its end; after that it goes on without being waited for.",
        },
        "terminal": {"type": "boolean", "description": "Open it with a terminal, for what asks or draws (bash_input)."},
        "close": {"type": "boolean", "description": "End the session instead, with everything it has started."},
    }  # fmt: skip
    return _tool(
        "bash_session", "Run a command in a shell that stays",
        "Like bash, in a shell that stays: folder, variables, functions and background jobs of one command are there "
        "for the next. Prefer bash where nothing has to last. Opened with `terminal` it keeps that: when a command "
        "waits for input the answer says what it asks, and `bash_input` types.",
        properties, readOnlyHint=False, destructiveHint=True, openWorldHint=True,
    )  # fmt: skip


def _changes() -> dict[str, Any]:
    properties = {
        "action": {
            "type": "string", "enum": ["show", "keep", "drop"],
            "description": "show: what is different; keep: put it into the workspace; drop: forget it.",
        },
        "paths": {
            "type": "array", "items": {"type": "string"}, "description": "With keep: only these, and what is in them.",
        },
    }  # fmt: skip
    return _tool(
        "bash_changes", "Keep or drop a draft",
        "See, keep or drop what the calls of bash with `draft` have changed. What was kept can be undone by the user.",
        properties, required=["action"], readOnlyHint=False, destructiveHint=True, openWorldHint=False,
    )  # fmt: skip
