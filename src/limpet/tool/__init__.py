"""The bash tool as an agent sees it, and what goes with it for commands in the background."""

from __future__ import annotations

from limpet.tool.answer import ToolAnswer
from limpet.tool.bash import BashTool, describe, schema

__all__ = ["BashTool", "ToolAnswer", "describe", "schema"]
