"""Qwen Code: `PreToolUse` of `settings.json`. It speaks as Claude Code does, and ignores another command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.surfaces.hooks.question import Call, Json, OnAsk, Reply, expect, folder_of, inside, table_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

REWRITES = False
ASKS = OnAsk.ASK
TOOLS = ("run_shell_command", "monitor")


def read(event: Json, environ: Mapping[str, str]) -> Call | None:
    """The call; None for another tool."""
    expect(event, "hook_event_name", "PreToolUse")
    if text_of(event, "tool_name") not in TOOLS:
        return None
    arguments = table_of(event, "tool_input")
    return Call(
        command=text_of(arguments, "command"),
        cwd=inside(folder_of(event), arguments, "directory"),
        project=environ.get("QWEN_PROJECT_DIR"),
        arguments=arguments,
        only_reads=event.get("permission_mode") == "plan",
    )


def word(reply: Reply) -> Json | None:
    """The decision."""
    if reply.verdict is Verdict.ALLOW and not reply.approve:
        return None
    said = {"permissionDecision": reply.verdict.value, "permissionDecisionReason": reply.text}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}}
