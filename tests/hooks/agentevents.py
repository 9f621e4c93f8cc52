"""A command -> what each agent program sends to its hook before it runs it."""

from __future__ import annotations

import json
from typing import Any

AGENTS = ("claude", "codex", "gemini", "qwen", "copilot", "cursor", "opencode")


def event(agent: str, command: str, cwd: str) -> dict[str, Any]:
    known: dict[str, dict[str, Any]] = {
        "claude": {
            "session_id": "s", "transcript_path": "/t.jsonl", "cwd": cwd, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_1",
            "tool_input": {"command": command, "description": "Try it"},
        },
        "codex": {
            "session_id": "s", "turn_id": "1", "transcript_path": None, "cwd": cwd, "model": "m",
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "call_1",
            "tool_input": {"command": command},
        },
        "gemini": {
            "session_id": "s", "transcript_path": "/t.json", "cwd": cwd, "hook_event_name": "BeforeTool",
            "timestamp": "2026-11-16T12:00:00.000Z", "tool_name": "run_shell_command",
            "tool_input": {"command": command},
        },
        "qwen": {
            "session_id": "s", "transcript_path": "/t.jsonl", "cwd": cwd, "hook_event_name": "PreToolUse",
            "timestamp": "2026-11-16T12:00:00.000Z", "permission_mode": "default", "tool_name": "run_shell_command",
            "tool_input": {"command": command, "is_background": False}, "tool_use_id": "call_1",
        },
        "copilot": {
            "sessionId": "s", "timestamp": 1794830000000, "cwd": cwd, "toolName": "bash",
            "toolArgs": {"command": command, "description": "Try it"},
        },
        "cursor": {
            "hook_event_name": "beforeShellExecution", "conversation_id": "c", "generation_id": "g",
            "workspace_roots": [cwd], "command": command, "cwd": cwd,
        },
        "opencode": {"tool": "bash", "cwd": cwd, "args": {"command": command, "description": "Try it"}},
    }  # fmt: skip
    return known[agent]


def sent(agent: str, command: str, cwd: object) -> bytes:
    return json.dumps(event(agent, command, str(cwd))).encode()


def denied(agent: str, stdout: bytes) -> bool:
    """Whether an answer is the agent's own form of a no, with a reason."""
    answer: dict[str, Any] = json.loads(stdout)
    if agent in ("claude", "codex", "qwen"):
        return _claude(answer)
    names = {
        "copilot": ("permissionDecision", "permissionDecisionReason"),
        "cursor": ("permission", "user_message", "agent_message"),
    }.get(agent, ("decision", "reason"))
    return set(answer) == set(names) and answer[names[0]] == "deny"


def _claude(answer: dict[str, Any]) -> bool:
    said = answer.get("hookSpecificOutput", {})
    names = {"hookEventName", "permissionDecision", "permissionDecisionReason"}
    return set(answer) == {"hookSpecificOutput"} and set(said) == names and said["permissionDecision"] == "deny"
