"""Help, completion, settings and slips of the keys: every text says what is there and what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import limpet

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

SUBCOMMANDS = [
    "run",
    "check",
    "start",
    "tasks",
    "wait",
    "stop",
    "attach",
    "send",
    "session",
    "try",
    "undo",
    "recover",
    "logs",
    "log",
    "approvals",
    "approve",
    "deny",
    "mcp",
    "doctor",
    "init",
    "hook",
    "wrap",
    "config",
    "completion",
]


def test_alone_it_shows_how_to_begin(cli: Cli) -> None:
    done = cli()
    assert (done.returncode, done.stderr) == (0, "")
    assert "  limpet run -- 'make test' " in done.stdout
    assert done.stdout.endswith("limpet --help lists everything.\n")


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_lists_every_subcommand_with_a_line(cli: Cli, option: str) -> None:
    done = cli(option)
    listed = done.stdout.split("Commands:\n")[1].splitlines()
    assert (done.returncode, [line.split()[0] for line in listed]) == (0, SUBCOMMANDS)
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_has_help(cli: Cli, name: str) -> None:
    done = cli(name, "--help")
    assert (done.returncode, done.stderr, done.stdout.startswith(f"Usage: limpet {name}")) == (0, "", True)
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_version(cli: Cli) -> None:
    assert cli("--version").stdout == f"limpet {limpet.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["runn"], "there is no subcommand 'runn'; did you mean run? (see: limpet --help)"),
        (["ls"], "there is no subcommand 'ls'; to run a shell command: limpet run -- 'COMMAND' (see: limpet --help)"),
        (["run"], "no command: put it after --, as in: limpet run -- 'make test' (see: limpet run --help)"),
        (["run", "--env", "X", "--", "a"], "--env wants NAME=VALUE, not 'X' (see: limpet run --help)"),
        (["run", "--timeout", "x", "a"], "--timeout wants seconds or `none`, not 'x' (see: limpet run --help)"),
        (["run", "--file", "nope"], "--file nope: No such file or directory (see: limpet run --help)"),
        (["run", "--cwd", "nope", "a"], "the workspace {workspace}/nope does not exist"),
        (["run", "--workspace", ".", "--cwd", "nope", "a"], "cwd {workspace}/nope does not exist"),
        (
            ["run", "--sandbox", "x", "a"],
            "there is no sandbox called 'x'; there are: auto, native, landlock, bubblewrap, container, none, bare",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_an_error_says_what_is_wrong_where_and_what_to_do(
    cli: Cli, workspace: Path, arguments: list[str], said: str
) -> None:
    assert cli(*arguments).stderr == f"limpet: {said.format(workspace=workspace)}\n"


def test_each_setting_says_where_it_came_from(cli: Cli, workspace: Path) -> None:
    user = f"{os.environ['XDG_CONFIG_HOME']}/limpet/config.toml"
    os.mkdir(os.path.dirname(user))
    with open(user, "w") as file:
        file.write("[run]\ntimeout = 60\ngrace = 2\n\n[limits]\nmemory = '1 GiB'\n")
    (workspace / ".limpet.toml").write_text("# ours\n[run]\ngrace = 1\n")
    done = cli("config", "show", "--origin", env={"LIMPET_OUTPUT_TRUNCATE": "tail"})
    shown = {
        setting.strip(): origin for setting, _, origin in (line.partition("  # ") for line in done.stdout.splitlines())
    }
    wanted = {
        "run.timeout = 60.0": f"{user}:2",
        "run.grace = 1.0": f"{workspace}/.limpet.toml:3",
        "limits.memory = 1073741824": f"{user}:6",
        'output.truncate = "tail"': "$LIMPET_OUTPUT_TRUNCATE",
        "run.drain = 0.2": "built-in",
    }
    assert {setting: shown.get(setting) for setting in wanted} == wanted
    assert list(shown) == cli("config", "show", env={"LIMPET_OUTPUT_TRUNCATE": "tail"}).stdout.splitlines()


def test_config_alone_shows_the_settings(cli: Cli) -> None:
    assert cli("config").stdout == cli("config", "show").stdout


def test_a_wrong_setting_is_told_with_its_line(cli: Cli, workspace: Path) -> None:
    (workspace / ".limpet.toml").write_text("[run]\ntimeoutt = 3\n")
    done = cli("run", "--", "touch started")
    said = f"limpet: {workspace}/.limpet.toml:2: unknown setting timeoutt in [run]; did you mean timeout?\n"
    assert (done.returncode, done.stdout, done.stderr.replace("'", "").replace('"', "")) == (125, "", said)
    assert not (workspace / "started").exists()


def completed(cli: Cli, words: list[str]) -> list[str]:
    """What a real bash offers for the last word, from the script that limpet prints."""
    program = f"""
        eval "$(limpet completion bash)"
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)}) COMP_CWORD={len(words) - 1}
        function_name=$(complete -p limpet | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        $function_name limpet "${{COMP_WORDS[COMP_CWORD]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", program],
        capture_output=True,
        text=True,
        env=cli.environment(),
        cwd=cli.cwd,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_subcommands_and_options(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path = cli.cwd / "bin"
    on_path.mkdir()
    (on_path / "limpet").write_text(f'#!/bin/sh\nexec {sys.executable} -m limpet "$@"\n')
    (on_path / "limpet").chmod(0o755)
    monkeypatch.setenv("PATH", f"{on_path}:{os.environ['PATH']}")
    assert completed(cli, ["limpet", "lo"]) == ["logs", "log"]
    assert completed(cli, ["limpet", "run", "--net"]) == ["--network"]
    assert completed(cli, ["limpet", "completion", ""]) == ["bash", "zsh", "fish"]


@pytest.mark.parametrize(
    ("shell", "words"), [("zsh", "#compdef limpet"), ("fish", "complete --no-files --command limpet")]
)
def test_the_other_shells_have_their_script(cli: Cli, shell: str, words: str) -> None:
    done = cli("completion", shell)
    assert (done.returncode, words in done.stdout) == (0, True)
    if (found := shutil.which(shell)) is not None:
        subprocess.run([found, "-n", "/dev/stdin"], input=done.stdout, text=True, check=True, timeout=30)


LOADED = """
import sys
from limpet.surfaces.cli.main import run_cli
status = run_cli(sys.argv[2:])
sys.stderr.write(" ".join(name for name in sys.argv[1].split(",") if name in sys.modules))
sys.exit(status)
"""


@pytest.mark.parametrize(
    ("unwanted", "arguments"),
    [
        ("msgspec,asyncio,rich,sqlite3,limpet.engine,limpet.process", ["--version"]),
        ("msgspec,asyncio,rich,sqlite3,limpet.engine,limpet.process", ["--help"]),
        ("asyncio,rich,sqlite3,limpet.engine,limpet.process", ["config", "show"]),
        ("rich,platformdirs", ["run", "--", "true"]),
        ("rich,platformdirs", ["run", "--json", "--", "true"]),
        ("asyncio,rich,sqlite3,limpet.process,limpet.engine.pipeline", ["check", "--", "ls"]),
        ("asyncio,rich,limpet.engine.pipeline", ["log"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_nothing_is_loaded_that_a_call_does_not_need(cli: Cli, unwanted: str, arguments: list[str]) -> None:
    cli("run", "--", "true")
    command = [sys.executable, "-c", LOADED, unwanted, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cli.cwd, env=cli.environment(), timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
