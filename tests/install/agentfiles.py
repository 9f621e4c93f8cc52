"""An agent program -> what `limpet init` writes for it into an empty home."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

SCRIPTS = Path(sys.executable).parent


def line(agent: str, program: str = f"{SCRIPTS}/limpet-hook", options: str = "") -> str:
    return f"{program} {agent}{options} || exit 2"


def server(program: str = f"{SCRIPTS}/limpet") -> dict[str, Any]:
    return {"command": program, "args": ["mcp"]}


def claude(command: str) -> dict[str, Any]:
    handler = {"type": "command", "command": command, "timeout": 10, "onFailure": "block"}
    return {"hooks": {"PreToolUse": [{"matcher": "Bash|Monitor|PowerShell", "hooks": [handler]}]}}


def settings(agent: str, event: str, tools: str, timeout: int) -> dict[str, Any]:
    handler = {"type": "command", "command": line(agent), "name": "limpet", "timeout": timeout}
    loaded = {"alwaysLoadTools": True} if agent == "qwen" else {}
    servers = {"limpet": {**server(), **loaded}}
    return {"hooks": {event: [{"matcher": tools, "hooks": [handler]}]}, "mcpServers": servers}


def expected(agent: str) -> dict[str, Any]:
    """Everything that `--hook --mcp` puts into an empty home."""
    known: dict[str, dict[str, Any]] = {
        "claude": {
            ".claude/settings.json": claude(line("claude")),
            ".claude.json": {"mcpServers": {"limpet": {"type": "stdio", **server()}}},
        },
        "codex": {
            ".codex/hooks.json": {
                "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": line("codex")}]}]}
            },
            ".codex/config.toml": {"mcp_servers": {"limpet": server()}},
        },
        "gemini": {".gemini/settings.json": settings("gemini", "BeforeTool", "run_shell_command", 10_000)},
        "qwen": {".qwen/settings.json": settings("qwen", "PreToolUse", "run_shell_command|monitor", 10)},
        "copilot": {
            ".copilot/hooks/limpet.json": {
                "version": 1,
                "hooks": {"preToolUse": [{"type": "command", "bash": line("copilot"), "timeoutSec": 10}]},
            },
            ".copilot/mcp-config.json": {"mcpServers": {"limpet": {"type": "local", **server(), "tools": ["*"]}}},
        },
        "cursor": {
            ".cursor/hooks.json": {
                "version": 1,
                "hooks": {"beforeShellExecution": [{"command": f"sh -c '{line('cursor')}'", "failClosed": True}]},
            },
            ".cursor/mcp.json": {"mcpServers": {"limpet": server()}},
        },
        "opencode": {
            ".config/opencode/plugin/limpet.js": f'const HOOK = ["{SCRIPTS}/limpet-hook", "opencode"]',
            ".config/opencode/opencode.json": {
                "mcp": {"limpet": {"type": "local", "command": [f"{SCRIPTS}/limpet", "mcp"], "enabled": True}}
            },
        },
    }
    return known[agent]
