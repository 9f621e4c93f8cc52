"""opencode: what the plugin that limpet ships asks, and what it understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.surfaces.hooks.question import Call, Json, Reply, folder_of, inside, table_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

REWRITES = True
ASKS = None
TOOLS = ("bash",)


def read(event: Json, environ: Mapping[str, str]) -> Call | None:  # noqa: ARG001 - every agent's signature
    """The call; None for another tool."""
    if text_of(event, "tool") not in TOOLS:
        return None
    arguments = table_of(event, "args")
    return Call(
        command=text_of(arguments, "command"),
        cwd=inside(folder_of(event), arguments, "workdir"),
        project=folder_of(event, "worktree") if event.get("worktree") else None,
        arguments=arguments,
    )


def word(reply: Reply) -> Json | None:
    """The decision; the plugin turns a deny into an error that the model reads."""
    if reply.verdict is not Verdict.ALLOW:
        return {"decision": "deny", "reason": reply.text}
    return {"decision": "allow"} if reply.arguments is None else {"decision": "allow", "args": reply.arguments}
