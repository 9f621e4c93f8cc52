"""What a contained command costs, against a plain subprocess.run and bubblewrap, in one interleaved run.

`peers.py` has the sandboxes of other agents.

python bench/sandbox.py [rounds]
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable

import limpet

GAP = 0.05
BURST = 8
SECONDS = 2.0
IDLE_SECONDS = 3.0
COMMANDS = ("true", "echo hi", "/bin/ls ..")
Contender = Callable[[str], Awaitable[None]]


def bubblewrap(workspace: str) -> list[str]:
    """The profile that agents usually take."""
    return [
        "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
        "--bind", workspace, workspace, "--chdir", workspace, "--unshare-all", "--die-with-parent", "--new-session",
    ]  # fmt: skip


def plain(before: list[str], workspace: str) -> Contender:
    """A process for each command, in a thread, as a library without limpet would do it."""

    def run(command: str) -> None:
        subprocess.run([*before, "bash", "-c", command], capture_output=True, cwd=workspace, check=True)

    async def contender(command: str) -> None:
        run(command)

    return contender


def threaded(before: list[str], workspace: str) -> Contender:
    """The same for several at once."""
    one = plain(before, workspace)

    async def contender(command: str) -> None:
        await asyncio.to_thread(asyncio.run, one(command))  # type: ignore[arg-type]  # a coroutine is what it is

    return contender


async def timed(contender: Contender, command: str) -> float:
    began = time.perf_counter()
    await contender(command)
    return time.perf_counter() - began


async def one_by_one(contenders: dict[str, Contender], command: str, rounds: int, gap: float) -> dict[str, list[float]]:
    """Each contender once a round, in random order."""
    took: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name in random.sample(list(contenders), len(contenders)):
            await asyncio.sleep(gap)
            took[name].append(await timed(contenders[name], command))
    return took


async def back_to_back(contenders: dict[str, Contender], rounds: int) -> dict[str, list[float]]:
    """Ten in a row without a pause, each contender once a round."""
    took: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(max(3, rounds // 5)):
        for name in random.sample(list(contenders), len(contenders)):
            await asyncio.sleep(GAP)
            took[name] += [await timed(contenders[name], "true") for _ in range(10)]
    return took


async def bursts(contenders: dict[str, Contender], rounds: int) -> dict[str, list[float]]:
    """Eight at once after a pause: until the last one is over."""
    took: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(max(3, rounds // 3)):
        for name in random.sample(list(contenders), len(contenders)):
            await asyncio.sleep(GAP * 4)
            began = time.perf_counter()
            await asyncio.gather(*(contenders[name]("true") for _ in range(BURST)))
            took[name].append(time.perf_counter() - began)
    return took


async def throughput(contender: Contender, at_once: int) -> float:
    """Commands a second."""
    until = time.perf_counter() + SECONDS

    async def work() -> int:
        done = 0
        while time.perf_counter() < until:
            await contender("true")
            done += 1
        return done

    return sum(await asyncio.gather(*(work() for _ in range(at_once)))) / SECONDS


def row(name: str, took: dict[str, list[float]], against: str = "subprocess.run") -> None:
    """Medians and 99th percentiles, as ratios."""
    base = sorted(took[against])
    cells = []
    for contender, values in took.items():
        ordered = sorted(values)
        tail = ordered[int(len(ordered) * 0.99)] / base[int(len(base) * 0.99)]
        cells.append(f"{contender} {statistics.median(ordered) / statistics.median(base):.2f} (p99 {tail:.1f})")
    print(f"{name:<28}", "   ".join(cells))


async def execs(shell: limpet.Shell, rounds: int) -> None:
    """Programs started between a call and its answer, for a command of builtins: none if its shell was there before."""
    late = 0
    for _ in range(rounds):
        await asyncio.sleep(GAP * 2)
        called = time.clock_gettime(time.CLOCK_BOOTTIME)
        # Of the shell itself: when it was started, in ticks after the machine was.
        words = (await shell.run("read -r line < /proc/self/stat; echo $line", sandbox="native")).stdout.split()
        late += int(words[21]) / os.sysconf("SC_CLK_TCK") > called
    print(f"{'execs before the answer':<28} {late / rounds:.2f} a command")


def switches(pid: int) -> int:
    """How often a process was put on a processor and taken off again."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            return sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    except OSError:
        return 0


def pss(pid: int) -> int:
    """Kilobytes, shared pages divided among those who share them."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except OSError:
        return 0


def below(root: int) -> list[int]:
    """All descendants."""
    found, waiting = [], [root]
    while waiting:
        listed = subprocess.run(["pgrep", "-P", str(waiting.pop())], capture_output=True, text=True, check=False)
        new = [int(line) for line in listed.stdout.split()]
        found += new
        waiting += new
    return found


async def idle(shell: limpet.Shell, name: str) -> None:
    """What a shell costs that waits for its next command."""
    for _ in range(3):
        await asyncio.sleep(GAP)
        await shell.run("true", sandbox="native")
    await asyncio.sleep(1)
    pids = below(os.getpid())
    before = sum(map(switches, pids))
    await asyncio.sleep(IDLE_SECONDS)
    woken = sum(map(switches, pids)) - before
    memory = sum(map(pss, pids)) / 1024
    print(f"{name:<28} {len(pids)} processes, {memory:.1f} MB beside this one, {woken} wake-ups in {IDLE_SECONDS:g} s")


async def main(rounds: int) -> None:
    """All of it."""
    workspace = tempfile.mkdtemp()
    contenders = {"subprocess.run": plain([], workspace)}
    several = {"subprocess.run": threaded([], workspace)}
    if shutil.which("bwrap"):
        contenders["bubblewrap"] = plain(bubblewrap(workspace), workspace)
        several["bubblewrap"] = threaded(bubblewrap(workspace), workspace)
    try:
        print(f"load before: {os.getloadavg()[0]:.1f}; all figures are ratios unless they say otherwise")
        async with limpet.open(workspace, profile="open") as shell:
            await idle(shell, "idle, after a few commands")
            await execs(shell, rounds)
            for mode in ("native", "none"):

                async def contender(command: str, mode: str = mode) -> None:
                    (await shell.run(command, sandbox=mode)).check()

                contenders[f"limpet {mode}"] = several[f"limpet {mode}"] = contender
            for command in COMMANDS:
                row(f"{command}, 50 ms apart", await one_by_one(contenders, command, rounds, GAP))
            row("true, back to back", await back_to_back(contenders, rounds))
            row(f"{BURST} at once", await bursts(several, rounds))
            for at_once in (1, BURST):
                speeds = {name: await throughput(each, at_once) for name, each in several.items()}
                cells = (f"{name} {speed / speeds['subprocess.run']:.2f}" for name, speed in speeds.items())
                print(f"{f'commands a second, {at_once} at once':<28}", "   ".join(cells))
            await idle(shell, "idle, after bursts")
    finally:
        shutil.rmtree(workspace)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
