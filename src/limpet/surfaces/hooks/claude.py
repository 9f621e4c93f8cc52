"""Claude Code: `PreToolUse` of `.claude/settings.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.surfaces.hooks.question import Call, Json, OnAsk, Reply, expect, folder_of, table_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

REWRITES = True
ASKS = OnAsk.ASK
TOOLS = ("Bash", "Monitor", "PowerShell")
"""Those that run shell text."""

_UNASKED = ("bypassPermissions", "dontAsk")
"""In the first of these modes it runs what it was told to ask about; in the other it refuses without a reason."""


def read(event: Json, environ: Mapping[str, str]) -> Call | None:
    """The call; None for another tool."""
    expect(event, "hook_event_name", "PreToolUse")
    tool = text_of(event, "tool_name")
    if tool not in TOOLS:
        return None
    arguments = table_of(event, "tool_input")
    return Call(
        command=text_of(arguments, "command"),
        cwd=folder_of(event),
        project=environ.get("CLAUDE_PROJECT_DIR"),
        arguments=arguments,
        readable=tool != "PowerShell",
        attended=environ.get("CLAUDE_CODE_SESSION_ATTENDED") != "0" and event.get("permission_mode") not in _UNASKED,
        only_reads=event.get("permission_mode") == "plan",
    )


def word(reply: Reply) -> Json | None:
    """The decision, with what the tool gets instead."""
    if reply.verdict is Verdict.ALLOW and not reply.approve and reply.arguments is None:
        return None
    said: Json = {"hookEventName": "PreToolUse"}
    if reply.verdict is not Verdict.ALLOW or reply.approve:
        said |= {"permissionDecision": reply.verdict.value, "permissionDecisionReason": reply.text}
    if reply.arguments is not None:
        said["updatedInput"] = reply.arguments
    return {"hookSpecificOutput": said}
