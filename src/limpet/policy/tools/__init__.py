"""The name of a tool -> what is known of it. One module a family, each a table `TOOLS` of data and a few rules."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from limpet.policy.tool_names import NAMES
from limpet.policy.tools.spec import Spec, describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.spec import Rule

_FAMILIES = (
    "archives", "builds", "builtins", "cloud", "comparing", "compressing", "containers", "copying", "editors", "facts",
    "files", "find", "git", "interpreters", "itself", "looking", "network", "packages", "packing", "rsync", "searching",
    "shells", "system", "tar", "text", "wrappers",
)  # fmt: skip
"""Where two of them know a tool, the later one is right. `tool_names` says the same by name."""


class Tools(Mapping[str, "Spec | Rule"]):
    """Every tool that is known; a module is loaded when one of its tools is first asked for."""

    def __init__(self) -> None:
        self._homes = {name: home for home, names in NAMES.items() for name in names.split()}
        self._met: dict[str, Spec | Rule] = {}

    def __getitem__(self, name: str) -> Spec | Rule:
        """What is known of a tool."""
        if name not in self._met:
            self._met[name] = import_module(f"limpet.policy.tools.{self._homes[name]}").TOOLS[name]
        return self._met[name]

    def __contains__(self, name: object) -> bool:
        """Whether a tool is known, without a look at what is."""
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


def known_tools() -> dict[str, Spec | Rule]:
    """Every tool of every family, with all of them loaded."""
    tools: dict[str, Spec | Rule] = {}
    for family in _FAMILIES:
        tools.update(import_module(f"limpet.policy.tools.{family}").TOOLS)
    return tools


def effects_of(command: Command, tools: Mapping[str, Spec | Rule]) -> Iterable[Effect] | None:
    """What a command does; None when its tool is not known."""
    tool = tools.get(command.name or "")
    if tool is None:
        return None
    return describe(tool, command) if isinstance(tool, Spec) else tool(command)
