"""`limpet session` from outside: named shells that outlive the calls that use them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from living import marker, sleeping, wait_for, wait_gone
from terminal import Terminal

if TYPE_CHECKING:
    from commandline import Cli


pytestmark = pytest.mark.usefixtures("no_session_left")


def test_a_named_session_is_started_once_and_gone_on_with(cli: Cli) -> None:
    first = cli("session", "run", "work", "--", "cd src; x=5; echo out; echo err >&2; exit_is() { return $1; }")
    assert (first.returncode, first.stdout, first.stderr) == (0, "out\n", "err\n")
    second = cli("session", "run", "work", "--", "echo $x; pwd; exit_is 7")
    assert (second.returncode, second.stdout) == (7, f"5\n{cli.cwd}/src\n")
    listed = json.loads(cli("session", "list", "--json").stdout)
    assert [(each["name"], each["cwd"], each["commands"]) for each in listed] == [("work", f"{cli.cwd}/src", 2)]
    assert cli("session", "close", "work").returncode == 0
    assert json.loads(cli("session", "list", "--json").stdout) == []


def test_json_is_one_result(cli: Cli) -> None:
    told = json.loads(cli("session", "run", "work", "--json", "--", "read x; echo $x; exit 3", stdin="").stdout)
    assert (told["exit_code"], told["error"]) == (3, "the session has ended (exit 3)")
    told = json.loads(cli("session", "run", "work", "--json", "--stdin", "--", "cat", stdin="given").stdout)
    assert (told["stdout"], told["outcome"]) == ("given", "exited")


def test_its_place_is_private(cli: Cli) -> None:
    cli("session", "run", "work", "--", "true")
    place = Path(os.environ["LIMPET_STATE_DIR"], "sessions", "work")
    modes = {each.name: oct(each.stat().st_mode & 0o777) for each in (place, place.parent, *place.iterdir())}
    assert modes == {
        "work": "0o700", "sessions": "0o700", "socket": "0o600", "facts.json": "0o600", "lock": "0o600",
    }  # fmt: skip


def test_policy_holds_and_what_is_asked_is_not_run_without_an_answer(cli: Cli, tmp_path: Path) -> None:
    assert cli("session", "run", "work", "--profile", "workspace", "--", "cd ..").returncode == 0
    asked = cli("session", "run", "work", "--", "touch made")
    assert (asked.returncode, "approv" in asked.stderr, (tmp_path / "made").exists()) == (126, True, False)
    assert cli("session", "run", "work", "--yes", "--", "touch made").returncode == 0
    assert (tmp_path / "made").exists()


@pytest.mark.parametrize(("keys", "status"), [("o\n", 0), ("no, not there\n", 126)])
def test_a_person_answers_at_the_terminal_of_the_call(cli: Cli, tmp_path: Path, keys: str, status: int) -> None:
    cli("session", "run", "work", "--profile", "workspace", "--", "cd ..")
    argv = cli.argv("session", "run", "work", "--", "touch made")
    with Terminal(argv, cwd=cli.cwd, env=cli.environment({"NO_COLOR": "1", "TERM": "xterm"})) as terminal:
        terminal.until(lambda text: "\n> " in text)
        assert not (tmp_path / "made").exists()
        terminal.type(keys)
        assert terminal.wait() == status
    assert (tmp_path / "made").exists() is (status == 0)


def test_what_makes_no_sense_is_said(cli: Cli) -> None:
    cli("session", "run", "work", "--", "true")
    wrong = {
        ("run", "../x", "--", "true"): "'../x' is no name for a session",
        ("run", "work"): "no command",
        ("show", "nothing"): "there is no session nothing",
        ("close", "nothing"): "there is no session nothing",
        ("run", "work", "--cwd", "/", "--", "true"): "runs already, with other options",
        ("run", "work", "--workspace", "/usr", "--", "true"): "is one of",
    }
    for args, said in wrong.items():
        done = cli("session", *args)
        assert (done.returncode, said in done.stderr, done.stdout) == (2, True, ""), done


def test_ctrl_c_ends_the_command_and_not_the_session(cli: Cli) -> None:
    mark = marker()
    cli("session", "run", "work", "--", "x=kept")
    with subprocess.Popen(
        cli.argv("session", "run", "work", "--", f"sleep {mark}"), cwd=cli.cwd, env=cli.environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        wait_for(lambda: sleeping(mark), 20)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    assert wait_gone(mark, 5)
    assert cli("session", "run", "work", "--", "echo $x").stdout == "kept\n"


def test_a_session_with_a_terminal_is_talked_to_at_the_terminal_of_the_call(cli: Cli) -> None:
    assert cli("session", "run", "work", "--terminal", "--", "x=1; test -t 0 -a -t 1").returncode == 0
    argv = cli.argv("session", "run", "work", "--", "read -p 'name? ' n; stty size; echo you are $n; cat")
    with Terminal(argv, cwd=cli.cwd, env=cli.environment({"NO_COLOR": "1", "TERM": "xterm"}), columns=77) as terminal:
        terminal.until(lambda text: text.endswith("name? "))
        terminal.type("joe\r")
        terminal.until(lambda text: " 77\r\nyou are joe\r\n" in text)
        terminal.type("\x04")
        assert terminal.wait() == 0
    assert cli("session", "run", "work", "--", "echo $x $n").stdout == "1 joe\r\n"


def test_where_nobody_is_at_a_terminal_a_question_ends_the_command_and_stdin_is_typed(cli: Cli) -> None:
    asked = cli(
        "session", "run", "work", "--terminal", "--rows", "30", "--columns", "99", "--", "stty size; read -p 'name? ' x"
    )
    assert (asked.returncode, asked.stdout, "it waited for input" in asked.stderr) == (130, "30 99\r\nname? ", True)
    assert (
        cli("session", "run", "work", "--terminal", "--stdin", "--", "read x; cat >rest", stdin="one\ntwo\n").returncode
        == 0
    )
    told = cli("session", "run", "work", "--json", "--", "echo $x; cat rest")
    assert json.loads(told.stdout)["stdout"] == "one\ntwo\n"
    assert "terminal   yes" in cli("session", "show", "work").stdout


def test_a_session_that_runs_without_a_terminal_does_not_get_one(cli: Cli) -> None:
    cli("session", "run", "work", "--", "true")
    done = cli("session", "run", "work", "--terminal", "--", "true")
    assert (done.returncode, "runs already, with other options" in done.stderr) == (2, True)


def test_a_client_that_is_killed_ends_its_command(cli: Cli) -> None:
    mark = marker()
    with subprocess.Popen(
        cli.argv("session", "run", "work", "--", f"sleep {mark}"), cwd=cli.cwd, env=cli.environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        wait_for(lambda: sleeping(mark), 20)
        process.kill()
    assert wait_gone(mark, 5)
    assert cli("session", "run", "work", "--", "echo on").stdout == "on\n"


def test_a_host_that_is_killed_takes_all_with_it_and_is_replaced(cli: Cli) -> None:
    mark = marker()
    cli("session", "run", "work", "--", f"x=1; sleep {mark} &")
    facts = json.loads(Path(os.environ["LIMPET_STATE_DIR"], "sessions", "work", "facts.json").read_text())
    os.kill(facts["host"]["pid"], signal.SIGKILL)
    assert wait_gone(mark, 10)
    assert cli("session", "list").stdout == ""
    assert cli("session", "run", "work", "--", "echo ${x-new}").stdout == "new\n"


def test_nobody_comes_for_a_while_and_it_ends(cli: Cli) -> None:
    mark = marker()
    cli("session", "run", "work", "--", f"sleep {mark} &", env={"LIMPET_SESSION_IDLE": "1"})
    assert wait_gone(mark, 20)
    wait_for(lambda: json.loads(cli("session", "list", "--json").stdout) == [], 20)


def test_what_an_interactive_shell_sets_up_is_captured_once(cli: Cli) -> None:
    home = Path(os.environ["HOME"])
    (home / ".bashrc").write_text(
        'export PATH=$HOME/bin:$PATH VIRTUAL_ENV=/venv SERVICE_TOKEN=abcdef PAGER=less; greet() { echo "hello $1"; }\n'
        "alias ll='ls -l'; echo noise; touch ~/was-run\n"
    )
    told = json.loads(cli("session", "capture", "--json").stdout)
    assert (told["functions"], told["aliases"], told["withheld"]) == (["greet"], ["ll"], ["SERVICE_TOKEN"])
    assert "abcdef" not in Path(told["path"]).read_text()
    (home / "was-run").unlink()
    command = "greet you; echo $VIRTUAL_ENV $PAGER ${SERVICE_TOKEN-none}; echo ${PATH%%:*}"
    on = {"LIMPET_RUN_SETUP": "true"}
    expected = f"hello you\n/venv cat none\n{home}/bin\n"
    assert cli("run", "--", command, env=on).stdout == expected
    assert cli("session", "run", "work", "--", command, env=on).stdout == expected
    assert cli("run", "--", "greet you").returncode == 127
    assert not (home / "was-run").exists()


def test_a_set_up_that_was_never_captured_is_an_error(cli: Cli) -> None:
    done = cli("run", "--", "true", env={"LIMPET_RUN_SETUP": "true"})
    assert (done.returncode, "limpet session capture" in done.stderr) == (125, True)
