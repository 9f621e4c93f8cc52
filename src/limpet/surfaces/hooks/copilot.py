"""Copilot CLI: `preToolUse` of its files of hooks. Its answer is flat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Verdict
from limpet.surfaces.hooks.question import Call, Json, MisunderstoodError, OnAsk, Reply, folder_of, table_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

REWRITES = True
ASKS = OnAsk.ASK
TOOLS = {"bash": "command", "write_bash": "input", "powershell": "command", "write_powershell": "input"}
"""Those that run shell text, and where it is. What is written to a shell that waits is a command like any other."""


def read(event: Json, environ: Mapping[str, str]) -> Call | None:  # noqa: ARG001 - every agent's signature
    """The call; None for another tool."""
    tool = text_of(event, "toolName")
    if tool not in TOOLS:
        return None
    arguments = _arguments(event)
    return Call(
        command=text_of(arguments, TOOLS[tool]),
        cwd=folder_of(event),
        arguments=arguments,
        key=TOOLS[tool],
        readable="powershell" not in tool,
    )


def _arguments(event: Json) -> Json:
    """An object, or the text of one."""
    if not isinstance(event.get("toolArgs"), str):
        return table_of(event, "toolArgs")
    try:
        return table_of({"toolArgs": msgspec.json.decode(event["toolArgs"])}, "toolArgs")
    except (msgspec.MsgspecError, RecursionError):
        raise MisunderstoodError("`toolArgs` is a text, and not that of an object") from None


def word(reply: Reply) -> Json | None:
    """The decision, with what the tool gets instead."""
    if reply.verdict is Verdict.ALLOW:
        said: Json = {"permissionDecision": "allow"} if reply.approve else {}
    else:
        said = {"permissionDecision": reply.verdict.value, "permissionDecisionReason": reply.text}
    if reply.arguments is not None:
        said["modifiedArgs"] = reply.arguments
    return said or None
