"""The exit status tells a program how it went, and nothing else has to be read for that."""

from __future__ import annotations

import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("true", 0),
        ("exit 3", 3),
        ("exit 255", 255),
        ("no-such-command-anywhere", 127),
        ("./numbers.txt", 126),
        ("kill -KILL $$", 128 + 9),
        ("kill -TERM $$", 128 + 15),
        ("kill -SEGV $$", 128 + 11),
    ],
)
def test_the_status_is_the_commands_own(cli: Cli, command: str, status: int) -> None:
    assert cli("run", "--", command).returncode == status


@pytest.mark.req("CH-03", "ZE-17")
def test_a_time_out_is_124_and_says_so_on_one_line(cli: Cli) -> None:
    mark = marker()
    done = cli("run", "--timeout", "0.5", "--", f"echo begun; sleep {mark}")
    assert (done.returncode, done.stdout, done.stderr) == (
        124,
        "begun\n",
        "limpet: timed out after 0.5 s; the output so far is kept\n",
    )
    assert wait_gone(mark)


@pytest.mark.parametrize(
    "options",
    [["--sandbox", "no-such-sandbox"], ["--require", "sandbox"], ["--require", "network", "--require", "files"]],
)
def test_what_limpet_cannot_do_is_125_and_nothing_runs(cli: Cli, workspace: Path, options: list[str]) -> None:
    done = cli("run", *options, "--", "touch started")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1)
    assert not (workspace / "started").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", "--no-such-option", "--", "touch started"],
        ["run", "--timeout", "soon", "--", "touch started"],
        ["run", "--timeout", "0", "--", "touch started"],
        ["run", "--timeout", "-1", "--", "touch started"],
        ["run", "--timeout", "1e9", "--", "touch started"],
        ["run", "--cwd", "no-such-folder", "--", "touch started"],
        ["run", "--workspace", "src", "--cwd", "..", "--", "touch started"],
        ["run", "--env", "NAME", "--", "touch started"],
        ["run", "--env", "=value", "--", "touch started"],
        ["run", "--memory", "much", "--", "touch started"],
        ["run", "--truncate", "sideways", "--", "touch started"],
        ["run", "--require", "magic", "--", "touch started"],
        ["run", "--file", "no-such-file"],
        ["run", "--file", "numbers.txt", "--", "touch started"],
        ["run", "--stdin", "--file", "-"],
        ["run", "--", " \t\n"],
        ["runn", "--", "touch started"],
        ["--no-such-option"],
        ["logs"],
        ["log", "--limit", "0"],
        ["completion", "tcsh"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2_with_one_line_and_nothing_runs(cli: Cli, workspace: Path, arguments: list[str]) -> None:
    done = cli(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("limpet: ")
    assert not (workspace / "started").exists()


@pytest.mark.req("ZE-16")
@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)],
)
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["live", "json"])
def test_a_signal_ends_the_command_and_is_in_the_status(
    cli: Cli, number: signal.Signals, status: int, options: list[str]
) -> None:
    mark = marker()
    with subprocess.Popen(
        cli.argv("run", *options, "--", f"sleep {mark}"),
        cwd=cli.cwd,
        env=cli.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        wait_for(lambda: sleeping(mark), 20)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err, bool(out)) == (status, b"", bool(options))
    assert wait_gone(mark)


def test_a_second_interrupt_does_not_wait_for_a_command_that_will_not_end(cli: Cli, workspace: Path) -> None:
    (workspace / ".limpet.toml").write_text("")
    mark = marker()
    command = f"trap '' TERM INT HUP; echo ready; while :; do sleep {mark}; done"
    with subprocess.Popen(
        cli.argv("run", "--", command),
        cwd=cli.cwd,
        env=cli.environment({"LIMPET_RUN_GRACE": "300"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        wait_for(lambda: sleeping(mark), 20)
        process.send_signal(signal.SIGINT)
        # Once the first was heard: what ends on SIGTERM is gone, and comes again from the loop.
        before = sleeping(mark)
        wait_for(lambda: sleeping(mark) not in ([], before), 20)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")
    assert wait_gone(mark)


def test_a_limit_that_was_reached_is_named(cli: Cli) -> None:
    done = cli("run", "--file-size", "4096", "--", "head -c 100000 /dev/zero > big; echo $?")
    assert (done.returncode, done.stdout, done.stderr) == (0, "153\n", "")
    done = cli("run", "--cpu", "1", "--", "while :; do :; done", timeout=60)
    assert (done.returncode > 128, done.stderr) == (True, "limpet: the limit cpu = 1.0 was reached\n")
