"""Common failures get a guess; others speak for themselves."""

from __future__ import annotations

import pytest

from limpet.model.limits import Limits
from limpet.model.result import Outcome
from limpet.output.hints import hint

INSTALL = "is not installed or not in PATH; try `command -v NAME`, another tool, or installing it"
EXECUTE = "it was found but cannot be executed; try `chmod +x` on it, or name its interpreter (`bash FILE`)"
RIGHTS = "a file or directory may not be used that way; try `ls -l` on the path it names"
PATH = "a path does not exist from here; try `pwd` and `ls` to find the right one"
PORT = "another process has this port; try another port or stop that process"


@pytest.mark.req("ZE-18", "TU-13")
@pytest.mark.parametrize(
    ("exit_code", "stderr", "guess"),
    [
        (127, "bash: line 1: frobnicate: command not found\n", f"`frobnicate` {INSTALL}"),
        (127, "sh: 1: jq: not found\n", f"`jq` {INSTALL}"),
        (127, "", f"a command {INSTALL}"),
        (126, "bash: ./x: Permission denied\n", EXECUTE),
        (1, "cat: /root/x: Permission denied\n", RIGHTS),
        (1, "cat: nope: No such file or directory\n", PATH),
        (1, "dd: 'x': No space left on device\n", "the disk is full; try freeing space or writing elsewhere"),
        (1, "OSError: [Errno 98] Address already in use\n", PORT),
        (137, "", "it ran out of memory, or something else killed it; try with less work at a time"),
        (139, "", "it crashed (segmentation fault); try smaller input, or look for a bug in the program"),
        (141, "", "the reader of a pipe closed early; try without `head` or the like if all output is needed"),
        (143, "", "a process of it was ended by SIGTERM; try again if that was not intended"),
    ],
)
def test_common_failures_are_explained(exit_code: int, stderr: str, guess: str) -> None:
    assert hint(outcome=Outcome.EXITED, exit_code=exit_code, stderr=stderr) == f"guess: {guess}"


@pytest.mark.req("ZE-18", "TU-13")
@pytest.mark.parametrize(
    ("exit_code", "stderr"),
    [
        (0, "cat: nope: No such file or directory\n"),
        (1, "AssertionError: 1 != 2\n"),
        (2, ""),
        (128, "fatal: not a git repository\n"),
        (255, ""),
    ],
)
def test_other_failures_pass_as_they_are(exit_code: int, stderr: str) -> None:
    assert hint(outcome=Outcome.EXITED, exit_code=exit_code, stderr=stderr) is None


@pytest.mark.req("ZE-18")
@pytest.mark.parametrize(
    "outcome",
    [
        Outcome.DENIED,
        Outcome.NEEDS_APPROVAL,
        Outcome.TIMED_OUT,
        Outcome.CANCELLED,
        Outcome.NOT_STARTED,
        Outcome.LIMITED,
    ],
)
def test_what_limpet_itself_ended_needs_no_guess(outcome: Outcome) -> None:
    assert hint(outcome=outcome, exit_code=None, signal="SIGKILL", stderr="Permission denied") is None


@pytest.mark.parametrize(
    ("exit_code", "signal", "stderr"),
    [
        (None, "SIGKILL", ""),
        (137, None, "Killed\n"),
        (1, None, "Traceback:\nMemoryError\n"),
        (1, None, "fork: Cannot allocate memory\n"),
    ],
)
def test_a_memory_limit_is_blamed_when_there_is_one(exit_code: int | None, signal: str | None, stderr: str) -> None:
    outcome = Outcome.SIGNALLED if signal else Outcome.EXITED
    said = hint(outcome=outcome, exit_code=exit_code, signal=signal, stderr=stderr, limits=Limits(memory=512 << 20))
    assert (
        said
        == "guess: it needed more memory than its limit of 512 MiB; try a higher memory limit or less work at a time"
    )


def test_a_long_stderr_is_searched_at_its_end_only() -> None:
    noise = "x: No such file or directory\n" + "warning\n" * 1000
    assert hint(outcome=Outcome.EXITED, exit_code=1, stderr=noise) is None
