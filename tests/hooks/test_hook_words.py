"""Each agent is answered in exactly its own words."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from hooks.agentevents import AGENTS, denied, event, sent
from limpet import quote
from limpet.surfaces.hooks.core import answer
from limpet.surfaces.hooks.judged import limpet_command

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

HARMLESS, ASKED, DANGEROUS = "ls -la", "git push", "rm -rf /"
WHY_ASK = "limpet: Needs approval: `git push` (sends commits to a remote). Ask the user to approve it."
WHY_DENY = (
    "limpet: Denied by floor.delete: `rm -rf /` (deletes / and all that is in it: the whole file system). "
    "Delete a path inside the workspace. Do not try to reach the same effect another way."
)
NOBODY = (
    " Nobody can be asked here: tell the user, who can run it, or allow such commands "
    "by a rule in limpet's policy.toml."
)


def told(agent: str, command: str, cwd: Path, *options: str, **more: Any) -> tuple[int, Any, str]:
    """Status, what is on stdout as JSON, what is on stderr."""
    question = json.dumps({**event(agent, command, str(cwd)), **more}).encode()
    status, out, err = answer([agent, *options], question, os.environ)[0]
    assert out.count(b"\n") == (1 if out else 0)
    return status, json.loads(out) if out else None, err.decode()


def claude_words(decision: str, reason: str, **more: Any) -> dict[str, Any]:
    said = {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason}
    return {"hookSpecificOutput": {**said, **more}}


ALLOWED: dict[str, Any] = {
    "claude": claude_words("allow", "limpet: allowed."),
    "codex": None,
    "gemini": {"decision": "allow"},
    "qwen": claude_words("allow", "limpet: allowed."),
    "copilot": {"permissionDecision": "allow"},
    "cursor": {"permission": "allow"},
    "opencode": {"decision": "allow"},
}
QUESTIONS: dict[str, Any] = {
    "claude": claude_words("ask", WHY_ASK),
    "codex": claude_words("deny", WHY_ASK + NOBODY),
    "gemini": {"decision": "deny", "reason": WHY_ASK + NOBODY},
    "qwen": claude_words("ask", WHY_ASK),
    "copilot": {"permissionDecision": "ask", "permissionDecisionReason": WHY_ASK},
    "cursor": {"permission": "ask", "user_message": WHY_ASK, "agent_message": WHY_ASK},
    "opencode": {"decision": "deny", "reason": WHY_ASK + NOBODY},
}
DENIED: dict[str, Any] = {
    "claude": claude_words("deny", WHY_DENY),
    "codex": claude_words("deny", WHY_DENY),
    "gemini": {"decision": "deny", "reason": WHY_DENY},
    "qwen": claude_words("deny", WHY_DENY),
    "copilot": {"permissionDecision": "deny", "permissionDecisionReason": WHY_DENY},
    "cursor": {"permission": "deny", "user_message": WHY_DENY, "agent_message": WHY_DENY},
    "opencode": {"decision": "deny", "reason": WHY_DENY},
}
ASKS = ("claude", "qwen", "copilot", "cursor")


@pytest.mark.parametrize("agent", AGENTS)
def test_a_harmless_command_is_allowed(agent: str, workspace: Path) -> None:
    assert told(agent, HARMLESS, workspace) == (0, ALLOWED[agent], "")


@pytest.mark.parametrize("agent", AGENTS)
def test_a_dangerous_command_is_denied_by_status_text_and_form(agent: str, workspace: Path) -> None:
    assert told(agent, DANGEROUS, workspace) == (2, DENIED[agent], WHY_DENY + "\n")


@pytest.mark.parametrize("agent", AGENTS)
def test_a_question_is_asked_where_the_agent_asks_and_refused_elsewhere(agent: str, workspace: Path) -> None:
    refused = agent not in ASKS
    assert told(agent, ASKED, workspace) == (
        (2, QUESTIONS[agent], WHY_ASK + NOBODY + "\n") if refused else (0, QUESTIONS[agent], "")
    )


@pytest.mark.parametrize("agent", AGENTS)
def test_questions_can_be_refused_everywhere(agent: str, workspace: Path) -> None:
    status, said, err = told(agent, ASKED, workspace, "--on-ask=deny")
    assert (status, err) == (2, WHY_ASK + NOBODY + "\n")
    assert denied(agent, json.dumps(said).encode())


def test_gemini_asks_when_told_to_and_codex_cannot(workspace: Path) -> None:
    assert told("gemini", ASKED, workspace, "--on-ask", "ask") == (0, {"decision": "ask", "reason": WHY_ASK}, "")
    assert told("codex", ASKED, workspace, "--on-ask", "ask")[0] == 2


def test_nobody_is_asked_in_a_session_of_claude_that_nobody_attends(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "0")
    assert told("claude", ASKED, workspace)[:2] == (2, claude_words("deny", WHY_ASK + NOBODY))


@pytest.mark.parametrize("mode", ["bypassPermissions", "dontAsk"])
def test_nobody_is_asked_in_a_mode_of_claude_that_ignores_questions(workspace: Path, mode: str) -> None:
    assert told("claude", ASKED, workspace, permission_mode=mode)[:2] == (2, claude_words("deny", WHY_ASK + NOBODY))


@pytest.mark.parametrize("agent", AGENTS)
def test_an_allow_can_be_left_to_the_agent(agent: str, workspace: Path) -> None:
    own = {"gemini": {"decision": "allow"}, "opencode": {"decision": "allow"}}  # where it answers no question
    assert told(agent, HARMLESS, workspace, "--on-allow=pass") == (0, own.get(agent), "")
    assert told(agent, DANGEROUS, workspace, "--on-allow=pass")[0] == 2


def test_while_claude_plans_only_what_reads_is_approved(workspace: Path) -> None:
    assert told("claude", "ls", workspace, permission_mode="plan")[1] == ALLOWED["claude"]
    assert told("claude", "touch made", workspace, permission_mode="plan")[1] is None


OTHER_TOOLS = {
    "claude": {"tool_name": "Read", "tool_input": {"file_path": "/x"}},
    "codex": {"tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch"}},
    "gemini": {"tool_name": "read_file", "tool_input": {"path": "x"}},
    "qwen": {"tool_name": "edit", "tool_input": {}},
    "copilot": {"toolName": "view", "toolArgs": {"path": "/x"}},
    "opencode": {"tool": "read", "args": {}},
}


@pytest.mark.parametrize("agent", OTHER_TOOLS)
def test_other_tools_pass_without_a_word(agent: str, workspace: Path) -> None:
    assert told(agent, DANGEROUS, workspace, **OTHER_TOOLS[agent]) == (0, None, "")


SHELL_TOOLS: list[tuple[str, dict[str, Any]]] = [
    ("claude", {"tool_name": "Monitor", "tool_input": {"command": DANGEROUS}}),
    ("qwen", {"tool_name": "monitor", "tool_input": {"command": DANGEROUS}}),
    ("copilot", {"toolName": "write_bash", "toolArgs": {"sessionId": "1", "input": DANGEROUS}}),
    ("copilot", {"toolArgs": json.dumps({"command": DANGEROUS})}),
]


@pytest.mark.parametrize(("agent", "more"), SHELL_TOOLS)
def test_every_tool_that_runs_shell_text_is_judged(agent: str, more: dict[str, Any], workspace: Path) -> None:
    assert told(agent, "", workspace, **more) == (2, DENIED[agent], WHY_DENY + "\n")


def test_powershell_is_asked_about(workspace: Path) -> None:
    status, said, _ = told("claude", "ls", workspace, tool_name="PowerShell")
    assert (status, said["hookSpecificOutput"]["permissionDecision"]) == (0, "ask")
    assert "which limpet cannot read" in said["hookSpecificOutput"]["permissionDecisionReason"]


def rewritten(workspace: Path, command: str, *, cwd: Path | None = None, yes: bool = False) -> str:
    words = [
        *limpet_command(),
        "run",
        "--workspace",
        str(workspace),
        "--cwd",
        str(cwd or workspace),
        "--timeout",
        "none",
    ]
    return " ".join(map(quote, [*words, *(["--yes"] if yes else []), "--", command]))


def test_wrapped_commands_run_through_limpet(workspace: Path) -> None:
    line = rewritten(workspace, "echo 'a b'")
    both = {"command": line, "description": "Try it"}
    hook = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": line}}
    expected: dict[str, Any] = {
        "claude": claude_words("allow", "limpet: allowed.", updatedInput=both),
        "codex": {"hookSpecificOutput": hook},
        "gemini": {
            "decision": "allow",
            "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"command": line}},
        },
        "copilot": {"permissionDecision": "allow", "modifiedArgs": both},
        "opencode": {"decision": "allow", "args": both},
    }
    for agent, words in expected.items():
        assert told(agent, "echo 'a b'", workspace, "--wrap") == (0, words, "")


def test_what_is_asked_about_is_approved_in_the_command_that_runs_then(workspace: Path) -> None:
    said = told("claude", ASKED, workspace, "--wrap")[1]["hookSpecificOutput"]
    assert (said["permissionDecision"], said["updatedInput"]["command"]) == (
        "ask",
        rewritten(workspace, ASKED, yes=True),
    )


@pytest.mark.parametrize("agent", ["qwen", "cursor"])
def test_an_agent_that_ignores_another_command_is_not_told_one(agent: str, workspace: Path) -> None:
    status, said, err = told(agent, HARMLESS, workspace, "--wrap")
    assert (status, "leave --wrap out" in err) == (2, True)
    assert denied(agent, json.dumps(said).encode())


def test_the_project_of_the_agent_is_what_counts_as_inside(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sub = workspace / "src"
    assert told("claude", "touch ../made", sub)[1]["hookSpecificOutput"]["permissionDecision"] == "ask"
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(workspace))
    assert told("claude", "touch ../made", sub)[1] == ALLOWED["claude"]
    assert told("claude", "touch ../made", sub, "--workspace", str(sub))[1] != ALLOWED["claude"]
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/usr")  # elsewhere: it says nothing about this command
    assert told("claude", "touch ../made", sub)[1] != ALLOWED["claude"]


def test_a_folder_that_a_tool_is_told_to_run_in_counts(workspace: Path) -> None:
    tool = {"command": "touch made", "dir_path": "/etc"}
    assert told("gemini", "", workspace, tool_input=tool)[0] == 2
    assert told("gemini", "", workspace, tool_input={**tool, "dir_path": "src"})[0] == 0


def test_rules_of_the_project_and_the_user_hold(workspace: Path) -> None:
    (workspace / ".limpet-policy.toml").write_text(
        '[[rule]]\nname = "no-ls"\nverdict = "deny"\npattern = "ls *"\nreason = "is slow here"\n'
    )
    status, _, err = told("codex", HARMLESS, workspace)
    assert (status, "Denied by no-ls" in err) == (2, True)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_command_line_says_the_same(agent: str, cli: Cli, workspace: Path) -> None:
    done = cli.raw("hook", agent, stdin=sent(agent, DANGEROUS, workspace))
    assert (done.returncode, json.loads(done.stdout), done.stderr.decode()) == (2, DENIED[agent], WHY_DENY + "\n")
