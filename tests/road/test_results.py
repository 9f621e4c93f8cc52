"""What a result says, and when it becomes an exception."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import msgspec
import pytest

import limpet
from limpet import Limits, Outcome, Result, sync

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("TK-12", "CH-05", "MY-02", "ZE-23")
def test_a_result_has_every_field_of_the_contract(workspace: Path) -> None:
    result = sync.run("echo hi", workspace=workspace)
    contract = """
        command outcome ok exit_code signal stdout stderr output timed_out cancelled truncated duration_ms operation_id
        cwd output_file task_id decision guarantees usage withheld_env changes hint error
    """
    names = contract.split()
    assert set(names) <= set(msgspec.to_builtins(result))
    assert (result.command, result.cwd, result.tool) == ("echo hi", str(workspace), "bash")


@pytest.mark.req("TK-12")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGABRT, signal.SIGUSR1])
def test_death_by_signal_is_told_apart_from_an_exit_code(workspace: Path, number: signal.Signals) -> None:
    killed = sync.run(f"kill -{number.value} $$", workspace=workspace)
    exited = sync.run(f"exit {128 + number}", workspace=workspace)
    assert (killed.outcome, killed.exit_code, killed.signal) == (Outcome.SIGNALLED, None, number.name)
    assert (exited.outcome, exited.exit_code, exited.signal) == (Outcome.EXITED, 128 + number, None)


@pytest.mark.req("TK-13")
def test_check_raises_with_exit_code_and_stderr(workspace: Path) -> None:
    with pytest.raises(limpet.CommandFailedError, match="exit 3: no luck") as caught:
        sync.run("echo no luck >&2; exit 3", workspace=workspace, check=True)
    assert (caught.value.exit_code, caught.value.stderr) == (3, "no luck\n")
    assert sync.run("true", workspace=workspace, check=True).ok


@pytest.mark.req("TK-13", "ZE-17", "TU-08")
def test_a_time_out_raises_its_own_error_with_the_seconds(workspace: Path) -> None:
    with pytest.raises(limpet.CommandTimedOutError, match=r"timed out after 0\.2 s"):
        sync.run("sleep 1000", workspace=workspace, check=True, timeout=0.2)


def test_the_result_says_how_it_was_judged_and_that_nothing_was_contained(workspace: Path) -> None:
    result = sync.run("true", workspace=workspace)
    assert result.decision is not None
    assert result.guarantees is not None
    assert (result.decision.verdict, result.decision.reasons) == (limpet.Verdict.ALLOW, ())
    assert [command.argv for command in result.decision.commands] == [("true",)]
    assert result.decision.containment == "none"
    assert (result.guarantees.level, result.guarantees.network, result.guarantees.tree_owned) == ("bare", "open", True)
    assert "not contained" in result.guarantees.notes[0]


def test_what_was_left_running_is_named(workspace: Path) -> None:
    result = sync.run("sleep 1000 & echo $!", workspace=workspace)
    assert result.ok
    assert result.error == f"still running when the shell had exited, and ended: sleep ({result.stdout.strip()})"


@pytest.mark.req("MY-11")
def test_a_broken_limit_is_named(workspace: Path) -> None:
    result = sync.run("while :; do :; done", workspace=workspace, limits=Limits(cpu=1))
    assert (result.outcome, result.ok) == (Outcome.LIMITED, False)
    assert "the limit cpu = 1 was reached" in (result.error or "")
    assert result.usage is not None
    assert result.usage.cpu_user + result.usage.cpu_system > 0.5  # the kernel counts in ticks


@pytest.mark.req("ZE-18", "TU-13")
@pytest.mark.parametrize(
    ("command", "code", "word"),
    [
        ("no-such-program-at-all", 127, "not installed"),
        ("./numbers.txt", 126, "cannot be executed"),
        ("cat no-such-file", 1, "does not exist"),
    ],
)
def test_common_failures_get_a_labelled_guess(workspace: Path, command: str, code: int, word: str) -> None:
    result = sync.run(command, workspace=workspace)
    assert result.exit_code == code
    assert (result.hint or "").startswith("guess: ")
    assert word in (result.hint or "").lower()


def test_results_travel_as_json_and_back(workspace: Path) -> None:
    result = sync.run("echo hi; exit 2", workspace=workspace)
    assert msgspec.json.decode(msgspec.json.encode(result), type=Result) == result


def test_an_output_that_reads_like_a_failure_is_only_output(workspace: Path) -> None:
    result = sync.run("echo '[error] timed out: Permission denied'", workspace=workspace)
    assert (result.ok, result.outcome, result.hint, result.error) == (True, Outcome.EXITED, None, None)
