"""limpet itself struck, by any signal at any moment: nothing of the command is left, and there is no traceback."""

from __future__ import annotations

import os
import pty
import random
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from attack.hostile import User, ended, groups, helpers, somebody, wait_no_helpers
from living import descendants, marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
EARLY = "limpet: cancelled before it started\n"
OURS = re.compile(r'__main__\.py", line \d+, in main\n')
SPAWNING = "setsid -f sleep {mark}; (sleep {mark} &); trap '' TERM; sleep {mark}"


def struck(user: User, number: int, delay: float, command: str) -> tuple[int, str]:
    """Start limpet, hit it after a while; its status and its complaints, once nothing is left."""
    mark = marker()
    with ended(user.start(user.limpet("run", "--", command.format(mark=mark)))) as process:
        time.sleep(delay)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
        assert wait_gone(mark, 1.0 if number == signal.SIGKILL else 0.0)
        assert wait_no_helpers(process.pid)
        return (-number, "") if before_main(err) else (process.returncode, err)


def before_main(complaint: str) -> bool:
    """Struck while Python itself was still reading the package: it answers an interrupt in its own way."""
    return complaint.endswith("\nKeyboardInterrupt\n") and not OURS.search(complaint)


@pytest.mark.req("TK-09", "ZE-22")
@pytest.mark.parametrize("name", ["self", "nobody"])
def test_nothing_survives_a_kill_of_limpet_at_any_moment(name: str, tmp_path: Path) -> None:
    chance = random.Random(name)
    with somebody(name, tmp_path) as user, ThreadPoolExecutor(4) as pool:
        delays = [chance.uniform(0, 0.5) for _ in range(40)]
        told = list(pool.map(lambda delay: struck(user, signal.SIGKILL, delay, SPAWNING), delays))
    assert told == [(-signal.SIGKILL, "")] * 40


def test_nothing_survives_a_kill_of_limpet_while_it_ends_a_command(tmp_path: Path) -> None:
    mark = marker()
    command = f"trap 'echo heard' TERM; echo ready; while :; do sleep {mark}; done"
    with somebody("self", tmp_path) as user, ended(user.start(user.limpet("run", "--", command))) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.readline() == "heard\n"
        process.kill()
        assert wait_gone(mark, 1.0)
        assert wait_no_helpers(process.pid)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes control groups without being given some")
def test_no_control_group_survives_a_kill_of_limpet(tmp_path: Path) -> None:
    mark = marker()
    with somebody("self", tmp_path) as user, ended(user.start(user.limpet("run", "--", f"sleep {mark}"))) as process:
        wait_for(lambda: sleeping(mark), 20)
        servers = [one.pid for one in descendants(process.pid) if one.parent == process.pid]
        made = [group for server in servers for group in groups(server)]
        process.kill()
        assert wait_gone(mark, 1.0)
        assert wait_no_helpers(process.pid)
        wait_for(lambda: not any(os.path.exists(group) for group in made))
    assert made != [] or not os.access("/sys/fs/cgroup/pids", os.W_OK)


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_at_any_moment_ends_everything_without_a_traceback(number: signal.Signals, tmp_path: Path) -> None:
    chance = random.Random(number)
    with somebody("self", tmp_path) as user, ThreadPoolExecutor(4) as pool:
        delays = [chance.uniform(0.05, 0.6) for _ in range(16)]
        told = set(pool.map(lambda delay: struck(user, number, delay, "setsid -f sleep {mark}; sleep {mark}"), delays))
    assert told <= {(128 + number, ""), (128 + number, EARLY), (-number, "")}  # the last: with nothing to end yet


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_around_the_end_of_a_command_gives_no_traceback(number: signal.Signals, tmp_path: Path) -> None:
    chance = random.Random(number)
    with somebody("self", tmp_path) as user, ThreadPoolExecutor(4) as pool:
        delays = [chance.uniform(0.1, 0.6) for _ in range(16)]
        told = set(pool.map(lambda delay: struck(user, number, delay, "sleep 0.05"), delays))
    assert told <= {(128 + number, ""), (128 + number, EARLY), (-number, ""), (0, "")}


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_to_the_whole_group_ends_it_once(number: signal.Signals, tmp_path: Path) -> None:
    mark = marker()
    with somebody("self", tmp_path) as user, ended(user.start(user.limpet("run", "--", f"sleep {mark}"))) as process:
        wait_for(lambda: sleeping(mark), 20)
        os.killpg(process.pid, number)
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (128 + number, "", "")
        assert wait_gone(mark, 0)
        assert wait_no_helpers(process.pid)


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["live", "json"])
def test_a_terminal_that_is_closed_ends_the_command(options: list[str], cli: Cli) -> None:
    mark = marker()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cli.cwd)
        argv = cli.argv("run", *options, "--", f"echo on; setsid -f sleep {mark}; while :; do sleep {mark}; done")
        os.execve(argv[0], argv, cli.environment())
    try:
        wait_for(lambda: len(sleeping(mark)) == 2, 20)
    finally:
        os.close(terminal)
    waited = wait_for(lambda: ended_child(pid), 20)
    assert waited == (pid, 128 + signal.SIGHUP)
    assert wait_gone(mark)
    assert wait_no_helpers(pid)


def ended_child(pid: int) -> tuple[int, int] | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    return (found, os.waitstatus_to_exitcode(status)) if found else None


def test_a_hang_up_that_was_switched_off_stays_off(tmp_path: Path) -> None:
    """As with `nohup limpet run ...` in a terminal that is then closed."""
    mark = marker()
    with somebody("self", tmp_path) as user:
        argv = [
            "nohup",
            *user.limpet("run", "--", f"echo on; until [ -e go ]; do sleep 0.02; done; : {mark}; echo over"),
        ]
        with ended(user.start(argv)) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "on\n"
            process.send_signal(signal.SIGHUP)
            time.sleep(0.2)
            (tmp_path / "go").touch()
            out, _ = process.communicate(timeout=20)
            assert (process.returncode, out) == (0, "over\n")


FORKED = """
import os, signal, sys, time
from limpet import sync
from living import sleeping
mine, childs = sys.argv[1:]
print("first", sync.run("echo fine").stdout.strip(), flush=True)
child = os.fork()
if child == 0:
    print("child", sync.run("echo fine").stdout.strip(), flush=True)
    result = sync.run(f"touch child-runs; until [ -e go ]; do sleep 0.02; done; echo lived {childs[:0]}")
    print("child", result.outcome, result.stdout.strip(), flush=True)
    os._exit(0)
print("parent", sync.run("until [ -e child-runs ]; do sleep 0.02; done; echo fine").stdout.strip(), flush=True)
sync.run(f"touch parent-runs; sleep {mine}")
"""


def test_a_forked_child_has_helpers_of_its_own(tmp_path: Path) -> None:
    mine, childs = marker(), marker()
    with somebody("self", tmp_path) as user, ended(user.start(user.program(FORKED, mine, childs))) as process:
        wait_for((tmp_path / "parent-runs").exists, 30)
        (child,) = [one.pid for one in descendants(process.pid) if one.parent == process.pid and mine in one.argv]
        process.kill()
        wait_for(lambda: [pid for pid in sleeping(mine) if pid != child] == [], 3)
        assert wait_no_helpers(process.pid)
        assert helpers(child) != []
        (tmp_path / "go").touch()
        out, err = process.communicate(timeout=20)
        assert sorted(out.splitlines()) == ["child exited lived", "child fine", "first fine", "parent fine"]
        assert err == ""
        assert wait_no_helpers(child)


FULL = """
import os, threading, time
from limpet import sync
from living import sleeping
import sys
shell = sync.open(".", settings={"run.parallel": 1})
thread = threading.Thread(target=shell.run, args=("touch begun; until [ -e go ]; do sleep 0.02; done",))
thread.start()
while not os.path.exists("begun"): time.sleep(0.01)
child = os.fork()
if child == 0:
    print("child", shell.run("echo fine").stdout.strip(), flush=True)
    os._exit(0)
end = time.monotonic() + 10
while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < end: time.sleep(0.01)
if ended[0] == 0:
    print("the child waits for a place that only its parent can leave", flush=True)
    os.kill(child, 9)
    os.waitpid(child, 0)
open("go", "w").close()
thread.join()
"""


def test_a_forked_child_does_not_wait_for_its_parents_commands(tmp_path: Path) -> None:
    with somebody("self", tmp_path) as user:
        assert user.run(user.program(FULL)) == (0, "child fine\n", "")


POOL = """
import multiprocessing
from limpet import sync
def one(n): return sync.run(f"echo {n}; exit {n}").exit_code
if __name__ == "__main__":
    one(0)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        print(pool.map(one, range(20)), one(7))
"""


def test_a_pool_of_forked_workers_runs_commands(tmp_path: Path) -> None:
    with somebody("self", tmp_path) as user:
        assert user.run(user.program(POOL)) == (0, f"{[*range(20)]} 7\n", "")
