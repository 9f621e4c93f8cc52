"""The exit status tells a program how it went, and nothing else has to be read for that."""

from __future__ import annotations

import contextlib
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from collections.abc import Iterator
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
    with started(cli, "run", *options, "--", f"sleep {mark}") as process:
        wait_for(lambda: sleeping(mark), 20)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err, bool(out)) == (status, b"", bool(options))
    assert wait_gone(mark)


def test_a_second_interrupt_does_not_wait_for_a_command_that_will_not_end(cli: Cli) -> None:
    mark = marker()
    command = f"trap 'echo heard' TERM; while :; do sleep {mark}; done"
    with started(cli, "run", "--", command, env={"LIMPET_RUN_GRACE": "300"}) as process:
        wait_for(lambda: sleeping(mark), 20)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert process.stdout.readline() == b"heard\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130
    assert wait_gone(mark)


@contextlib.contextmanager
def started(cli: Cli, *arguments: str, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """limpet under way; ended with the block, whatever happens in it."""
    pipe = subprocess.PIPE
    command = cli.argv(*arguments)
    with subprocess.Popen(
        command, cwd=cli.cwd, env=cli.environment(env), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def test_a_limit_that_was_reached_is_named(cli: Cli) -> None:
    done = cli("run", "--file-size", "4096", "--", "head -c 100000 /dev/zero > big; echo $?")
    assert (done.returncode, done.stdout) == (0, "153\n")
    done = cli("run", "--cpu", "1", "--", "while :; do :; done", timeout=60)
    assert (done.returncode > 128, done.stderr) == (True, "limpet: the limit cpu = 1.0 was reached\n")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM])
def test_a_signal_that_was_switched_off_stays_off(cli: Cli, workspace: Path, number: signal.Signals) -> None:
    """As with `nohup limpet run`, or in a script that has said `trap '' TERM`."""
    command = f"trap '' {number.name[3:]}; exec \"$@\""
    arguments = cli.argv("run", "--", "echo begun; until [ -e go ]; do sleep 0.02; done; echo over")
    with subprocess.Popen(
        ["bash", "-c", command, "bash", *arguments], cwd=cli.cwd, env=cli.environment(), stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            process.send_signal(number)
        finally:
            (workspace / "go").touch()
        out, _ = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, b"over\n")
