"""Commands, folders and numbers that make no sense, or more sense than expected."""

from __future__ import annotations

import asyncio
import math
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from limpet import sync
from limpet.logs import StoredLog

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli
    from limpet.tool import ToolAnswer

HUGE = 10**400
"""More than a float can be."""


def refused(workspace: Path, command: Any = "touch ran", **options: Any) -> str:
    """The words of a refusal; fails when anything was run, or when it was not limpet that refused."""
    with pytest.raises(limpet.InvalidRequestError) as caught:
        sync.run(command, workspace=workspace, **options)
    assert not (workspace / "ran").exists()
    return str(caught.value)


def by_bash(script: bytes, cwd: Path) -> tuple[int, bytes]:
    """What bash itself says to the same text."""
    argv: list[str | bytes] = ["bash", "-c", "--", script]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, cwd=cwd, timeout=30)
    return done.returncode, done.stdout


@pytest.mark.req("TK-05")
@pytest.mark.parametrize("text", ["", " ", "\n\t \r\n", "\u2003\u00a0"])
def test_a_blank_command_is_refused(text: str, workspace: Path) -> None:
    assert refused(workspace, text) == "the command is empty: nothing to run"


@pytest.mark.req("TK-05")
def test_a_blank_command_is_wrong_usage_however_it_is_given(cli: Cli, workspace: Path) -> None:
    (workspace / "blank").write_text("\n \n")
    ways = [cli("run", "--", ""), cli("run", "--file", "blank"), cli("run", "--file", "-", stdin=" \n")]
    said = "limpet: the command is empty: nothing to run\n"
    assert [(done.returncode, done.stdout, done.stderr) for done in ways] == [(2, "", said)] * 3


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("touch ran\0", "the command has a NUL character at position 9: no shell can take it"),
        ("touch ran\ud800", "the command holds a lone surrogate at position 9, which is no character"),
        (None, "the command must be a string, not NoneType"),
        (b"touch ran", "the command must be a string, not bytes"),
        (["touch", "ran"], "the command must be a string, not list"),
        (
            "touch ran #" + "x" * (32 << 20),
            "the command is longer than 33,554,432 bytes (run.max_command): put it in a file and run that",
        ),
    ],
    ids=["NUL", "surrogate", "None", "bytes", "list", "33 MB"],
)
def test_what_is_no_command_is_refused(command: object, said: str, workspace: Path) -> None:
    assert refused(workspace, command) == said


def test_a_file_with_a_nul_is_refused_and_one_that_is_not_there_is_wrong_usage(cli: Cli, workspace: Path) -> None:
    (workspace / "nul").write_bytes(b"touch ran\0")
    (workspace / "folder").mkdir()
    ways = [cli("run", "--file", name) for name in ("nul", "missing", "folder")] + [cli("run"), cli("run", "--file")]
    assert [(done.returncode, done.stdout, "bug" in done.stderr, done.stderr != "") for done in ways] == [
        (2, "", False, True)
    ] * 5
    assert not (workspace / "ran").exists()


@pytest.mark.parametrize(
    "script",
    [
        b"# only a comment",
        b"# one\n\n   # two\n",
        b"echo a\r\necho b\r\n",
        b"\xef\xbb\xbfecho marked\n",
        b"-x",
        b"--version",
        b"-",
        b"--",
        b"+x",
        b"!",
        b"echo '\xff\xfe'",
        b'echo $0 $# "$-" >/dev/null; echo $BASHPID >/dev/null; echo ok',
        b"cat <<END\nno end",
        b"echo 'unclosed",
        b"exit 300",
        b"false; (exit 77)",
        b"echo a \\\n  b",
        b":" + b" x" * 59_000,
    ],
)
def test_a_command_does_what_it_does_in_bash(script: bytes, workspace: Path) -> None:
    result = sync.run(os.fsdecode(script), workspace=workspace)
    printed = b"".join(StoredLog(result.operation_id).read(stream="stdout")) if result.stdout_bytes else b""
    assert (result.exit_code, printed) == by_bash(script, workspace)


@pytest.mark.req("TK-01")
@pytest.mark.parametrize(
    ("size", "way"),
    [
        (119_999, "file"),
        (120_000, "file"),
        (120_001, "file"),
        (131_072, "file"),
        (3_000_000, "file"),
        (3_000_000, "stdin"),
        (20_000_000, "stdin"),
        (32 << 20, "file"),
    ],
)
def test_a_script_of_any_length_is_run(size: int, way: str, cli: Cli, workspace: Path) -> None:
    end = b"\necho \xff end ${#BASH_EXECUTION_STRING} $((6 * 7)); exit 3\n"
    script = b"echo start\n#" + b"x" * (size - len(end) - 12) + end
    (workspace / "script").write_bytes(script)
    given = ("--file", "script") if way == "file" else ("--file", "-")
    done = cli.raw("run", *given, stdin=script if way == "stdin" else b"", timeout=60)
    assert (done.returncode, done.stdout.split()[:3], done.stdout.split()[-1], done.stderr) == (
        3, [b"start", b"\xff", b"end"], b"42", b"",
    )  # fmt: skip


def test_a_long_script_finds_no_descriptor_that_a_short_one_does_not(workspace: Path) -> None:
    look = "ls /proc/self/fd"
    short, long = (sync.run(text, workspace=workspace) for text in (look, f"#{'x' * 200_000}\n{look}"))
    assert (short.stdout, long.stdout) == ("0\n1\n2\n3\n",) * 2  # 3 is what ls itself reads


@pytest.mark.parametrize(
    "words", [("echo", "a b", "$HOME"), ("printf", "%s|", "-n", "--", "'", "\n"), ("-x",), ("--", "echo", "a;b")]
)
def test_several_words_are_taken_literally(words: tuple[str, ...], cli: Cli) -> None:
    done = cli("run", "--", *words)
    bash = subprocess.run(["bash", "-c", "--", limpet.join(*words)], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout) == (bash.returncode, bash.stdout)


@pytest.mark.req("TU-02")
@pytest.mark.parametrize(
    "timeout", [0, -1, math.nan, math.inf, -math.inf, 1e308, 10**18, pytest.param(HUGE, id="10**400"), 0.0009, 600.1]
)
def test_a_time_limit_out_of_range_is_refused(timeout: float, workspace: Path) -> None:
    assert refused(workspace, timeout=timeout).startswith("timeout must be between 0.001 and 600 seconds")


@pytest.mark.parametrize("timeout", ["abc", "5", True, [1], 1j])
def test_a_time_limit_that_is_no_number_is_refused(timeout: object, workspace: Path) -> None:
    assert refused(workspace, timeout=timeout) == f"timeout must be a number of seconds or None, not {timeout!r}"


@pytest.mark.parametrize("text", ["0", "nan", "1e400", "abc", "", "10" * 200])
def test_the_command_line_refuses_such_time_limits_as_wrong_usage(text: str, cli: Cli, workspace: Path) -> None:
    done = cli("run", f"--timeout={text}", "--", "touch ran")
    assert (done.returncode, done.stdout, (workspace / "ran").exists()) == (2, "", False)
    assert ("timeout" in done.stderr, "bug" in done.stderr) == (True, False)


@pytest.mark.parametrize(
    "options",
    [
        {"max_output": -1},
        {"max_output": "5"},
        {"truncate": "sideways"},
        {"stdin": 3},
        {"description": 3},
        {"limits": {"cpu": 1}},
        pytest.param({"limits": limpet.Limits(cpu=HUGE)}, id="cpu 10**400"),
        {"limits": limpet.Limits(memory=0)},
        {"require": 3},
        {"require": ("everything",)},
        {"agent": 3},
        {"caller": b"x"},
        {"profile": 3},
        {"network": "maybe"},
        {"empty_env": "no"},
    ],
    ids=str,
)
def test_an_option_of_the_wrong_kind_is_refused(options: dict[str, Any], workspace: Path) -> None:
    assert refused(workspace, **options) != ""


@pytest.mark.parametrize("limit", ["cpu", "memory", "processes", "file_size", "open_files", "output_disk"])
def test_a_limit_beyond_what_the_kernel_can_count_is_refused_or_is_no_limit(limit: str, workspace: Path) -> None:
    try:
        result = sync.run("echo hi", workspace=workspace, limits=limpet.Limits(**{limit: 10**30}))
    except limpet.InvalidRequestError:
        return
    assert (result.outcome, result.stdout, result.error) == ("exited", "hi\n", None)


def test_a_tool_call_with_a_number_beyond_all_bounds_is_answered(workspace: Path) -> None:
    async def call() -> ToolAnswer | None:
        async with limpet.open(workspace) as shell:
            return await limpet.BashTool(shell).call("bash", {"command": "touch ran", "timeout": HUGE})

    answer = asyncio.run(call())
    assert answer is not None
    assert (answer.is_error, answer.data["success"], (workspace / "ran").exists()) == (True, False, False)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_a_stream_that_limpet_was_started_without_changes_nothing_for_the_command(
    closed: str, form: tuple[str, ...], cli: Cli, workspace: Path
) -> None:
    command = "echo out; echo err >&2; cat; ls /proc/$$/fd > ran; exit 3"
    argv = ["bash", "-c", f'"$@" {closed}', "-", *cli.argv("run", *form, "--", command)]
    done = subprocess.run(argv, capture_output=True, cwd=workspace, env=cli.environment(), timeout=30)
    assert (done.returncode, (workspace / "ran").read_text()) == (3, "0\n1\n2\n")
    assert b"bug in limpet" not in done.stdout + done.stderr


def test_a_command_from_a_stdin_that_is_closed_is_wrong_usage_in_plain_words(cli: Cli, workspace: Path) -> None:
    argv = ["bash", "-c", '"$@" <&-', "-", *cli.argv("run", "--file", "-")]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=workspace, env=cli.environment(), timeout=30)
    assert (done.returncode, done.stdout, "bug in limpet" in done.stderr) == (2, "", False)


def test_an_answer_that_cannot_be_written_is_told_on_stderr(cli: Cli, workspace: Path) -> None:
    for form in ((), ("--json",)):
        with open("/dev/full", "wb") as full:
            argv = cli.argv("run", *form, "--", "echo hi")
            done = subprocess.run(
                argv, stdout=full, stderr=subprocess.PIPE, text=True, cwd=workspace, env=cli.environment(), timeout=30
            )
        assert (done.returncode, done.stderr.count("\n"), "No space left" in done.stderr) == (125, 1, True)
