"""Texts and results -> answers of tools, as the protocol has them."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import mcp_types as types

from limpet.errors import StoreError
from limpet.logs import StoredLog
from limpet.render.plain import plain
from limpet.surfaces.mcp import texts

if TYPE_CHECKING:
    from limpet.model.result import Result
    from limpet.shell import Shell
    from limpet.surfaces.mcp.runs import Run

_LINES = 40


def said(text: str, *, error: bool = False) -> types.CallToolResult:
    """A text and nothing else."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=error)


def noted(answer: types.CallToolResult, note: str) -> types.CallToolResult:
    """The same, with a line after it."""
    return answer.model_copy(update={"content": [*answer.content, types.TextContent(type="text", text=note)]})


class Answers:
    """How runs are told of; `structured`: as data, too."""

    def __init__(self, *, structured: bool) -> None:
        self._structured = structured

    def of(self, run: Run) -> types.CallToolResult:
        """A run as it stands. Raises what limpet could not do."""
        assert run.task is not None
        return self.ended(run.task.result()) if run.task.done() else said(texts.going_on(run, tail_of(run.id)))

    def held(self, shell: Shell, result: Result) -> types.CallToolResult:
        """A run that is over, or goes on as a task."""
        if result.task_id is None:
            return self.ended(result)
        status = shell.task(result.task_id).status()
        return said(texts.task_going_on(result.command, status, tail_of(result.task_id)))

    def ended(self, result: Result) -> types.CallToolResult:
        """A run that is over."""
        facts = texts.facts(result)
        structured = {**facts, "stdout": result.stdout, "stderr": result.stderr} if self._structured else None
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=texts.ended(result))], is_error=texts.is_error(result),
            structured_content=structured, _meta={"limpet": facts},
        )  # fmt: skip


def tail_of(name: str) -> str:
    """The last lines that a run or a task has printed."""
    with contextlib.suppress(StoreError):
        return texts.bounded(plain(StoredLog(name).tail(_LINES)), what="bash_output has them")
    return ""
