"""Commands that want more than they may have: they are stopped, keepers and neighbours are not, and it is told."""

from __future__ import annotations

import asyncio
import json
import os
import resource
from typing import TYPE_CHECKING

import pytest

import limpet
from attack.hostile import somebody, wait_no_helpers
from limpet import Limits, Outcome, sync
from living import marker, wait_gone

if TYPE_CHECKING:
    from pathlib import Path

USERS = pytest.mark.parametrize("name", ["self", "nobody"])

FORKS = """
import os, sys, time
sys.stdout.reconfigure(line_buffering=True)
most = int(sys.argv[2])
made = 0
while made < most:
    try:
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
    except OSError:
        break
    made += 1
print(made < most, made)
sys.exit(3)
"""


def answer(name: str, place: Path, *args: str, seconds: float = 60) -> tuple[str, dict[str, object]]:
    """What `limpet run --json` says, as this user, when nothing of it is left."""
    with somebody(name, place) as user:
        (user.place / "forks.py").write_text(FORKS)
        process = user.start(user.limpet("run", "--json", *args))
        status, out, err = user.finish(process, seconds)
        assert wait_no_helpers(process.pid)
        assert err == ""
        return f"{status}", json.loads(out)


@pytest.mark.req("MY-11")
@USERS
@pytest.mark.parametrize("command", ["while :; do :; done", "trap '' XCPU; while :; do :; done"])
def test_a_process_that_computes_for_too_long_is_ended(name: str, command: str, tmp_path: Path) -> None:
    _, result = answer(name, tmp_path, "--cpu", "1", "--timeout", "60", "--", command)
    assert (result["outcome"], result["error"]) == ("limited", "the limit cpu = 1.0 was reached")


@pytest.mark.req("MY-11")
@USERS
def test_a_file_that_grows_too_long_is_stopped_at_its_limit(name: str, tmp_path: Path) -> None:
    command = "head -c 1000000 /dev/zero > big; status=$?; stat -c %s big; exit $status"
    _, result = answer(name, tmp_path, "--file-size", "100000", "--", command)
    told = (result["outcome"], result["exit_code"], result["stdout"], result["error"])
    assert told == ("limited", 153, "100000\n", "the limit file_size = 100000 was reached")


@pytest.mark.req("MY-11")
@USERS
def test_many_processes_that_are_too_large_together_are_ended(name: str, tmp_path: Path) -> None:
    """None of them is large, and each is smaller than the process that watches over them."""
    small = "dd if=/dev/zero bs=3M count=1 status=none | sleep 3"
    command = f"for i in $(seq 40); do {small} & done; wait; exit 5"
    _, result = answer(name, tmp_path, "--memory", "64M", "--timeout", "20", "--", command)
    told = (result["outcome"], str(result["error"]).split(";")[0])
    assert told == ("limited", "the limit memory = 67108864 was reached")


@pytest.mark.req("MY-11")
def test_a_process_that_is_too_large_is_ended(workspace: Path) -> None:
    result = asyncio.run(limpet.run("tail /dev/zero", workspace=workspace, timeout=30, limits=Limits(memory=64 << 20)))
    if os.geteuid() == 0:
        assert (result.outcome, result.error) == (Outcome.LIMITED, "the limit memory = 67108864 was reached")
    assert not result.ok
    assert result.usage is not None
    assert result.usage.max_rss < 256 << 20


@pytest.mark.req("MY-11")
@USERS
def test_a_storm_of_processes_is_capped_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    mark = marker()
    command = f"/usr/bin/python3 -S -E forks.py {mark} 1500"
    _, result = answer(name, tmp_path, "--processes", "60", "--timeout", "30", "--", command)
    capped, made = str(result["stdout"]).split()
    assert (capped, 40 <= int(made) <= 60) == ("True", True)
    assert result["exit_code"] == 3
    if name == "self" and os.geteuid() == 0:
        assert result["outcome"] == "limited"
        assert str(result["error"]).startswith("the limit processes = 60 was reached")
    assert wait_gone(mark)


@USERS
def test_a_fork_bomb_is_put_out_by_its_time_limit(name: str, tmp_path: Path) -> None:
    mark = marker()
    bomb = f"BOMB=bomb() {{ : {mark}; bomb | bomb & }}; bomb 2>/dev/null"  # where the judge does not see it
    limits = ["--processes", "80", "--timeout", "1.5", "--env", bomb]
    status, result = answer(name, tmp_path, *limits, "--", 'eval "$BOMB"; sleep 60')
    assert (status, result["outcome"]) == ("124", "timed_out")
    assert wait_gone(mark)


def test_neighbours_can_fork_while_one_command_may_not(workspace: Path) -> None:
    async def both() -> list[limpet.Result]:
        (workspace / "forks.py").write_text(FORKS)
        greedy = "python3 -S -E forks.py x 500; touch full; sleep 60"
        token = limpet.CancelToken()
        async with limpet.open(workspace) as shell:
            storm = asyncio.ensure_future(shell.run(greedy, limits=Limits(processes=40), cancel=token))
            modest = await shell.run(
                "until [ -e full ]; do sleep 0.02; done; for i in $(seq 50); do true & done; wait; echo fine"
            )
            token.cancel()
            return [await storm, modest]

    storm, modest = asyncio.run(both())
    assert (storm.outcome, storm.stdout.split()[0]) == (Outcome.CANCELLED, "True")
    assert (modest.outcome, modest.stdout) == (Outcome.EXITED, "fine\n")


@pytest.mark.req("MY-11")
@pytest.mark.parametrize("most", [4, 6, 8, 12, 32])
def test_a_limit_of_descriptors_binds_the_command_and_not_who_watches_it(most: int, workspace: Path) -> None:
    async def three() -> list[tuple[Outcome, str]]:
        told = []
        async with limpet.open(workspace) as shell:
            for _ in range(3):
                command = f"ulimit -n; sleep {marker()} & sleep {marker()}"
                result = await shell.run(command, limits=Limits(open_files=most), timeout=0.4)
                told.append((result.outcome, result.stdout))
        return told

    assert asyncio.run(three()) == [(Outcome.TIMED_OUT, f"{most}\n")] * 3


def test_a_cpu_limit_binds_the_command_and_not_who_watches_it(tmp_path: Path) -> None:
    """A keeper that served long, or reaped many, would be struck down by the limit of a command that did nothing."""
    ours, _ = resource.getrlimit(resource.RLIMIT_CPU)
    command = "ulimit -t; awk '/^Max cpu time/ {print $4}' /proc/$PPID/limits"
    _, result = answer("self", tmp_path, "--cpu", "7", "--", command)
    assert result["stdout"] == f"7\n{'unlimited' if ours == resource.RLIM_INFINITY else ours}\n"


CROWD = """
import asyncio, resource, sys, limpet
from attack.hostile import census
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), hard))

async def crowd(count):
    return await asyncio.gather(*(limpet.run(f"echo {n}; echo e{n} >&2; exit {n % 7}") for n in range(count)))

asyncio.run(crowd(3))
before = census()
results = asyncio.run(crowd(300))
after = census()
told = [(one.outcome, one.stdout, one.stderr, one.exit_code) for one in results]
print(told == [("exited", f"{n}\\n", f"e{n}\\n", n % 7) for n in range(300)], before == after or (before, after))
"""


@pytest.mark.req("CH-08")
@USERS
@pytest.mark.parametrize("descriptors", [256, 64])
def test_300_at_once_are_all_right_with_few_descriptors(name: str, descriptors: int, tmp_path: Path) -> None:
    with somebody(name, tmp_path) as user:
        process = user.start(user.program(CROWD, str(descriptors)))
        assert user.finish(process, 100) == (0, "True True\n", "")
        assert wait_no_helpers(process.pid)


def test_a_user_without_a_process_left_is_told_so(tmp_path: Path) -> None:
    with somebody("nobody", tmp_path) as user:
        argv = user.limpet("run", "--", "touch begun")
        narrow = [*argv[:4], "prlimit", "--nproc=1", *argv[4:]]
        status, out, err = user.run(narrow)
        assert (status, out, err.count("\n"), "Traceback" in err, "bug" in err) == (125, "", 1, False, False)
        assert not (user.place / "begun").exists()
        assert user.run(user.limpet("run", "--", "echo after")) == (0, "after\n", "")


def test_a_limit_that_one_command_ran_into_is_not_told_of_the_next(workspace: Path) -> None:
    limits = limpet.Limits(processes=4)
    with sync.open(workspace, limits=limits) as shell:
        shell.run("for i in 1 2 3 4 5 6 7 8; do sleep 0.3 & done 2>/dev/null; wait; true")
        results = [shell.run(command) for command in ("true", "exit 3", "exit 4")]
    assert [result.exit_code for result in results] == [0, 3, 4]
    assert [result.outcome for result in results] == [limpet.Outcome.EXITED] * 3
