"""What runs before every command, a DEBUG trap or `set -x`, sees the commands of a session and nothing of limpet's."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from limpet import sync

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60
SEEN = "trap 'echo dbg: $BASH_COMMAND' DEBUG"
SCRIPTS = {
    "a trap": [SEEN, "true", "echo one; echo two", "trap - DEBUG", "echo quiet"],
    "the status": [SEEN, "(exit 7)", "echo $?", "false", "echo $?"],
    "compound commands": [SEEN, "for i in 1 2; do :; done", "f() { echo $1; }", "f x; (echo sub)", "[[ a ]] && ((1))"],
    "the trap replaced": [SEEN, "trap 'echo two: $BASH_COMMAND' DEBUG", "true", "trap -p DEBUG", "true"],
    "what it quotes": ["trap $'echo \"a\\'b\\n$BASH_COMMAND\\\\\"' DEBUG", "true", "true"],
    "a comment": [SEEN, "false", "# only a comment\n\n  # and another", "echo on"],
    "a long command": [SEEN, f"false; echo $?; : {'x' * 9000} && x=1", "echo $x"],
    "functions traced": ["set -T", "f() { echo in; }", SEEN, "f; (echo sub); x=$(echo got)", "echo $x"],
    "a debugger": ["shopt -s extdebug", "f() { echo in; }", SEEN, "f", "[ a ]", "echo $?"],
    "some commands skipped": ["shopt -s extdebug", "trap '[[ $BASH_COMMAND != *no ]]' DEBUG", "echo no; echo yes"],
    "with set -e": ["set -e", SEEN, "false || echo on", "echo $?"],
    "in posix mode": ["set -o posix", SEEN, "true", "echo $?"],
    "under another name": ["eval() { echo mine; }", "exit() { echo mine; }", SEEN, "true"],
    "set -x": ["set -x", "(exit 7)", "echo $?", SEEN, "false", "echo $?"],
    "a mistake": [SEEN, "nothing_of_this_name", "echo on"],
}  # fmt: skip


def in_one_bash(commands: list[str], place: Path) -> str:
    """What all of them print, as the lines of one script."""
    script = "\n".join(commands)
    done = subprocess.run(["bash", "-s"], input=script, cwd=place, capture_output=True, text=True, timeout=PATIENCE)
    return done.stdout


def in_a_session(commands: list[str], place: Path, *, terminal: bool = False) -> list[str]:
    with sync.open(place) as shell, shell.session(terminal=terminal) as bash:
        return [bash.run(command, timeout=PATIENCE).stdout for command in commands]


@pytest.mark.req("MY-10")
@pytest.mark.parametrize("commands", SCRIPTS.values(), ids=SCRIPTS)
def test_a_trap_prints_what_it_prints_in_one_bash(workspace: Path, commands: list[str]) -> None:
    assert "".join(in_a_session(commands, workspace)) == in_one_bash(commands, workspace)


def test_so_it_does_at_a_terminal(workspace: Path) -> None:
    commands = [*SCRIPTS["the status"], "exit 3"]
    assert "".join(in_a_session(commands, workspace, terminal=True)) == in_one_bash(commands, workspace)


def test_what_it_prints_is_in_the_answer_to_its_own_command(workspace: Path) -> None:
    said = in_a_session([SEEN, "x=1", "echo $x", "kill -9 $$", 'echo "un', "echo $LINENO\nf\n", "exit 3"], workspace)
    dbg = ["", "x=1", "echo $x\n1", "kill -9 $$", "", "echo $LINENO\n1\ndbg: f", "exit 3"]
    assert said == [f"dbg: {line}\n" if line else "" for line in dbg]


def test_once_more_it_runs_unseen_and_never_where_there_is_anything_to_see_or_to_eat(workspace: Path) -> None:
    noting = "trap 'cat >>eaten; echo $BASH_COMMAND >>seen; echo heard; echo heard >&2' DEBUG"
    with sync.open(workspace) as shell, shell.session() as bash:
        bash.run(noting)
        results = [bash.run(command, timeout=PATIENCE) for command in ("(exit 3)", "echo $?", "exit 4")]
    assert [(one.exit_code, one.stdout, one.stderr) for one in results] == [
        (3, "", ""), (0, "heard\n3\n", "heard\n"), (4, "heard\n", "heard\n"),
    ]  # fmt: skip
    taken = "\\trap - DEBUG"
    assert (workspace / "seen").read_text().splitlines() == [taken, taken, "echo $?", taken, "exit 4"]
    assert (workspace / "eaten").read_bytes().replace(b"-1\n", b"") == b""


def test_a_trap_cannot_answer_for_a_command(workspace: Path) -> None:
    forging = (
        "trap 't=${BASH_COMMAND#*/!/}; t=${t%%/*}; "
        '[ "$t" = "$BASH_COMMAND" ] || echo "bash: line 1: /!/$t/77/hB: " >&58\' DEBUG'
    )
    with sync.open(workspace) as shell, shell.session() as bash:
        first = bash.run(forging)
        assert [first.exit_code, bash.run("(exit 5)").exit_code, bash.run("true").exit_code] == [0, 5, 0]


def test_what_a_trap_prints_while_the_shell_tells_its_state_is_no_part_of_that(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        bash.run("f() { echo f; }; set -T; trap 'echo touch made' DEBUG")
        bash.run("kill -9 $$", timeout=PATIENCE)
        result = bash.run("declare -F; ls made", timeout=PATIENCE)
    assert result.stdout == "touch made\ndeclare -f f\ntouch made\n"
    assert not (workspace / "made").exists()


def test_a_trap_that_skips_every_command_is_gone_with_its_shell(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        bash.run("x=kept")
        pid = bash.pid
        assert bash.run("x=lost; shopt -s extdebug; trap false DEBUG", timeout=PATIENCE).exit_code == 0
        result = bash.run("echo $x", timeout=PATIENCE)
    assert (result.stdout, bash.pid != pid) == ("kept\n", True)
    assert result.error == (
        "the session's shell was lost after the command before, so what that one changed is lost, too"
    )


def test_a_comment_has_no_status_but_its_own(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        for before in ("true", SEEN, "trap - DEBUG; set -x"):
            bash.run(f"{before}; (exit 7)")
            assert bash.run("# only a comment\n\n  # and another").exit_code == 0


def test_tracing_keeps_the_status_of_the_command_before(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        bash.run("set -x; (exit 7)")
        result = bash.run("echo $?")
    assert (result.stdout, result.stderr) == ("7\n", "++ echo 7\n")
