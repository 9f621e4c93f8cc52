"""The environment a command gets: clean, working, and told about."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from limpet import INHERIT, sync

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("TK-04")
def test_variables_are_added_one_by_one_or_many(workspace: Path) -> None:
    env = {"ONE": "1", "TWO": "a b\n'c'", "BASH_FUNC_x%%": "() { echo fun; }", "ÜML": "ä\udcff"}
    result = sync.run('printf %s "$ONE|$TWO|"; x; printenv ÜML | od -An -tx1', workspace=workspace, env=env)
    assert result.stdout == "1|a b\n'c'|fun\n c3 a4 ff 0a\n"


@pytest.mark.req("TK-04")
def test_an_empty_start_has_only_what_is_given(workspace: Path) -> None:
    result = sync.run("/usr/bin/env", workspace=workspace, empty_env=True, env={"ONLY": "me"})
    assert set(result.stdout.splitlines()) == {"ONLY=me", f"PWD={workspace}", "SHLVL=1", "_=/usr/bin/env"}


@pytest.mark.req("CH-07", "ZE-12")
def test_the_environment_is_an_allow_list(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MY_VAR", "LD_PRELOAD_X", "BASH_ENV", "PROMPT_COMMAND", "GIT_DIR", "PYTHONPATH"):
        monkeypatch.setenv(name, "here")
    result = sync.run("env", workspace=workspace)
    assert "here" not in result.stdout
    assert {"MY_VAR", "BASH_ENV", "PROMPT_COMMAND", "GIT_DIR", "PYTHONPATH"} <= set(result.withheld_env)
    monkeypatch.setenv("LIMPET_ENVIRONMENT_ALLOW", "PATH,MY_VAR,LANG")
    monkeypatch.setenv("LIMPET_ENVIRONMENT_STRIP", "MY_")
    assert "MY_VAR" not in sync.run("env", workspace=workspace).stdout
    monkeypatch.setenv("LIMPET_ENVIRONMENT_STRIP", "OTHER_")
    assert "MY_VAR=here" in sync.run("env", workspace=workspace).stdout


@pytest.mark.req("ZE-20")
def test_a_skill_sets_variables_and_clears_them_again(workspace: Path) -> None:
    with sync.open(workspace, env={"A": "shell"}) as shell:
        shell.set_env({"SKILL": "on", "A": "skill"})
        assert shell.run("echo $SKILL $A").stdout == "on shell\n"
        assert shell.run("echo $SKILL", env={"SKILL": "call"}).stdout == "call\n"
        shell.clear_env()
        assert shell.run("echo [$SKILL] $A").stdout == "[] shell\n"


def test_nothing_waits_for_a_key_or_opens_a_pager(workspace: Path) -> None:
    sync.run(
        "git init -q . && git -c user.name=a -c user.email=b commit -q --allow-empty -m first", workspace=workspace
    )
    result = sync.run("git log --oneline; echo $PAGER $GIT_TERMINAL_PROMPT; tty", workspace=workspace, timeout=20)
    assert result.stdout.splitlines()[1:] == ["cat 0", "not a tty"]


@pytest.mark.req("TK-16")
def test_stdin_is_empty_unless_given(workspace: Path) -> None:
    assert sync.run("cat; read x; echo $?", workspace=workspace, timeout=20).stdout == "1\n"
    assert sync.run("cat; cat", workspace=workspace, stdin="ünput\n").stdout == "ünput\n"
    assert sync.run("od -An -tx1", workspace=workspace, stdin=b"\xff\0").stdout == " ff 00\n"
    big = "x" * 3_000_000
    assert sync.run("wc -c", workspace=workspace, stdin=big).stdout == "3000000\n"


@pytest.mark.req("TK-16", "TU-09")
def test_the_caller_s_own_streams_can_be_used() -> None:
    program = (
        "import limpet, sys; r = limpet.sync.run('read x; echo got $x; echo err >&2; exit 3', stdin=limpet.INHERIT, "
        "capture_output=False); print([r.stdout, r.stderr, r.exit_code, r.output_file], flush=True)"
    )
    done = subprocess.run([sys.executable, "-c", program], input="typed\n", capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("got typed\n['', '', 3, None]\n", "err\n")
    assert INHERIT.value == "inherit"
