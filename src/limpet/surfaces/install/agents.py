"""An agent program -> the entries that connect limpet to it, and the files where they belong."""

from __future__ import annotations

import importlib.resources
import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from limpet import quote
from limpet.errors import InvalidRequestError
from limpet.surfaces.install.entry import Element, Entry, Member, Table, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HOOK, MCP, WRAP = "hook", "mcp", "wrap"
_VERSIONED = '{\n  "version": 1\n}\n'
_REWRITING = ("claude", "codex", "gemini", "copilot", "opencode")


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be connected, for whom."""

    parts: frozenset[str]
    project: str | None
    """The folder of a project; None for everything the user does."""
    environ: dict[str, str]
    options: tuple[str, ...] = ()
    """Of the hook's command line."""

    @property
    def home(self) -> str:
        """The user's. Raises InvalidRequestError when there is none."""
        home = self.environ.get("HOME", "")
        if not os.path.isabs(home):
            raise InvalidRequestError("there is no home directory; set $HOME or use --project")
        return home

    def folder(self, variable: str, below_home: str, in_project: str) -> str:
        """Where an agent keeps its files."""
        if self.project is not None:
            return os.path.join(self.project, in_project)
        chosen = self.environ.get(variable, "") if variable else ""
        return chosen if os.path.isabs(chosen) else os.path.join(self.home, below_home)

    def program(self, name: str) -> str:
        """A program of limpet's: by its place for the user; by its name in a project, which others have elsewhere."""
        if self.project is not None:
            return name
        place = os.path.join(os.path.dirname(sys.executable), name)
        found = place if os.access(place, os.X_OK) else shutil.which(name, path=self.environ.get("PATH"))
        if found is None:
            raise InvalidRequestError(f"there is no {name} beside {sys.executable}; install limpet there first")
        return os.path.abspath(found)

    def hook_words(self, agent: str) -> list[str]:
        """The hook as words."""
        wrap = ["--wrap"] if WRAP in self.parts and agent != "claude" else []
        return [self.program("limpet-hook"), agent, *wrap, *self.options]

    def hook_line(self, agent: str) -> str:
        """The hook as a shell runs it. Most agents run the command when the hook is missing, unless this says 2."""
        return f"{' '.join(map(quote, self.hook_words(agent)))} || exit 2"

    @property
    def server(self) -> dict[str, Any]:
        """The MCP server."""
        return {"command": self.program("limpet"), "args": ["mcp"]}


def entries(agent: str, wish: Wish) -> list[Entry]:
    """What belongs where. Raises InvalidRequestError for what an agent cannot do."""
    if WRAP in wish.parts and agent not in _REWRITING:
        raise InvalidRequestError(f"{agent} runs what it asked about, whatever a hook says; --wrap does nothing there")
    return _AGENTS[agent](wish)


def _claude(wish: Wish) -> list[Entry]:
    folder = wish.folder("CLAUDE_CONFIG_DIR", ".claude", ".claude")
    settings, found = os.path.join(folder, "settings.json"), list[Entry]()
    if HOOK in wish.parts:
        handler = {"type": "command", "command": wish.hook_line("claude"), "timeout": 10, "onFailure": "block"}
        group = {"matcher": "Bash|Monitor|PowerShell", "hooks": [handler]}
        found.append(Element(file=settings, path=("hooks", "PreToolUse"), value=group))
    if WRAP in wish.parts:
        # It takes one program, and options after the last blank with a dash behind it.
        prefix = f"{sys.executable} -Pm limpet wrap"
        found.append(Member(file=settings, path=("env", "CLAUDE_CODE_SHELL_PREFIX"), value=prefix, guarded=True))
    if MCP in wish.parts:
        chosen = wish.environ.get("CLAUDE_CONFIG_DIR", "")
        place = os.path.join(chosen if os.path.isabs(chosen) else wish.home, ".claude.json") if not wish.project else ""
        place = place or os.path.join(str(wish.project), ".mcp.json")
        found.append(Member(file=place, path=("mcpServers", "limpet"), value={"type": "stdio", **wish.server}))
    return found


def _codex(wish: Wish) -> list[Entry]:
    folder = wish.folder("CODEX_HOME", ".codex", ".codex")
    found = list[Entry]()
    if wish.parts & {HOOK, WRAP}:
        group = {"matcher": "Bash", "hooks": [{"type": "command", "command": wish.hook_line("codex")}]}
        found.append(Element(file=os.path.join(folder, "hooks.json"), path=("hooks", "PreToolUse"), value=group))
    if MCP in wish.parts:
        place = os.path.join(folder, "config.toml")
        found.append(Table(file=place, path=("mcp_servers", "limpet"), value=wish.server, empty=""))
    return found


def _gemini(wish: Wish) -> list[Entry]:
    return _settings_json(wish, "gemini", "BeforeTool", "run_shell_command", timeout=10_000)


def _qwen(wish: Wish) -> list[Entry]:
    return _settings_json(wish, "qwen", "PreToolUse", "run_shell_command|monitor", timeout=10)


def _settings_json(wish: Wish, agent: str, event: str, tools: str, *, timeout: int) -> list[Entry]:
    folder = wish.folder("", f".{agent}", f".{agent}")
    settings, found = os.path.join(folder, "settings.json"), list[Entry]()
    if wish.parts & {HOOK, WRAP}:
        handler = {"type": "command", "command": wish.hook_line(agent), "name": "limpet", "timeout": timeout}
        found.append(Element(file=settings, path=("hooks", event), value={"matcher": tools, "hooks": [handler]}))
    if MCP in wish.parts:
        # Else the model has to search for the tools before it can use them.
        server = {**wish.server, "alwaysLoadTools": True} if agent == "qwen" else wish.server
        found.append(Member(file=settings, path=("mcpServers", "limpet"), value=server))
    return found


def _copilot(wish: Wish) -> list[Entry]:
    folder = wish.folder("COPILOT_HOME", ".copilot", ".github")
    place, found = os.path.join(folder, "hooks", "limpet.json"), list[Entry]()
    if wish.parts & {HOOK, WRAP}:
        handler = {"type": "command", "bash": wish.hook_line("copilot"), "timeoutSec": 10}
        found.append(Member(file=place, path=("version",), value=1, keep=True, empty=_VERSIONED))
        found.append(Element(file=place, path=("hooks", "preToolUse"), value=handler, empty=_VERSIONED))
    if MCP in wish.parts:
        if wish.project is not None:
            raise InvalidRequestError("copilot has no MCP servers of a project; use --user for --mcp")
        server = {"type": "local", **wish.server, "tools": ["*"]}
        file = os.path.join(folder, "mcp-config.json")
        found.append(Member(file=file, path=("mcpServers", "limpet"), value=server))
    return found


def _cursor(wish: Wish) -> list[Entry]:
    folder = wish.folder("", ".cursor", ".cursor")
    place, found = os.path.join(folder, "hooks.json"), list[Entry]()
    if HOOK in wish.parts:
        handler = {"command": f"sh -c {quote(wish.hook_line('cursor'))}", "failClosed": True}
        found.append(Member(file=place, path=("version",), value=1, keep=True, empty=_VERSIONED))
        found.append(Element(file=place, path=("hooks", "beforeShellExecution"), value=handler, empty=_VERSIONED))
    if MCP in wish.parts:
        file = os.path.join(folder, "mcp.json")
        found.append(Member(file=file, path=("mcpServers", "limpet"), value=wish.server))
    return found


def _opencode(wish: Wish) -> list[Entry]:
    folder, config, found = "", wish.project, list[Entry]()
    if config is None:
        chosen = wish.environ.get("XDG_CONFIG_HOME", "")
        base = chosen if os.path.isabs(chosen) else os.path.join(wish.home, ".config")
        folder = config = os.path.join(base, "opencode")
    folder = folder or os.path.join(config, ".opencode")
    if wish.parts & {HOOK, WRAP}:
        content = plugin(wish.hook_words("opencode"))
        found.append(Whole(file=os.path.join(folder, "plugin", "limpet.js"), content=content, empty=""))
    if MCP in wish.parts:
        place = _opencode_settings(config)
        server = {"type": "local", "command": [wish.program("limpet"), "mcp"], "enabled": True}
        found.append(Member(file=place, path=("mcp", "limpet"), value=server))
    return found


def _opencode_settings(folder: str) -> str:
    """The one of its two spellings that is there."""
    commented = os.path.join(folder, "opencode.jsonc")
    return commented if os.path.exists(commented) else os.path.join(folder, "opencode.json")


def plugin(words: list[str]) -> str:
    """The plugin for opencode, which runs these words."""
    text = importlib.resources.files("limpet.surfaces.install").joinpath("opencode.js").read_text(encoding="utf-8")
    return text.replace('["limpet-hook", "opencode"]', json.dumps(words), 1)


_AGENTS: Mapping[str, Callable[[Wish], list[Entry]]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "qwen": _qwen,
    "copilot": _copilot,
    "cursor": _cursor,
    "opencode": _opencode,
}
AGENTS = tuple(_AGENTS)
