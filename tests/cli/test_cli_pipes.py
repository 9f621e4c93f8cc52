"""In a pipe the bytes pass exactly, limpet says only the unexpected, and a reader that is slow or gone is no trap."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from commandline import Cli

ODD = rb"\000\001\033[31m\377\376\r\n\t\303\050"


@pytest.mark.req("TU-10")
def test_bytes_pass_exactly(cli: Cli) -> None:
    command = f"printf '{ODD.decode()}'; printf '{ODD.decode()}!' >&2"
    plain = subprocess.run(["bash", "-c", command], capture_output=True)
    done = cli.raw("run", "--", command)
    assert (done.stdout, done.stderr, done.returncode) == (plain.stdout, plain.stderr, 0)


@pytest.mark.req("TK-11")
def test_a_flood_passes_whole(cli: Cli) -> None:
    command = "head -c 20000000 /dev/zero | tr '\\0' x; seq 200000 >&2"
    done = cli.raw("run", "--", command, timeout=60)
    wanted = "".join(f"{n}\n" for n in range(1, 200001)).encode()
    assert hashlib.sha256(done.stdout).digest() == hashlib.sha256(b"x" * 20_000_000).digest()
    assert done.stderr == wanted


@pytest.mark.parametrize("command", ["true", "false", "kill -9 $$", "echo hi", "echo >&2 bad; exit 7"])
def test_what_is_expected_is_not_commented(cli: Cli, command: str) -> None:
    plain = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    done = cli("run", "--", command)
    assert (done.stdout, done.stderr) == (plain.stdout, plain.stderr)


def test_the_unexpected_is_said_on_a_line_of_its_own(cli: Cli) -> None:
    mark = marker()
    done = cli("run", "--", f"printf half >&2; sleep {mark} &")
    first, said, rest = done.stderr.split("\n")
    assert (first, rest, said.startswith("limpet: still running when the shell had exited, and ended: ")) == (
        "half", "", True,
    )  # fmt: skip
    assert wait_gone(mark)


@pytest.mark.parametrize("which", ["yes", "yes >&2"])
def test_a_reader_that_leaves_ends_the_command(cli: Cli, which: str) -> None:
    mark = marker()
    redirect = "2>&1 >/dev/null" if ">&2" in which else ""
    line = f'"$@" {redirect} | head -n 1; echo "${{PIPESTATUS[0]}}"'
    command = ["bash", "-c", line, "bash", *cli.argv("run", "--", f"sleep {mark} & {which}")]
    done = subprocess.run(command, capture_output=True, cwd=cli.cwd, env=cli.environment(), timeout=30, text=True)
    assert (done.stdout, done.stderr) == ("y\n141\n", "")
    assert wait_gone(mark)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_reader_that_reads_nothing_does_not_keep_an_interrupted_run(cli: Cli, number: signal.Signals) -> None:
    mark = marker()
    command = cli.argv("run", "--", f"sleep {mark} & head -c 3000000 /dev/zero; sleep {mark}")
    reader, writer = os.pipe()
    process = subprocess.Popen(command, cwd=cli.cwd, env=cli.environment(), stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    try:
        wait_for(lambda: sleeping(mark), 20)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    finally:
        os.close(reader)
    assert (process.returncode, err) == (128 + number, b"")
    assert wait_gone(mark)


def test_a_reader_that_does_not_block_gets_everything(cli: Cli) -> None:
    """Some programs leave the pipe they share with us in a mode in which a full one is an error."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = subprocess.Popen(
        cli.argv("run", "--", "seq 100000"), cwd=cli.cwd, env=cli.environment(), stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        assert file.read() == "".join(f"{n}\n" for n in range(1, 100001)).encode()
    assert (process.communicate(timeout=20)[1], process.returncode) == (b"", 0)


def test_a_full_disk_is_said(cli: Cli) -> None:
    with open("/dev/full", "wb") as full:
        command = cli.argv("run", "--", "echo hi")
        done = subprocess.run(command, cwd=cli.cwd, env=cli.environment(), stdout=full, stderr=subprocess.PIPE)
    said = b"limpet: the output cannot be written to stdout: No space left on device\n"
    assert (done.returncode, done.stderr) == (125, said)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_are_as_good_as_empty_ones(cli: Cli, closed: str) -> None:
    """The next file that limpet opens must not get the number of a stream."""
    command = ["bash", "-c", f'"$@" {closed}', "bash"]
    run = cli.argv("run", "--", "cat; echo out; echo err >&2; exit 3")
    done = subprocess.run([*command, *run], cwd=cli.cwd, env=cli.environment(), capture_output=True, text=True)
    out = "" if ">&-" in closed.replace("2>&-", "") else "out\n"
    err = "" if "2>&-" in closed else "err\n"
    assert (done.returncode, done.stdout, done.stderr) == (3, out, err)
    kept = cli("log", "--jsonl", "--limit", "1").stdout.split('"operation_id":"')[1].split('"')[0]
    assert sorted(cli("logs", kept).stdout.split()) == ["err", "out"]
    assert cli("log", "--verify").returncode == 0


def test_a_traceback_is_there_only_for_those_who_debug(cli: Cli) -> None:
    done = cli("run", "--sandbox", "none-such", "--", "true")
    assert "Traceback" not in done.stderr
    debugged = cli("run", "--sandbox", "none-such", "--", "true", env={"LIMPET_DEBUG": "1"})
    assert "Traceback" in debugged.stderr
    assert debugged.returncode == done.returncode == 125
    assert debugged.stderr.splitlines()[-1] == done.stderr.strip()


@pytest.mark.parametrize("verb", ["run", "try"])
def test_what_could_not_be_started_is_a_result_as_well(cli: Cli, verb: str) -> None:
    done = cli(verb, "--json", "--sandbox", "none-such", "--", "true", env={"LIMPET_DEBUG": "1"})
    told = json.loads(done.stdout)
    assert (done.returncode, told["outcome"], told["ok"], told["changes"]) == (125, "not_started", False, None)
