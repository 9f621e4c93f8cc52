"""The name of a tool -> what is known of it. One module a family, each a table `TOOLS` of data and a few rules."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from limpet.policy.tools.spec import Spec, describe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.spec import Rule

_FAMILIES = (
    "archives", "builds", "builtins", "cloud", "comparing", "compressing", "containers", "copying", "editors", "facts",
    "files", "find", "git", "interpreters", "looking", "network", "packages", "packing", "rsync", "searching", "shells",
    "system", "tar", "text", "wrappers",
)  # fmt: skip


def known_tools() -> dict[str, Spec | Rule]:
    """Every tool of every family."""
    tools: dict[str, Spec | Rule] = {}
    for family in _FAMILIES:
        tools.update(import_module(f"limpet.policy.tools.{family}").TOOLS)
    return tools


def effects_of(command: Command, tools: dict[str, Spec | Rule]) -> Iterable[Effect] | None:
    """What a command does; None when its tool is not known."""
    tool = tools.get(command.name or "")
    if tool is None:
        return None
    return describe(tool, command) if isinstance(tool, Spec) else tool(command)
