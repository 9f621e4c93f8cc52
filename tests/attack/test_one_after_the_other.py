"""Commands of one keeper live in one house, one after the other: none finds anything of the one before."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from limpet.process.prepared import packed, prepare, ready_key
from limpet.process.shared import keepers
from limpet.wiring import road
from living import wait_for

if TYPE_CHECKING:
    from pathlib import Path

HOUSE = "readlink /proc/self/ns/pid"
LEAVE = """
import ctypes, os
ctypes.CDLL(None).shmget(4711, 4096, 0o1600)
for folder in ("/tmp", "/var/tmp", "/dev/shm"):
    open(folder + "/left", "w").close()
if os.fork() == 0:
    os._exit(0)  # nobody waits for it
"""
COUNT = "set -- /proc/[0-9]*; echo $#"
LOOK = f"ls /tmp /var/tmp /dev/shm | grep left; grep -c 4711 /proc/sysvipc/shm; {COUNT}"


@pytest.fixture
def walled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_SANDBOX_MODE", "native")


def said(shell: sync.Shell, command: str, **options: object) -> list[str]:
    return shell.run(command, timeout=60, **options).stdout.split()  # type: ignore[arg-type]  # as given


@pytest.mark.usefixtures("walled")
def test_a_command_finds_nothing_of_the_one_before(workspace: Path) -> None:
    (workspace / "leave.py").write_text(LEAVE)
    with sync.open(workspace, settings={"run.ready": 1}) as shell:
        houses = said(shell, f"{HOUSE}; python3 leave.py")
        looks = [said(shell, f"{HOUSE}; {LOOK}") for _ in range(4)]
        assert set(houses) & {look[0] for look in looks}, "they were to meet in one house"
        assert {tuple(look[1:]) for look in looks} == {("0", "2")}  # the first process and the shell


@pytest.mark.usefixtures("walled")
def test_a_house_that_had_to_be_cleared_by_force_is_not_used_again(workspace: Path) -> None:
    with sync.open(workspace, settings={"run.ready": 1, "run.grace": 0.2}) as shell:
        for _ in range(3):
            before = said(shell, f"{HOUSE}; (trap '' TERM; setsid sleep 1000 >/dev/null 2>&1 </dev/null) & sleep 0.1")
            after = said(shell, f"{HOUSE}; {COUNT}")
            assert (before[0] != after[0], after[1]) == (True, "2")


@pytest.mark.usefixtures("walled")
def test_commands_at_the_same_time_are_in_houses_of_their_own(workspace: Path) -> None:
    async def at_once() -> list[str]:
        async with limpet.open(workspace) as shell:
            runs = (shell.run(f"{HOUSE}; sleep 0.5; pgrep -c sleep", timeout=60) for _ in range(4))
            return [result.stdout for result in await asyncio.gather(*runs)]

    answers = [answer.split() for answer in asyncio.run(at_once())]
    assert len({house for house, _ in answers}) == len(answers)
    assert {count for _, count in answers} == {"0"}


@pytest.mark.usefixtures("walled")
def test_what_orphans_have_used_counts(workspace: Path) -> None:
    burn = "python3 -c 'import time\nwhile time.process_time() < 0.3: pass'"
    with sync.open(workspace, settings={"run.drain": 30}) as shell:
        result = shell.run(f"({burn} &); exit 0", timeout=60)
    assert result.usage is not None
    assert (result.ok, result.usage.cpu_user + result.usage.cpu_system > 0.25) == (True, True)


@pytest.mark.parametrize("mode", ["native", "none"])
def test_a_command_waits_for_the_shell_that_is_being_started(workspace: Path, mode: str) -> None:
    with sync.open(workspace, sandbox=mode, settings={"run.ready": 1}) as shell:
        parents = [line for _ in range(8) for line in said(shell, "echo $PPID; readlink /proc/self/ns/pid")]
    assert len(set(parents)) < len(parents) / 2  # not a keeper for each


def test_a_shell_that_may_not_be_needed_ends_by_itself(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        assert shell.run("true").ok
        request = shell._inner._admit("true", {"sandbox": "none"})
        plan = shell._inner._parts.sandbox.plan(request).plan
    started = prepare(plan, ready_key(plan), keepers())
    try:
        started.start(plan, again=True, linger=0.2)
        wait_for(lambda: not os.path.exists(f"/proc/{started.held.pid}/fd/0"), 30)
    finally:
        started.discard()
        road.ready_shells().rest()


def test_of_the_shells_that_a_burst_took_two_stay(workspace: Path) -> None:
    async def burst() -> list[bool]:
        road.ready_shells().rest()
        async with limpet.open(workspace, sandbox="none") as shell:
            for _ in range(3):
                await asyncio.gather(*(shell.run("true", timeout=60) for _ in range(6)))
            return [one.held.lasts for kind in road.ready_shells()._shells.values() for one in kind]

    try:
        last = asyncio.run(burst())
        assert (last.count(True), last.count(False) > 0) == (2, True)
    finally:
        road.ready_shells().rest()


ASK = """
import marshal, os, sys, time
from limpet.process.walls import Walls
job = marshal.loads(sys.stdin.buffer.read())["job"]
house = Walls(job["confinement"]).house()
shell, mounts = house.start({**job, "argv": [b"bash", b"-c", b"(sleep 1000 &) ; exit 0"]}, [], {})
os.waitpid(shell, 0)
print(house.alone(), house._ask())
house.kill()
while not house.ended():
    time.sleep(0.01)
"""


@pytest.mark.usefixtures("walled")
def test_where_the_kernel_lists_no_children_the_first_process_is_asked(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        plan = shell._inner._parts.sandbox.plan(shell._inner._admit("true", {})).plan
    for left, expected in ((b"(sleep 1000 &) ; exit 0", b"False False\n"), (b"true", b"True True\n")):
        script = ASK.replace("(sleep 1000 &) ; exit 0", left.decode())
        done = subprocess.run([sys.executable, "-c", script], input=packed(plan), capture_output=True, timeout=60)
        assert (done.stdout, done.stderr) == (expected, b"")
