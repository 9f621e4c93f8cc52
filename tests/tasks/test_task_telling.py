"""Completions are told, each once, also when clients are killed at any moment; and nothing of a task is ever lost."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from living import wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

COUNT = int(os.environ.get("LIMPET_TEST_TASKS", "8"))
"""200 is the number to show."""
STARTER = """
import sys, limpet.sync as s
shell = s.open(agent="robot")
for line in sys.stdin:
    n = int(line)
    command = f"for k in $(seq 40); do echo {n} $k; sleep 0.00$((k % 5)); done; exit {n % 100}"
    task = shell.start(command, description=str(n))
    print(task.id, flush=True)
"""
TELLER = """
import os, sys, limpet.sync as s
shell = s.open(agent="robot")
while sys.stdin.readline():
    with open("told", "ab", buffering=0) as file:
        with shell.finished_tasks() as tasks:
            file.write("".join(f"told {t.id} {t.status().exit_code}\\n" for t in tasks).encode())
        file.write("".join(f"kept {t.id} -\\n" for t in tasks).encode())
    print(flush=True)
"""


def test_each_completion_is_told_once_to_one_of_all_shells_of_its_agent(workspace: Path) -> None:
    shell, again = sync.open(workspace), sync.open(workspace)
    tasks = [shell.start(f"exit {n}", agent=agent) for n, agent in enumerate(["", "", "other"])]
    for task in tasks:
        task.wait(30)
    with shell.finished_tasks() as told, again.finished_tasks() as twice:
        assert ([task.id for task in told], twice) == ([task.id for task in tasks[:2]], [])
    with again.finished_tasks() as told:
        assert told == []
    with again.finished_tasks(agent="other") as told:
        assert [task.wait().exit_code for task in told] == [2]


def test_what_was_not_taken_in_peace_is_told_again(workspace: Path) -> None:
    shell = sync.open(workspace)
    task = shell.start("true")
    task.wait(30)
    with pytest.raises(KeyError), shell.finished_tasks():
        raise KeyError
    script = "import limpet.sync as s, os; c = s.open().finished_tasks(); print(len(c.__enter__()), flush=True); os.kill(os.getpid(), 9)"  # fmt: skip  # noqa: E501
    killed = subprocess.run([sys.executable, "-c", script], cwd=workspace, capture_output=True, text=True, timeout=30)
    assert (killed.stdout, killed.returncode) == ("1\n", -signal.SIGKILL)
    with shell.finished_tasks() as told:
        assert [one.id for one in told] == [task.id]
    with shell.finished_tasks() as told:
        assert told == []


def test_a_task_that_goes_on_is_not_told(workspace: Path) -> None:
    shell = sync.open(workspace)
    task = shell.start("sleep 60")
    with shell.finished_tasks() as told:
        assert told == []
    task.stop(now=True)
    with shell.finished_tasks() as told:
        assert [one.status().status for one in told] == ["stopped"]


def start_and_be_killed(cli: Cli, numbers: list[int], chance: random.Random) -> list[str]:
    """Clients that start one task after the other, each killed at some moment; the ids that they were told."""
    left, known = list(numbers), []
    while left:
        client = subprocess.Popen(
            [sys.executable, "-c", STARTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cli.cwd,
            env=cli.environment(), text=True, bufsize=1,
        )  # fmt: skip
        assert client.stdin is not None
        assert client.stdout is not None
        for _ in range(chance.randint(1, 3)):
            if left:
                client.stdin.write(f"{left.pop()}\n")
                client.stdin.flush()
                if chance.random() < 0.6:
                    known.append(client.stdout.readline().strip())
        time.sleep(chance.uniform(0, 0.4))
        client.kill()
        client.communicate()
    return known


def tell_and_be_killed(cli: Cli, done: list[bool], chance: random.Random) -> None:
    while not done:
        client = subprocess.Popen(
            [sys.executable, "-c", TELLER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cli.cwd,
            env=cli.environment(), text=True,
        )  # fmt: skip
        assert client.stdin is not None
        assert client.stdout is not None
        for _ in range(chance.randint(1, 15)):
            client.stdin.write("\n")
            client.stdin.flush()
            client.stdout.readline()
        client.stdin.write("\n")
        client.stdin.flush()
        time.sleep(chance.uniform(0, 0.02))
        client.kill()
        client.communicate()


def test_whoever_is_killed_every_byte_and_every_end_is_found_and_each_end_told(cli: Cli) -> None:
    chance = random.Random(COUNT)
    done: list[bool] = []
    halves = [list(range(at, COUNT, 2)) for at in range(2)]
    with ThreadPoolExecutor(3) as pool:
        teller = pool.submit(tell_and_be_killed, cli, done, random.Random(1))
        starters = [pool.submit(start_and_be_killed, cli, half, random.Random(chance.random())) for half in halves]
        known = [name for starter in starters for name in starter.result()]
        shell = sync.open(cli.cwd)
        wait_for(lambda: all(task.status().over for task in shell.tasks()), 60 + COUNT)
        done.append(True)
        teller.result()
    ended = {task.id: task for task in shell.tasks() if task.status().status == "exited"}
    never = [task.status() for task in shell.tasks() if task.id not in ended]
    assert [status.error for status in never if "never started" not in (status.error or "")] == []
    assert (set(known) - ended.keys(), len(ended) + len(never) <= COUNT) == (set(), True)
    for task in ended.values():
        number = int(task.status().description)
        printed = "".join(f"{number} {k}\n" for k in range(1, 41))
        assert (task.wait().exit_code, task.output()) == (number % 100, printed)
    told = [line.split() for line in (cli.cwd / "told").read_text().splitlines()]
    while True:
        with shell.finished_tasks(agent="robot") as rest:
            told += [[word, task.id, ""] for task in rest for word in ("told", "kept")]
        if not rest:
            break
    kept = [name for word, name, _ in told if word == "kept"]
    assert {name for word, name, _ in told if word == "told"} == {task.id for task in shell.tasks()}
    assert len(kept) == len(set(kept))  # told again only after a teller that was killed before it was done


def test_tasks_are_listed_consistently_while_many_run(cli: Cli) -> None:
    shell = sync.open(cli.cwd)
    started = [shell.start(f"echo {n}; sleep 0.2; exit {n}") for n in range(6)]
    while True:
        listed = json.loads(cli("tasks", "--json").stdout)
        assert [one["task_id"] for one in listed] == [task.id for task in started]
        assert all(one["exit_code"] == n for n, one in enumerate(listed) if one["status"] == "exited")
        if all(one["status"] == "exited" for one in listed):
            break
    digests = [hashlib.sha256(task.output().encode()).hexdigest() for task in started]
    assert digests == [hashlib.sha256(f"{n}\n".encode()).hexdigest() for n in range(6)]
    assert limpet.TaskState.EXITED.over
