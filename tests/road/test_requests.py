"""What may be asked, and how a bad request is refused before anything is spawned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from limpet import Limits, Options, sync

if TYPE_CHECKING:
    from pathlib import Path


def refused(workspace: Path, command: object = "touch ran", **options: Any) -> str:
    with pytest.raises(limpet.InvalidRequestError) as caught:
        sync.run(command, workspace=workspace, **options)  # type: ignore[arg-type]  # that is the point
    assert not (workspace / "ran").exists()
    return str(caught.value)


@pytest.mark.req("TK-05")
@pytest.mark.parametrize("command", ["", " ", "\n\t ", "\r\n"])
def test_a_blank_command_is_refused(workspace: Path, command: str) -> None:
    assert refused(workspace, command) == "the command is empty: nothing to run"


@pytest.mark.parametrize("command", [None, 5, b"ls", ["ls"]])
def test_a_command_that_is_no_string_is_refused(workspace: Path, command: object) -> None:
    assert "must be a string" in refused(workspace, command)


def test_what_no_shell_can_take_is_refused_with_its_place(workspace: Path) -> None:
    assert "NUL character at position 5" in refused(workspace, "touch\0ran")
    assert "lone surrogate at position 5" in refused(workspace, "touch\ud800ran")


@pytest.mark.req("TU-02")
@pytest.mark.parametrize("timeout", [0, -1, 1e-9, 601, 1e308, math.nan, math.inf, 10**18, "5", True, [1]])
def test_a_timeout_out_of_range_is_refused(workspace: Path, timeout: object) -> None:
    assert "timeout must be" in refused(workspace, timeout=timeout)


@pytest.mark.req("TK-10")
def test_the_timeout_can_be_switched_off(workspace: Path) -> None:
    assert sync.run("echo on", workspace=workspace, timeout=None).stdout == "on\n"


def test_the_network_is_switched_by_the_words_of_the_command_line_too(workspace: Path) -> None:
    command = "cat /proc/net/dev | wc -l"
    told = [sync.run(command, workspace=workspace, network=way).stdout for way in (False, "off", True, "on")]
    assert (told[0], told[2]) == (told[1], told[3])
    assert "network must be" in refused(workspace, network="of")


@pytest.mark.req("TU-06")
@pytest.mark.parametrize(
    "env",
    [{"A": 1}, {"A": None}, {1: "a"}, {"": "a"}, {"A=B": "c"}, {"A": "b\0c"}, {"A\0": "b"}, ["A"], "A=b", {"A": b"c"}],
)
def test_an_environment_that_is_not_string_to_string_is_refused(workspace: Path, env: object) -> None:
    assert "env" in refused(workspace, env=env)


@pytest.mark.req("TK-03", "TU-07", "MY-16")
def test_a_working_directory_must_be_there_and_inside_the_workspace(workspace: Path, tmp_path: Path) -> None:
    (workspace / "out").symlink_to(tmp_path)
    assert refused(workspace, cwd="missing") == f"cwd {workspace}/missing does not exist"
    assert refused(workspace, cwd="numbers.txt") == f"cwd {workspace}/numbers.txt is not a directory"
    for outside in ("..", "/", str(tmp_path), "src/../..", "out"):
        assert "is outside the workspace" in refused(workspace, cwd=outside)


@pytest.mark.req("TK-03")
@pytest.mark.parametrize("name", ["with space", "new\nline", "quo'te\"s", "-rf", "$(touch ran)", "b\udcffd", "ünï"])
def test_a_working_directory_may_have_any_name(workspace: Path, name: str) -> None:
    (workspace / name).mkdir()
    (workspace / name / "here").touch()
    result = sync.run("ls", workspace=workspace, cwd=name)
    assert (result.stdout, result.cwd) == ("here\n", f"{workspace}/{name}")
    assert sync.run("ls", workspace=workspace, cwd=workspace / name).stdout == "here\n"


SENSELESS = [Limits(cpu=0), Limits(memory=-1), Limits(processes=0), Limits(cpu=math.nan), {"cpu": 1}]


@pytest.mark.parametrize("limits", [*SENSELESS, Limits(file_size=1.5)])  # type: ignore[arg-type]  # that is the point
def test_a_limit_that_makes_no_sense_is_refused(workspace: Path, limits: object) -> None:
    assert "limit" in refused(workspace, limits=limits)


def test_a_wish_that_cannot_be_met_is_refused(workspace: Path) -> None:
    for wish in ({"sandbox": "castle"}, {"require": ("network",)}, {"require": ("files", "tree")}):
        with pytest.raises(limpet.SandboxUnavailableError) as caught:
            sync.run("touch ran", workspace=workspace, **wish)
        assert caught.value.missing
    assert not (workspace / "ran").exists()
    assert sync.run("touch ran", workspace=workspace, require=("tree",)).ok


def test_names_that_do_not_exist_are_refused(workspace: Path) -> None:
    assert "'nothing' is no guarantee" in refused(workspace, require=("nothing",))
    assert "'sideways' is no way to shorten output" in refused(workspace, truncate="sideways")
    assert "max_output" in refused(workspace, max_output=-1)
    assert "approver must be" in refused(workspace, approver="maybe")
    assert "no profile called 'read_only'" in refused(workspace, profile="read_only")
    with pytest.raises(TypeError, match="timout"):
        sync.run("touch ran", workspace=workspace, timout=5)  # type: ignore[call-arg]  # that is the point


def test_a_workspace_must_be_a_folder(workspace: Path) -> None:
    for bad in (workspace / "missing", workspace / "numbers.txt"):
        with pytest.raises(limpet.InvalidRequestError, match="the workspace"):
            sync.run("true", workspace=bad)


@pytest.mark.req("TU-14")
def test_a_missing_shell_is_a_clear_error(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_RUN_SHELL", "/no/such/bash")
    with pytest.raises(limpet.LaunchError, match=r"run\.shell is '/no/such/bash', which is not an executable file"):
        sync.run("touch ran", workspace=workspace)


@pytest.mark.req("TK-18")
def test_options_compose_and_stay_as_they_are() -> None:
    base = Options(timeout=5, env={"A": "1"})
    more = base.but(env={"B": "2"}, cwd="src")
    assert (base.env, base.cwd) == ({"A": "1"}, None)
    assert more == Options(timeout=5, env={"A": "1", "B": "2"}, cwd="src")


@pytest.mark.req("TK-18")
def test_options_of_a_shell_are_defaults_for_its_commands(workspace: Path) -> None:
    with sync.open(workspace, env={"A": "shell", "B": "shell"}, cwd="src") as shell:
        assert shell.run("echo $A $B; pwd").stdout == f"shell shell\n{workspace}/src\n"
        assert shell.run("echo $A $B; pwd", env={"B": "call"}, cwd=".").stdout == f"shell call\n{workspace}\n"


def test_a_description_can_be_required(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_RUN_REQUIRE_DESCRIPTION", "true")
    assert "a description is required" in refused(workspace)
    assert sync.run("true", workspace=workspace, description="nothing at all").ok


def test_check_takes_the_same_folders_as_run(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "sub").mkdir()
    monkeypatch.chdir(workspace)
    assert limpet.check("touch ../x", workspace=workspace, cwd="sub").verdict == "allow"
    assert limpet.check("touch ../x", cwd=workspace / "sub").verdict == "ask"
    assert limpet.check("touch x", cwd="/some/where/else").verdict == "allow"
    (workspace / "link").symlink_to("sub")
    assert limpet.check("touch x", workspace=workspace / "link", cwd=workspace / "link").verdict == "allow"


def test_a_current_folder_that_is_gone_is_a_clear_error(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "gone").mkdir()
    monkeypatch.chdir(workspace / "gone")
    (workspace / "gone").rmdir()
    for call in (sync.check, sync.run):
        with pytest.raises(limpet.InvalidRequestError, match="the current folder does not exist any more"):
            call("true")
    assert sync.check("true", workspace="/some/where").verdict == "allow"


def test_variables_that_change_between_commands_are_looked_at_each_time(workspace: Path) -> None:
    variables = {"WORD": "one"}
    with sync.open(workspace, env=variables) as shell:
        said = [shell.run("echo $WORD").stdout]
        variables["WORD"] = "two"
        said.append(shell.run("echo $WORD").stdout)
    assert said == ["one\n", "two\n"]
