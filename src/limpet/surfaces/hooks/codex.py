"""Codex CLI: `PreToolUse` of `hooks.json`.

Its schema is closed. It takes no `ask`, and an `allow` only together with another command; silence is its allow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.surfaces.hooks.question import Call, Json, Reply, expect, folder_of, table_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

REWRITES = True
ASKS = None
TOOLS = ("Bash",)
"""The name it gives to each of its tools that run shell text."""


def read(event: Json, environ: Mapping[str, str]) -> Call | None:  # noqa: ARG001 - every agent's signature
    """The call; None for another tool."""
    expect(event, "hook_event_name", "PreToolUse")
    if text_of(event, "tool_name") not in TOOLS:
        return None
    arguments = table_of(event, "tool_input")
    return Call(command=text_of(arguments, "command"), cwd=folder_of(event), arguments=arguments)


def word(reply: Reply) -> Json | None:
    """A deny with its reason, an allow with another command, or nothing."""
    said: Json = {"hookEventName": "PreToolUse"}
    if reply.verdict is Verdict.ALLOW:
        if reply.arguments is None:
            return None
        return {"hookSpecificOutput": {**said, "permissionDecision": "allow", "updatedInput": reply.arguments}}
    return {"hookSpecificOutput": {**said, "permissionDecision": "deny", "permissionDecisionReason": reply.text}}
