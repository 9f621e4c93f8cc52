"""What `limpet start --stdin` gives a task to read: what is piped in, to its end, whoever is gone by then."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from limpet import INHERIT, InvalidRequestError, sync

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli


def begun(cli: Cli, *arguments: str, **streams: object) -> str:
    """The id of a task that was started with these streams."""
    done = subprocess.run(
        cli.argv("start", *arguments), cwd=cli.cwd, env=cli.environment(), timeout=60, capture_output=False,
        stdout=subprocess.PIPE, text=True, check=True, **streams,
    )  # type: ignore[call-overload]  # fmt: skip
    return str(done.stdout.split()[0])


def logs(cli: Cli, name: str) -> str:
    cli("wait", name, timeout=60)
    return cli("logs", name).stdout


@pytest.mark.parametrize("sandbox", ["none", "native"])
def test_a_file_is_read_by_the_task_itself(sandbox: str, cli: Cli, tmp_path: Path) -> None:
    text = "".join(f"{number}\n" for number in range(200_000))
    (tmp_path / "input").write_text(text)
    with open(tmp_path / "input") as file:
        name = begun(cli, "--stdin", "--sandbox", sandbox, "--", "cat; echo over", stdin=file)
    assert logs(cli, name) == f"{text}over\n"


def test_a_pipe_goes_on_when_the_call_is_over_and_its_end_is_the_end(cli: Cli) -> None:
    reading, writing = os.pipe()
    name = begun(cli, "--stdin", "--", "while read x; do echo got $x; done; echo over", stdin=reading)
    os.close(reading)
    for word in (b"one\n", b"two\n"):
        os.write(writing, word)
    os.close(writing)
    assert logs(cli, name) == "got one\ngot two\nover\n"


def test_without_the_option_a_task_reads_nothing(cli: Cli) -> None:
    name = cli("start", "--", "cat; echo over", stdin="not for it\n").stdout.split()[0]
    assert logs(cli, name) == "over\n"


def test_for_a_terminal_it_is_typed(cli: Cli) -> None:
    arguments = ("start", "--stdin", "--terminal", "--", "stty -echo; read x; cat; echo over $x")
    name = cli(*arguments, stdin="one\ntwo\n").stdout.split()[0]
    assert logs(cli, name).replace("\r", "").endswith("two\nover one\n")
    much = cli(*arguments, stdin="x" * ((1 << 20) + 1))
    assert (much.returncode, "too much to be typed" in much.stderr) == (2, True)


def test_what_cannot_be_given_away_is_refused_and_nothing_is_started(cli: Cli, tmp_path: Path) -> None:
    with open(tmp_path / "written", "w") as file:
        done = subprocess.run(
            cli.argv("start", "--stdin", "--", "touch ran"), stdin=file, capture_output=True, text=True, cwd=cli.cwd,
            env=cli.environment(), timeout=60,
        )  # fmt: skip
    assert (done.returncode, "can only be written to" in done.stderr) == (2, True)
    ours, end = os.openpty()
    saved = os.dup(0)
    try:
        os.dup2(end, 0)
        with sync.open(cli.cwd) as shell, pytest.raises(InvalidRequestError, match="is a terminal"):
            shell.start("touch ran", stdin=INHERIT)
    finally:
        os.dup2(saved, 0)
        for fd in (saved, ours, end):
            os.close(fd)
    assert not (cli.cwd / "ran").exists()
