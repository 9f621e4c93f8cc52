"""What a hook was asked and what it said is in the record, and never in the way of the answer."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hooks.agentevents import AGENTS, sent
from limpet.config import audit_path
from limpet.history import History
from limpet.surfaces.hooks.wire import helper_name
from living import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from commandline import Cli
    from limpet.history import Entry

WITHIN = 60.0


def recorded(count: int) -> list[Entry]:
    """So many rows, once they are there."""
    history = History(audit_path(os.environ))
    wait_for(lambda: len(history.entries()) >= count, WITHIN)
    return history.entries()


@pytest.mark.parametrize("helper", ["0", "60"])
def test_every_verdict_is_a_row_with_who_asked_and_why(cli: Cli, workspace: Path, helper: str) -> None:
    own = {"LIMPET_HOOKS_HELPER": helper}
    commands = ["ls -la", "git push", "rm -rf /", "echo token=ghp_012345678901234567890123456789abcdef"]
    for number, (agent, command) in enumerate(zip(("claude", "qwen", "codex", "opencode"), commands, strict=True), 1):
        cli.raw("hook", agent, stdin=sent(agent, command, workspace), env=own)
        recorded(number)
        socket = Path(os.environ["LIMPET_STATE_DIR"], "helper", helper_name())
        wait_for(lambda: helper == "0" or socket.is_socket(), WITHIN)  # noqa: B023 - called at once
    rows = recorded(4)
    said = [(row.kind, row.surface, row.agent, row.command, row.verdict, row.rule, row.outcome) for row in rows[:3]]
    assert said == [
        ("judged", "hook", "claude", "ls -la", "allow", "", None),
        ("judged", "hook", "qwen", "git push", "ask", rows[1].rule, None),
        ("judged", "hook", "codex", "rm -rf /", "deny", "floor.delete", "denied"),
    ]
    assert (rows[0].description, rows[0].cwd, rows[0].reason) == ("Try it", str(workspace), "")
    assert rows[2].reason.startswith("limpet: Denied by floor.delete: `rm -rf /`")
    assert rows[3].command == "echo token=ghp_[redacted]"
    lines = [line.split()[3:5] for line in cli("log").stdout.splitlines()]
    assert lines == [["claude:", "allowed"], ["qwen:", "asked"], ["codex:", "denied"], ["opencode:", "allowed"]]
    assert cli("log", "--verify").returncode == 0
    if helper != "0":
        Path(os.environ["LIMPET_STATE_DIR"], "helper", helper_name()).unlink()  # and so it ends


def test_a_question_that_the_agent_cannot_ask_and_rules_that_cannot_be_read_are_recorded_as_a_no(
    cli: Cli, workspace: Path
) -> None:
    cli.raw("hook", "codex", stdin=sent("codex", "git push", workspace))
    (row,) = recorded(1)
    assert (row.verdict, row.outcome, row.result) == ("ask", "denied", "blocked")
    rules = Path(os.environ["XDG_CONFIG_HOME"], "limpet", "policy.toml")
    rules.parent.mkdir()
    rules.write_text("[[rule]\n")
    assert cli.raw("hook", "codex", stdin=sent("codex", "ls", workspace)).returncode == 2
    row = recorded(2)[1]
    assert (row.command, row.verdict, row.outcome, "policy.toml:1" in row.reason) == ("ls", "", "denied", True)


def _unwritable(state: Path) -> None:
    state.rmdir()
    state.write_text("no folder")


def _damaged(state: Path) -> None:
    (state / "audit.db").write_bytes(b"no database" * 1000)


@pytest.mark.parametrize("spoil", [_unwritable, _damaged])
def test_a_record_that_cannot_be_written_changes_no_answer(
    cli: Cli, workspace: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(Path(os.environ["LIMPET_STATE_DIR"]))
    fine = cli.raw("hook", "claude", stdin=sent("claude", "ls", workspace))
    said: Any = json.loads(fine.stdout)
    assert (fine.returncode, said["hookSpecificOutput"]["permissionDecision"], fine.stderr) == (0, "allow", b"")
    assert cli.raw("hook", "claude", stdin=sent("claude", "rm -rf /", workspace)).returncode == 2


def test_without_a_record_nothing_is_written(cli: Cli, workspace: Path) -> None:
    own = {"LIMPET_AUDIT_ENABLED": "false"}
    for agent in AGENTS[:2]:
        cli.raw("hook", agent, stdin=sent(agent, "ls", workspace), env=own)
    cli.raw("hook", "claude", stdin=sent("claude", "pwd", workspace))
    recorded(1)
    time.sleep(0.2)
    assert [row.command for row in recorded(1)] == ["pwd"]
