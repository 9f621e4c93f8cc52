"""What Claude Code hands to its shell prefix runs contained; what it runs for itself does not change."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from limpet.surfaces.hooks.prefix import Line, unwrapped

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

# As version 2.1.325 writes it.
BEFORE = (
    "source /home/u/.claude/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && { \\builtin shopt -u extglob || "
    "\\builtin setopt NO_EXTENDED_GLOB; } >/dev/null 2>&1 || true && { \\builtin unalias -- 'which'; \\builtin unset "
    "-f -- 'which'; } >/dev/null 2>&1 || true && "
)


def line(command: str, place: object = "/tmp/claude-1-cwd", before: str = BEFORE) -> str:
    quoted = "'" + command.replace("'", "'\"'\"'") + "'"
    return f"{before}eval {quoted} < /dev/null && pwd -P >| {place}"


@pytest.mark.parametrize(
    "command", ["ls", "echo 'a b' && eval 'x' && pwd -P >| /y", "cat <<'E'\n$x\nE\n", "a 'b' \"c\" \\d", "echo é"]
)
def test_the_command_of_the_model_is_found(command: str) -> None:
    assert unwrapped(line(command)) == Line(command=command, place="/tmp/claude-1-cwd")
    assert unwrapped(line(command, before="")) == Line(command=command, place="/tmp/claude-1-cwd")


@pytest.mark.parametrize(
    "text",
    [
        "ls",
        "eval 'ls'",
        "ls && pwd -P >| /x",
        "eval 'a' && rm -rf / && pwd -P >| /x",
        "eval 'a' ; rm x && pwd -P >| /x",
        "eval 'a && pwd -P >| /x",
        line("ls") + "; rm -rf /",
    ],
)
def test_of_any_other_form_all_is_judged(text: str) -> None:
    assert unwrapped(text) == Line(command=text)


def test_it_runs_contained_and_tells_its_folder(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"
    done = cli("wrap", line("cd src && cat app.py; exit 3", told), env={"LIMPET_SANDBOX_MODE": "auto"})
    assert (done.stdout, done.returncode, told.read_text()) == ('print("hello")\n', 3, f"{workspace}/src\n")


def test_what_the_policy_denies_does_not_run_and_says_why(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"
    done = cli("wrap", line("touch made; rm -rf /", told))
    assert (done.returncode, (workspace / "made").exists(), told.read_text()) == (126, False, f"{workspace}\n")
    assert "Denied by floor.delete: `rm -rf /`" in done.stderr


@pytest.mark.parametrize("left", ["rm -f {}; mkfifo {}", "rm -f {}; ln -s /etc/passwd {}", "echo /there/is/none > {}"])
def test_only_a_folder_is_told(cli: Cli, workspace: Path, tmp_path: Path, left: str) -> None:
    """A command that knows where its folder is written may write anything there."""
    told = tmp_path / "told"
    find = 'place=$(trap -p EXIT | sed "s/.*>| *//; s/. EXIT//"); trap - EXIT; '
    cli("wrap", line(find + left.replace("{}", '"$place"'), told), env={"LIMPET_POLICY_PROFILE": "open"})
    assert told.read_text() == f"{workspace}\n"


def test_what_claude_runs_for_itself_runs_as_ever(cli: Cli, workspace: Path) -> None:
    own = {"CLAUDECODE": "1", "AI_AGENT": "claude-code_2-1-325_harness", "SECRET_TOKEN": "kept"}
    done = cli("wrap", "cat; echo $SECRET_TOKEN; exit 5", stdin="in\n", env=own)
    assert (done.stdout, done.returncode) == ("in\nkept\n", 5)


def test_a_folder_in_the_workspace_is_not_taken_for_limpet(cli: Cli, workspace: Path) -> None:
    (workspace / "limpet").mkdir()
    (workspace / "limpet" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    words = [cli.argv()[0], "-Pm", "limpet", "wrap", "echo right"]
    done = subprocess.run(words, cwd=workspace, env=cli.environment(), capture_output=True, timeout=30)
    assert done.stdout == b"right\n"
