"""The road's promises hold behind the walls: exact answers, everything ended, nothing left whoever is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attack.escapes.stage import Scene, scene
from attack.escapes.trying_both import both_users
from attack.escapes.workspaces import answer
from attack.hostile import SERVER, ended, groups, wait_no_helpers
from living import descendants, marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from living import Process

ENDINGS = {
    "a status": ("exit 3", {"outcome": "exited", "exit_code": 3, "signal": None}),
    "a status too large": ("exit 256", {"outcome": "exited", "exit_code": 0}),
    "a command that is not there": ("no-such-command", {"outcome": "exited", "exit_code": 127}),
    "a signal": ("kill -9 $$", {"outcome": "signalled", "signal": "SIGKILL"}),
    "another signal": ("kill -TERM $$", {"outcome": "signalled", "signal": "SIGTERM"}),
    "a child's signal": ("bash -c 'kill -9 $$'; exit $?", {"outcome": "exited", "exit_code": 137}),
    "exec": ("exec sh -c 'echo x; exit 5'", {"outcome": "exited", "exit_code": 5, "stdout": "x\n"}),
    "a crash": ("kill -SEGV $$", {"outcome": "signalled", "signal": "SIGSEGV"}),
}


@both_users
@pytest.mark.parametrize(("command", "told"), ENDINGS.values(), ids=ENDINGS)
def test_how_a_command_ended_is_told_exactly(command: str, told: dict[str, object], who: str) -> None:
    with scene(who, contained=True) as here:
        result = answer(here, command)
        assert {name: result[name] for name in told} == told


@both_users
def test_a_time_out_keeps_what_was_printed_so_far(who: str) -> None:
    mark = marker()
    with scene(who, contained=True) as here:
        command = f"echo before; echo trouble >&2; setsid -f sleep {mark}; trap '' TERM; sleep {mark}; sleep {mark}"
        result = answer(here, command, "--timeout", "1")
        assert [result[name] for name in ("outcome", "stdout", "stderr", "timed_out")] == [
            "timed_out", "before\n", "trouble\n", True,
        ]  # fmt: skip
        assert wait_gone(mark, 0)


@both_users
def test_what_is_left_running_is_ended_and_named(who: str) -> None:
    mark = marker()
    with scene(who, contained=True) as here:
        result = answer(here, f"sleep {mark} & setsid -f sleep {mark}; exec 1>&- 2>&-; exit 4")
        assert (result["outcome"], result["exit_code"]) == ("exited", 4)
        assert "sleep" in (result["error"] or "")
        assert wait_gone(mark, 0)


DAEMON = """
import os, sys
for _ in range(3):
    if os.fork(): os._exit(0)
    os.setsid()
os.chdir("/")
os.closerange(0, 64)
os.execvpe("sleep", ["sleep", sys.argv[1]], {})
"""


@both_users
def test_a_daemon_does_not_outlive_its_command(who: str) -> None:
    mark = marker()
    with scene(who, contained=True) as here:
        here.file(here.workspace / "daemon.py", DAEMON)
        command = f"python3 daemon.py {mark}; until pgrep -f 'sleep {mark}' >/dev/null; do sleep 0.01; done; echo up"
        assert answer(here, command)["stdout"] == "up\n"
        assert wait_gone(mark, 0)


HOG = "python3 -c 'x = bytearray(b\"x\") * (150 << 20); import time; time.sleep(20)'"
FORKS = """
import os, sys, time
for made in range(200):
    try:
        if not os.fork():
            time.sleep(30)
            os._exit(0)
    except OSError:
        break
print(made)
sys.exit(3)
"""
LIMITED = {
    "memory": (HOG, "--memory", "100M"),
    "cpu": ("while :; do :; done", "--cpu", "1"),
}


@both_users
@pytest.mark.parametrize("limit", LIMITED)
def test_a_limit_is_told(limit: str, who: str) -> None:
    command, *options = LIMITED[limit]
    with scene(who, contained=True) as here:
        result = answer(here, command, *options, "--timeout", "30")
        assert result["outcome"] == "limited", result
        assert limit in result["error"]


@both_users
def test_processes_are_limited(who: str) -> None:
    with scene(who, contained=True) as here:
        here.file(here.workspace / "forks.py", FORKS)
        result = answer(here, "python3 forks.py", "--processes", "30", "--timeout", "30")
        assert (result["exit_code"], int(result["stdout"]) <= 30) == (3, True)
        if here.uid == 0:  # the kernel tells nobody else that it refused
            assert result["outcome"] == "limited"


@both_users
def test_much_output_comes_through(who: str) -> None:
    with scene(who, contained=True) as here:
        result = answer(here, "head -c 30000000 /dev/zero | tr '\\0' x; echo; echo end >&2")
        assert (result["stdout_bytes"], result["stderr"]) == (30_000_001, "end\n")


class Leftovers:
    """What a run could leave on the machine, other than processes."""

    def __init__(self) -> None:
        self.before = self._seen()

    def _seen(self) -> tuple[str, list[str]]:
        folders = ("/tmp", "/var/tmp", "/dev/shm", "/run")
        names = [f"{folder}/{name}" for folder in folders for name in os.listdir(folder)]
        mounts = Path("/proc/self/mountinfo").read_text()
        return mounts, sorted(name for name in names if "limpet" in name and "escapes" not in name)

    def none(self) -> bool:
        return self._seen() == self.before


ROUNDS = int(os.environ.get("LIMPET_KILL_ROUNDS", "7"))
"""For each user and each process that is killed; 125 makes a thousand of them."""
GENERATIONS = ("client", "server", "keeper", "first")
SPAWNING = "(setsid sleep {mark} &); trap '' TERM; sleep {mark}"


def generation(client: int, name: str) -> list[Process]:
    """Those of limpet's processes that stand at that place in the line."""
    found = [one for one in descendants(client) if SERVER in " ".join(one.argv)]
    parents = {client}
    for _ in range(GENERATIONS.index(name)):
        line = [one for one in found if one.parent in parents]
        parents = {one.pid for one in line}
    return line


def struck(here: Scene, name: str, delay: float) -> list[int]:
    """Start limpet, kill one of its processes after a while; its servers, once no process is left."""
    mark = marker()
    argv = here.user.limpet("run", "--sandbox", "native", "--", SPAWNING.format(mark=mark))
    started = subprocess.Popen(
        argv, cwd=here.workspace, env=here.environment(), start_new_session=True, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    with ended(started) as process:
        if name != "client":
            wait_for(lambda: generation(process.pid, name), 20)
        time.sleep(delay)
        servers = [one.pid for one in generation(process.pid, "server")]
        for pid in [process.pid] if name == "client" else [one.pid for one in generation(process.pid, name)]:
            kill(pid)
        if not over_soon(process):  # nobody needs a server any more, and a keeper that had no command yet is replaced
            kill(process.pid)
        _, err = process.communicate(timeout=30)
        assert wait_gone(mark, 1.0)
        assert wait_no_helpers(process.pid)
        assert "Traceback" not in err
        return servers


def over_soon(process: subprocess.Popen[str]) -> bool:
    try:
        process.wait(0.5)
    except subprocess.TimeoutExpired:
        return False
    return True


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@both_users
@pytest.mark.parametrize("name", GENERATIONS)
def test_nothing_is_left_whoever_is_killed_and_when(name: str, who: str) -> None:
    chance = random.Random(name + who)
    leftovers = Leftovers()
    with scene(who, contained=True) as here, ThreadPoolExecutor(3) as pool:
        longest = 0.6 if name == "client" else 0.15
        delays = [chance.uniform(0, longest) for _ in range(ROUNDS)]
        servers = [pid for pids in pool.map(lambda delay: struck(here, name, delay), delays) for pid in pids]
        if name == "server":
            answer(here, "true")  # nobody is there to remove its groups but the next one
        wait_for(lambda: not any(map(groups, servers)), 3)
    wait_for(leftovers.none)


@both_users
@pytest.mark.parametrize("name", ["first", "keeper"])
def test_a_command_whose_processes_are_killed_has_an_answer(name: str, who: str) -> None:
    mark = marker()
    with scene(who, contained=True) as here, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(answer, here, f"echo so far; sleep {mark}")
        sleep = wait_for(lambda: sleeping(mark), 20)
        first = first_of(sleep[0])
        kill(first if name == "first" else parent(first))
        result = asked.result(20)
        assert (result["ok"], result["stdout"]) == (False, "so far\n")
        assert result["outcome"] == "signalled" or name == "keeper"
        assert wait_gone(mark, 0)


def first_of(pid: int) -> int:
    """The first process of the pid namespace that it is in: a child of the keeper, as its shell is."""
    keeper = pid
    while len(status(keeper)["NSpid"].split()) > 1:
        keeper = parent(keeper)
    beside = Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()
    return next(int(one) for one in beside if status(int(one))["NSpid"].split()[-1] == "1")


def parent(pid: int) -> int:
    return int(status(pid)["PPid"])


def status(pid: int) -> dict[str, str]:
    return dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
