"""Gemini CLI: `BeforeTool` of `settings.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.surfaces.hooks.question import Call, Json, OnAsk, Reply, expect, folder_of, inside, table_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

REWRITES = True
ASKS = OnAsk.DENY
"""Without a person at the terminal it waits for one for ever."""
TOOLS = ("run_shell_command",)


def read(event: Json, environ: Mapping[str, str]) -> Call | None:
    """The call; None for another tool."""
    expect(event, "hook_event_name", "BeforeTool")
    if text_of(event, "tool_name") not in TOOLS:
        return None
    arguments = table_of(event, "tool_input")
    cwd = folder_of(event)
    return Call(
        command=text_of(arguments, "command"),
        cwd=inside(inside(cwd, arguments, "directory"), arguments, "dir_path"),
        project=environ.get("GEMINI_PROJECT_DIR"),
        arguments=arguments,
    )


def word(reply: Reply) -> Json | None:
    """The decision, with what the tool gets instead."""
    if reply.verdict is Verdict.ALLOW:
        said: Json = {"decision": "allow"}
    else:
        said = {"decision": reply.verdict.value, "reason": reply.text}
    if reply.arguments is not None:
        said["hookSpecificOutput"] = {"hookEventName": "BeforeTool", "tool_input": reply.arguments}
    return said
