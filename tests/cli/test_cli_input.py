"""Where the command comes from, and what it is given to read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli


def test_one_argument_is_shell_text(cli: Cli) -> None:
    assert cli("run", "--", "echo one; echo two").stdout == "one\ntwo\n"


@pytest.mark.req("TK-08")
def test_several_arguments_are_taken_literally(cli: Cli) -> None:
    words = ["a b", "$HOME", "*", "'\"", "", ";", "-n", "\n", "--json"]
    done = cli("run", "--", "printf", "<%s>", *words)
    assert done.stdout == "".join(f"<{word}>" for word in words)


def test_the_dashes_may_be_left_out(cli: Cli) -> None:
    assert cli("run", "echo hi").stdout == "hi\n"
    assert cli("run", "--timeout", "10", "echo", "hi", "--timeout").stdout == "hi --timeout\n"


def test_a_file_holds_the_command(cli: Cli, workspace: Path) -> None:
    (workspace / "script").write_text("for n in 1 2\ndo echo $n\ndone\ncat <<'END'\nit's \"this\"\nEND\n")
    assert cli("run", "--file", "script").stdout == '1\n2\nit\'s "this"\n'


def test_stdin_holds_the_command(cli: Cli) -> None:
    assert cli("run", "--file", "-", stdin="echo one\necho two; cat").stdout == "one\ntwo\n"


@pytest.mark.req("TK-16")
def test_stdin_is_empty_unless_it_is_passed_on(cli: Cli) -> None:
    assert cli("run", "--", "wc -c", stdin="12345").stdout.strip() == "0"
    assert cli("run", "--stdin", "--", "wc -c", stdin="12345").stdout.strip() == "5"
    big = "x" * 3_000_000
    assert cli("run", "--stdin", "--", "wc -c", stdin=big).stdout.strip() == "3000000"


def test_the_folder_is_the_workspace_unless_one_is_named(cli: Cli, workspace: Path) -> None:
    assert cli("run", "--cwd", "src", "--", "pwd").stdout == f"{workspace}/src\n"
    assert cli("run", "--workspace", "..", "--cwd", "workspace/src", "--", "pwd").stdout == f"{workspace}/src\n"
    result = json.loads(cli("run", "--json", "--workspace", ".", "--cwd", "src", "--", "pwd").stdout)
    assert (result["cwd"], result["stdout"]) == (f"{workspace}/src", f"{workspace}/src\n")


@pytest.mark.req("TK-04", "MY-12")
def test_variables_are_added_to_the_usual_ones_or_to_none(cli: Cli) -> None:
    extra = {"FROM_OUTSIDE": "1", "SOME_TOKEN": "secret"}
    done = cli("run", "--env", "A=1", "--env", "B=x=y", "--", "echo $A $B $FROM_OUTSIDE $SOME_TOKEN", env=extra)
    assert done.stdout == "1 x=y\n"
    lines = cli("run", "--empty-env", "--env", "A=1", "--", "env").stdout.splitlines()
    assert {line.partition("=")[0] for line in lines} - {"_", "SHLVL", "OLDPWD"} == {"A", "PWD"}


@pytest.mark.req("TK-10")
def test_no_time_limit_can_be_asked_for(cli: Cli) -> None:
    done = cli("run", "--timeout", "none", "--json", "--", "sleep 0.1; echo done", env={"LIMPET_RUN_TIMEOUT": "0.05"})
    assert json.loads(done.stdout)["stdout"] == "done\n"


@pytest.mark.req("MY-07", "CH-06")
def test_what_is_shown_can_be_cut(cli: Cli) -> None:
    done = cli("run", "--json", "--max-output", "40", "--truncate", "tail", "--", "seq 1000")
    result = json.loads(done.stdout)
    first, *rest = result["stdout"].splitlines()
    assert (result["truncated"], rest[-1], len("\n".join(rest)) <= 40) == (True, "1000", True)
    assert first.endswith(f" of 3,893 characters; all of it: {result['output_file']}]")


def test_a_file_that_is_not_text_is_passed_on_byte_for_byte(cli: Cli, workspace: Path) -> None:
    (workspace / "script").write_bytes(b"printf %s '\xff\xfe'")
    assert cli.raw("run", "--file", "script").stdout == b"\xff\xfe"
