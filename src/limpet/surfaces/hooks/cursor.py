"""Cursor: `beforeShellExecution` of `hooks.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.surfaces.hooks.question import Call, Json, MisunderstoodError, OnAsk, Reply, expect, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

REWRITES = False
ASKS = OnAsk.ASK


def read(event: Json, environ: Mapping[str, str]) -> Call | None:
    """The call."""
    expect(event, "hook_event_name", "beforeShellExecution")
    roots = event.get("workspace_roots", [])
    if not isinstance(roots, list) or not all(isinstance(root, str) for root in roots):
        raise MisunderstoodError("`workspace_roots` must be a list of texts")
    cwd = text_of(event, "cwd") if event.get("cwd") else next(iter(roots), "")
    if not cwd.startswith("/"):
        raise MisunderstoodError("it names no folder to run in")
    around = [root for root in roots if cwd == root or cwd.startswith(root.rstrip("/") + "/")]
    project = environ.get("CURSOR_PROJECT_DIR") if not around else max(around, key=len)
    return Call(command=text_of(event, "command"), cwd=cwd, project=project)


def word(reply: Reply) -> Json | None:
    """The permission; the model reads one message and the person the other."""
    if reply.verdict is Verdict.ALLOW:
        return {"permission": "allow"} if reply.approve else None
    return {"permission": reply.verdict.value, "user_message": reply.text, "agent_message": reply.text}
