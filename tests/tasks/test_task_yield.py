"""A run that comes back before its command is over, which goes on as a task."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from limpet.tasks.store import Tasks
from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from commandline import Cli


def test_what_is_over_in_time_is_an_ordinary_result_and_no_task(workspace: Path) -> None:
    shell = sync.open(workspace)
    plain, result = shell.run("echo hi; exit 3"), shell.run("echo hi; exit 3", yield_after=30)
    assert (result.outcome, result.exit_code, result.stdout, result.task_id) == ("exited", 3, "hi\n", None)
    assert (result.command, result.decision) == (plain.command, plain.decision)
    assert shell.run("true", yield_after=30).output_file is None
    assert shell.tasks() == []
    with shell.finished_tasks() as told:
        assert told == []


def test_of_a_run_that_never_became_a_task_only_what_it_printed_is_kept_and_not_for_ever(workspace: Path) -> None:
    place = Path(os.environ["LIMPET_STATE_DIR"], "tasks")
    with sync.open(workspace) as shell:
        shell.run("true", yield_after=30)
        wait_for(lambda: [name for name in os.listdir(place) if name.startswith("t")] == [])
        printed = shell.run("echo hi", yield_after=30)
        assert printed.output_file is not None
        kept = Path(printed.output_file)
        wait_for(lambda: not (kept.parent / "answer.json").exists())
    assert (kept.read_text(), shell.tasks()) == ("hi\n", [])
    Tasks(str(place.parent)).prune(keep_days=7, keep_bytes=10**9, now=time.time() + 8 * 86_400)
    assert not kept.parent.exists()


def test_what_takes_longer_goes_on_as_a_task_with_its_output_so_far(workspace: Path) -> None:
    shell = sync.open(workspace)
    os.mkfifo(workspace / "go")
    result = shell.run("echo begun; read -r x < go; echo $x; exit 4", yield_after=1.0)
    assert (result.outcome, result.ok, result.exit_code, result.stdout) == ("running", False, None, "begun\n")
    assert result.task_id is not None
    assert (result.task_id in (result.error or ""), result.output_file is not None) == (True, True)
    task = shell.task(result.task_id)
    assert [one.id for one in shell.tasks()] == [task.id]
    (workspace / "go").write_text("on\n")
    over = task.wait(30)
    assert (over.exit_code, over.stdout, over.task_id) == (4, "begun\non\n", task.id)
    with shell.finished_tasks() as told:
        assert [one.id for one in told] == [task.id]


def test_whoever_looks_on_decides_when_it_goes_on_by_itself(workspace: Path) -> None:
    async def tour() -> limpet.Result:
        patience = limpet.Patience(600)
        async with limpet.open(workspace) as shell:
            run = asyncio.ensure_future(
                shell.run("echo begun; read -r x; echo $x", terminal=True, yield_after=patience)
            )
            while patience.task is None or patience.task.status().status is not limpet.TaskState.WAITING:
                await asyncio.sleep(0.01)
            assert shell.tasks() == []  # as long as it is waited for
            patience.end()
            assert (await run).outcome is limpet.Outcome.RUNNING
            await patience.task.send("on\n")
            return await patience.task.wait(30)

    assert asyncio.run(tour()).stdout.replace("\r", "").split() == ["begun", "on", "on"]


@pytest.mark.req("MY-04")
def test_a_time_limit_may_mean_the_background_instead_of_the_end(workspace: Path) -> None:
    shell = sync.open(workspace, settings={"run.on_timeout": "background"})
    result = shell.run("echo begun; sleep 1.5; exit 6", timeout=1.0)
    assert (result.outcome, result.stdout) == ("running", "begun\n")
    over = shell.task(result.task_id or "").wait(30)
    assert (over.outcome, over.exit_code) == ("exited", 6)
    assert shell.run("exit 2", timeout=30).exit_code == 2


def test_until_it_is_a_task_it_ends_with_its_caller(cli: Cli) -> None:
    mark = marker()
    script = f"import limpet.sync as s; s.run('sleep {mark}', yield_after=60)"
    client = subprocess.Popen([sys.executable, "-c", script], cwd=cli.cwd, env=cli.environment())
    wait_for(lambda: sleeping(mark), 20)
    client.send_signal(signal.SIGKILL)
    client.wait()
    assert wait_gone(mark)
    assert json.loads(cli("tasks", "--json").stdout) == []


FORKING = """
import os, sys, threading, time, limpet.sync as s
threading.Thread(target=s.run, args=sys.argv[1:], kwargs={"yield_after": 60}, daemon=True).start()
sys.stdin.readline()
if os.fork() == 0:
    sys.stdin.readline()
    os._exit(0)
print("forked", flush=True)
time.sleep(60)
"""


def test_it_ends_with_its_caller_also_where_a_child_of_the_caller_lives_on(cli: Cli) -> None:
    mark = marker()
    argv = [sys.executable, "-c", FORKING, f"sleep {mark}"]
    with subprocess.Popen(
        argv, cwd=cli.cwd, env=cli.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        wait_for(lambda: sleeping(mark), 20)
        client.stdin.write(b"\n")
        client.stdin.flush()
        assert client.stdout.readline() == b"forked\n"
        client.send_signal(signal.SIGKILL)
        wait_for(lambda: not sleeping(mark))


def test_it_can_be_cancelled_like_any_other_run(workspace: Path) -> None:
    mark = marker()
    token = limpet.CancelToken()

    async def cancelled() -> limpet.Result:
        async with limpet.open(workspace) as shell:
            run = asyncio.ensure_future(shell.run(f"echo hi; sleep {mark}", yield_after=60, cancel=token))
            while not sleeping(mark):
                await asyncio.sleep(0.02)
            assert len(shell.running()) == 1
            token.cancel()
            return await run

    result = asyncio.run(cancelled())
    assert (result.outcome, result.stdout, result.task_id) == ("cancelled", "hi\n", None)
    assert wait_gone(mark)


def test_when_its_own_task_is_cancelled_nothing_is_left_of_it(workspace: Path) -> None:
    marks = [marker(), marker()]

    async def both() -> None:
        async with limpet.open(workspace) as shell:
            run = asyncio.ensure_future(shell.run(f"sleep {marks[0]}", yield_after=60))
            while not sleeping(marks[0]):
                await asyncio.sleep(0.02)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            assert wait_gone(marks[0], 0.0)
            for delay in (0.0, 0.005, 0.05, 0.15):
                start = asyncio.ensure_future(shell.start(f"sleep {marks[1]}"))
                await asyncio.sleep(delay)
                if start.cancel():
                    with pytest.raises(asyncio.CancelledError):
                        await start
                else:  # it was quicker
                    await start.result().stop()
                assert wait_gone(marks[1], 0.0)

    asyncio.run(both())


@pytest.mark.parametrize("bad", [-1, float("nan"), True, "2", 10**12])
def test_a_patience_that_makes_no_sense_is_refused(bad: object, workspace: Path) -> None:
    with pytest.raises(limpet.InvalidRequestError, match="yield_after"):
        sync.open(workspace).run("touch ran", yield_after=bad)  # type: ignore[arg-type]  # that is the point
    assert not (workspace / "ran").exists()


def test_what_is_denied_is_an_answer_at_once(workspace: Path) -> None:
    result = sync.open(workspace, profile="workspace").run("rm -rf /", yield_after=5)
    assert (result.outcome, result.task_id) == ("denied", None)


def test_runs_one_after_the_other_share_a_holder_and_a_killed_one_is_replaced(workspace: Path) -> None:
    shell = sync.open(workspace)
    holders = set()
    for turn in range(4):
        result = shell.run(f"echo {turn}; exit {turn}", yield_after=30)
        assert (result.exit_code, result.stdout) == (turn, f"{turn}\n")
        holders.add(holder_of(result))
    assert len(holders) == 1
    os.kill(holders.pop(), signal.SIGKILL)
    assert shell.run("echo again", yield_after=30).stdout == "again\n"


def test_a_run_that_yields_keeps_its_holder_to_itself(workspace: Path) -> None:
    shell = sync.open(workspace)
    first = shell.run("sleep 60", yield_after=0.1)
    second = shell.run("echo hi", yield_after=30)
    assert (first.outcome, second.stdout) == ("running", "hi\n")
    task = shell.task(first.task_id or "")
    assert task.status().holder != holder_of(second)
    assert task.stop(now=True).outcome == "cancelled"


def holder_of(result: limpet.Result) -> int:
    """Who held a run that is over."""
    assert result.output_file is not None
    return int(json.loads((Path(result.output_file).parent / "status.json").read_text())["holder"]["pid"])
