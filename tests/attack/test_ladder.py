"""The way from a time limit to a dead tree: TERM, a moment, KILL; whatever state command and client are in."""

from __future__ import annotations

import asyncio
import collections
import json
import signal
from typing import TYPE_CHECKING

import pytest

import limpet
from attack.hostile import ended, somebody, wait_no_helpers
from limpet import Outcome, sync
from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path

DEAF = {
    "the shell": "trap '' TERM INT HUP QUIT; echo ready; while :; do sleep {mark}; done",
    "a child": "(trap '' TERM INT HUP QUIT; echo ready; exec sleep {mark}); sleep {mark}",
    "a child of another session": "setsid bash -c \"trap '' TERM; echo ready; sleep {mark}; :\"; sleep {mark}",
    "the shell, stopped": "echo ready; sleep {mark} & kill -STOP $$; sleep {mark}",
    "a child, stopped": "echo ready; bash -c 'kill -STOP $$; sleep {mark}'; sleep {mark}",
    "a deaf child, stopped": "trap '' TERM; echo ready; bash -c 'kill -STOP $$; sleep {mark}'; sleep {mark}",
    "all of them, stopped": "echo ready; (sleep {mark} & kill -STOP 0)",
}


@pytest.mark.req("CH-03")
@pytest.mark.parametrize("who", DEAF)
def test_what_does_not_hear_is_killed_and_what_it_said_is_kept(who: str, workspace: Path) -> None:
    mark = marker()
    result = sync.run(DEAF[who].format(mark=mark), workspace=workspace, timeout=0.5)
    told = (result.outcome, result.timed_out, result.exit_code, result.stdout, result.stderr)
    assert told == (Outcome.TIMED_OUT, True, None, "ready\n", "")
    assert wait_gone(mark, 0)
    assert result.duration_ms < 20_000


@pytest.mark.req("CH-03")
def test_a_handler_that_takes_its_time_has_its_last_words_and_its_status(workspace: Path) -> None:
    command = "trap 'sleep 0.5; echo bye; exit 7' TERM; echo ready; while :; do sleep 0.05; done"
    result = sync.run(command, workspace=workspace, timeout=0.5)
    told = (result.outcome, result.exit_code, result.signal, result.stdout)
    assert told == (Outcome.TIMED_OUT, 7, None, "ready\nbye\n")


def test_a_stopped_child_is_let_go_on_to_end_as_it_wants(workspace: Path) -> None:
    handler = "trap 'echo heard; exit 0' TERM; kill -STOP $$; while :; do sleep 0.05; done"
    result = sync.run(f'bash -c "{handler.replace("$", chr(92) + "$")}"', workspace=workspace, timeout=0.5)
    assert (result.outcome, result.stdout) == (Outcome.TIMED_OUT, "heard\n")


def test_a_blocked_event_loop_does_not_give_the_command_more_time(workspace: Path) -> None:
    async def blocked() -> limpet.Result:
        mark = marker()
        run = asyncio.ensure_future(limpet.run(f"echo ready; sleep {mark}", workspace=workspace, timeout=1))
        while not sleeping(mark):
            await asyncio.sleep(0.01)
        wait_gone(mark, 20)  # in the thread of the loop: nothing else in this process runs meanwhile
        assert not run.done()
        return await run

    result = asyncio.run(blocked())
    assert (result.outcome, result.stdout) == (Outcome.TIMED_OUT, "ready\n")


def test_a_stopped_client_does_not_give_the_command_more_time(tmp_path: Path) -> None:
    mark = marker()
    with somebody("self", tmp_path) as user:
        argv = user.limpet("run", "--json", "--timeout", "1", "--", f"setsid sleep {mark} & echo ready; sleep {mark}")
        with ended(user.start(argv)) as process:
            wait_for(lambda: len(sleeping(mark)) == 2, 20)
            process.send_signal(signal.SIGSTOP)
            wait_gone_but(mark, process.pid)
            process.send_signal(signal.SIGCONT)
            out, err = process.communicate(timeout=20)
    result = json.loads(out)
    told = (process.returncode, err, result["outcome"], result["stdout"])
    assert told == (124, "", "timed_out", "ready\n")
    assert result["duration_ms"] >= 1000


def wait_gone_but(mark: str, client: int) -> None:
    wait_for(lambda: not sleeping(mark), 20)
    assert wait_for(lambda: client not in sleeping(mark), 1)


@pytest.mark.req("ZE-17")
def test_a_command_that_ends_at_its_limit_has_exactly_one_end(workspace: Path) -> None:
    async def close_ones() -> list[limpet.Result]:
        async with limpet.open(workspace, settings={"run.parallel": 4}) as shell:
            runs = [shell.run(f"sleep {0.02 + n * 0.0002:.4f}; echo over", timeout=0.04) for n in range(200)]
            return await asyncio.gather(*runs)

    kinds = collections.Counter(
        (one.outcome, one.timed_out, one.ok, one.exit_code == 0 and one.stdout == "over\n")
        for one in asyncio.run(close_ones())
    )
    complete, late = (Outcome.EXITED, False, True, True), (Outcome.TIMED_OUT, True, False, False)
    too_late = (Outcome.TIMED_OUT, True, False, True)  # it had ended well when its end was asked for
    assert set(kinds) <= {complete, late, too_late}
    assert min(kinds[complete], kinds[late]) > 0


ODD = """
import os, signal, limpet
from limpet import sync
kept = {*range(1, 65)} - {9, 19, 32, 33}
for number in kept - {2}: signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, kept)
os.umask(0o137)
os.nice(3)
for n in range(3):
    result = sync.run("umask; cat /proc/self/status; trap; (exit 9); exit 7")
    umask, *lines = result.stdout.splitlines()
    masks = dict(line.split(":") for line in lines)
    kept = {int(masks[f"Sig{name}"], 16) & ~(3 << 31) for name in ("Blk", "Ign", "Cgt")}  # 32, 33: the C library's
    print(result.outcome, result.exit_code, umask, kept)
result = sync.run("sleep 60", timeout=0.3)
print(result.outcome, result.exit_code, result.signal)
"""


def test_a_client_with_odd_habits_gets_true_answers_and_hands_none_of_them_on(tmp_path: Path) -> None:
    with somebody("self", tmp_path) as user:
        status, out, err = user.run(user.program(ODD))
    assert (status, err) == (0, "")
    assert out == "exited 7 0137 {0}\n" * 3 + "timed_out None SIGTERM\n"


UMASK = """
import os
from limpet import sync
for umask in (0o022, 0o077, 0o002):
    os.umask(umask)
    print(sync.run("umask").stdout.strip())
"""


def test_the_umask_is_the_one_of_the_moment(tmp_path: Path) -> None:
    with somebody("self", tmp_path) as user:
        assert user.run(user.program(UMASK)) == (0, "0022\n0077\n0002\n", "")


THREADS = """
import asyncio, threading, limpet
def one(answers):
    answers.append(asyncio.run(limpet.run("sleep 0.2; echo lived")).stdout)
def starting(answers):
    thread = threading.Thread(target=one, args=(answers,))
    thread.start()
    thread.join()
answers = []
for n in range(3):  # what the first thread started serves the others, and it is gone by then
    starting(answers)
print(answers)
"""


def test_a_thread_that_ends_takes_nothing_with_it(tmp_path: Path) -> None:
    with somebody("self", tmp_path) as user:
        assert user.run(user.program(THREADS)) == (0, f"{['lived' + chr(10)] * 3}\n", "")


HIGH = """
import os, resource
from limpet import sync
os.dup2(os.open("secret", os.O_RDONLY), 500, inheritable=True)
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
print(sync.run("ls /proc/self/fd | xargs; cat <&500").stdout)
"""


def test_a_descriptor_above_the_limit_of_descriptors_is_not_handed_on(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hidden")
    with somebody("self", tmp_path) as user:
        assert user.run(user.program(HIGH)) == (0, "0 1 2 3\n\n", "")


LEAVING = """
import os, sys, threading, time
from attack.hostile import helpers
from limpet import sync
from living import sleeping
threading.Thread(target=lambda: sync.run(f"sleep {sys.argv[1]}"), daemon=True).start()
while not sleeping(sys.argv[1])[1:]: time.sleep(0.01)  # this process has it as an argument, too
print("leaving", flush=True)
"""


def test_a_client_that_leaves_in_the_middle_of_a_run_is_not_held_up_by_it(tmp_path: Path) -> None:
    mark = marker()
    with somebody("self", tmp_path) as user, ended(user.start(user.program(LEAVING, mark))) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "leaving\n"
        assert process.wait(4) == 0
        assert wait_gone(mark)
        assert wait_no_helpers(process.pid)
