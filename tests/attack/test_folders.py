"""Working directories that are not there, not allowed, or oddly named."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from limpet import sync
from living import wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli


@pytest.mark.req("TU-07", "TK-03")
@pytest.mark.parametrize(
    ("cwd", "said"),
    [
        ("missing", "cwd {workspace}/missing does not exist"),
        ("README.md", "cwd {workspace}/README.md is not a directory"),
        ("README.md/x", "cwd {workspace}/README.md/x does not exist"),
        ("..", "cwd {workspace}/.. is outside the workspace {workspace}"),
        ("/", "cwd / is outside the workspace {workspace}"),
        ("src/../../", "cwd {workspace}/src/../../ is outside the workspace {workspace}"),
        ("out", "cwd {workspace}/out is outside the workspace {workspace}"),
        ("out/deeper", "cwd {workspace}/out/deeper is outside the workspace {workspace}"),
        ("loop", "cwd {workspace}/loop is not a directory"),
        ("a\0b", "cwd has a NUL character in it"),
        ("bad\n\x1b[2J", "cwd '{workspace}/bad\\n\\x1b[2J' does not exist"),
        (b"\xff\xfe", "cwd '{workspace}/\\udcff\\udcfe' does not exist"),
        (3, "cwd must be a path, not int"),
        (["src"], "cwd must be a path, not list"),
    ],
    ids=str,
)
def test_a_folder_that_cannot_be_used_is_refused_by_name(cwd: Any, said: str, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "outside" / "deeper").mkdir(parents=True)
    (workspace / "out").symlink_to(tmp_path / "outside")
    (workspace / "loop").symlink_to("loop")
    with sync.open(workspace) as shell, pytest.raises(limpet.InvalidRequestError) as caught:
        shell.run("touch ran", cwd=cwd)
    assert str(caught.value) == said.format(workspace=workspace)
    assert list(tmp_path.rglob("ran")) == []


def test_a_sibling_whose_name_begins_like_the_workspace_is_outside(workspace: Path) -> None:
    sibling = workspace.with_name(workspace.name + "-other")
    sibling.mkdir()
    with sync.open(workspace) as shell, pytest.raises(limpet.InvalidRequestError, match="is outside the workspace"):
        shell.run("true", cwd=sibling)


@pytest.mark.parametrize("name", ["src", "missing", "../outside", "\x1b"])
def test_the_command_line_says_which_folder_it_refuses(name: str, cli: Cli, workspace: Path) -> None:
    done = cli("run", "--workspace", str(workspace / "src"), "--cwd", str(workspace / name), "--", "touch ran")
    wanted = 0 if name == "src" else 2
    assert (done.returncode, (workspace / "src" / "ran").exists(), "Traceback" in done.stderr) == (
        wanted,
        not wanted,
        False,
    )


@pytest.mark.req("TK-03", "CH-01")
@pytest.mark.parametrize(
    "name",
    [
        b"with space",
        b"new\nline",
        b"quote'\"`$(touch ran)",
        b"-dash",
        b"--",
        b"back\\slash",
        b"\xff\xfe",
        b"\x1b]0;x\x07",
        b"*",
        b"~",
        "\u202eb\u00e9\U0001f600".encode(),
        b"d" * 255,
    ],
    ids=repr,
)
def test_a_folder_of_any_name_can_be_worked_in(name: bytes, cli: Cli, workspace: Path) -> None:
    place = os.path.join(os.fsencode(workspace), name)
    os.mkdir(place)
    look = 'printf "%s\\0" "$PWD"; pwd -P; touch ran'
    done = cli.raw("run", "--workspace", ".", f"--cwd={os.fsdecode(name)}", "--", look)
    assert (done.returncode, done.stdout, done.stderr) == (0, place + b"\0" + place + b"\n", b"")
    assert os.listdir(place) == [b"ran"]


def test_a_folder_at_the_length_limit_of_paths_can_be_worked_in(workspace: Path) -> None:
    room = 4095 - len(os.fsencode(workspace))
    deep = "/".join(["d" * 200] * (room // 201))
    deep += "/" + "e" * (room - len(deep) - 2)
    os.makedirs(workspace / deep)
    with sync.open(workspace) as shell:
        result = shell.run("pwd", cwd=deep)
    assert (len(str(workspace / deep)), result.stdout) == (4095, f"{workspace / deep}\n")


def test_a_folder_beyond_the_length_limit_of_paths_is_refused(cli: Cli, workspace: Path) -> None:
    with sync.open(workspace) as shell, pytest.raises(limpet.InvalidRequestError, match="does not exist"):
        shell.run("true", cwd="d/" * 3000)
    go = "import os, sys\nfor n in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)\n"
    go += "os.execv(sys.argv[1], sys.argv[1:])"
    argv = [sys.executable, "-c", go, *cli.argv("run", "--", "echo hi")]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=workspace, env=cli.environment(), timeout=30)
    assert (done.returncode in (0, 2), done.stdout in ("hi\n", ""), "Traceback" in done.stderr) == (True, True, False)


def test_a_folder_that_is_deleted_while_the_command_runs_does_not_lose_the_answer(workspace: Path) -> None:
    (workspace / "going").mkdir()
    with sync.open(workspace) as shell:
        result = shell.run("echo before; rm -rf ../going; echo after; exit 3", cwd="going")
        assert (result.stdout, result.exit_code, result.cwd) == ("before\nafter\n", 3, str(workspace / "going"))
        with pytest.raises(limpet.InvalidRequestError, match="going does not exist"):
            shell.run("true", cwd="going")


def test_a_folder_that_is_swapped_for_a_link_meanwhile_is_not_followed_by_the_running_command(
    workspace: Path, tmp_path: Path
) -> None:
    (workspace / "place").mkdir()
    (tmp_path / "outside").mkdir()

    async def swap() -> limpet.Result:
        async with limpet.open(workspace) as shell:
            task = asyncio.ensure_future(
                shell.run("touch here; until [ -e go ]; do sleep 0.01; done; touch end", cwd="place")
            )
            await asyncio.to_thread(wait_for, (workspace / "place" / "here").exists)
            (workspace / "place").rename(workspace / "moved")
            (workspace / "place").symlink_to(tmp_path / "outside")
            (workspace / "moved" / "go").touch()
            return await task

    assert asyncio.run(swap()).ok
    assert (sorted(os.listdir(workspace / "moved")), os.listdir(tmp_path / "outside")) == (["end", "go", "here"], [])


@pytest.mark.parametrize("way", ["cli", "open", "run", "sync.run"])
def test_a_current_folder_that_is_gone_is_refused_in_plain_words(way: str, cli: Cli, workspace: Path) -> None:
    body = {
        "open": "limpet.open()",
        "run": "asyncio.run(limpet.run('echo ran'))",
        "sync.run": "limpet.sync.run('echo ran')",
    }
    code = f"import asyncio, limpet\ntry: {body.get(way)}\n"
    code += "except limpet.InvalidRequestError as error: print('limpet:', error)"
    argv = cli.argv("run", "--", "echo ran") if way == "cli" else [sys.executable, "-c", code]
    gone = workspace / "gone"
    gone.mkdir()
    leave = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", leave, *argv], capture_output=True, text=True, cwd=gone, env=cli.environment(), timeout=30)  # fmt: skip  # noqa: E501
    assert done.stdout + done.stderr == "limpet: the current folder does not exist any more; say which workspace\n"


@pytest.mark.parametrize("workspace_given", [3, "a\0b", b"/", "missing", ["x"]], ids=repr)
@pytest.mark.parametrize("way", ["run", "open"])
def test_a_workspace_that_makes_no_sense_is_refused(way: str, workspace_given: Any, tmp_path: Path) -> None:
    given = str(tmp_path / "missing") if workspace_given == "missing" else workspace_given
    try:
        result = sync.run("true", workspace=given) if way == "run" else sync.open(given).run("true")
    except limpet.InvalidRequestError:
        return
    assert (given, result.ok, result.cwd) == (b"/", True, "/")


def test_nothing_is_left_of_a_workspace_that_a_command_deletes(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        assert shell.run('rm -rf "$PWD"; echo gone').stdout == "gone\n"
        with pytest.raises(limpet.InvalidRequestError, match="does not exist"):
            shell.run("true")
    assert not workspace.exists()
