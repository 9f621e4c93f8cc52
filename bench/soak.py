"""Eight workers for two minutes, one command in ten timed out, one in twenty cancelled: does anything grow?

python bench/soak.py [seconds]
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import threading
import time

import limpet

WORKERS = 8


def census() -> dict[str, int]:
    with open("/proc/self/status", encoding="ascii") as file:
        status = dict(line.split(":", 1) for line in file if ":" in line)
    return {
        "memory_kb": int(status["VmRSS"].split()[0]),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "zombies": zombies(),
    }


def zombies() -> int:
    count = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            count += fields[0] == "Z" and int(fields[1]) == os.getpid()
    return count


async def one(chance: random.Random) -> str:
    draw = chance.random()
    if draw < 0.10:
        return (await limpet.run("sleep 5 & sleep 5", timeout=0.05)).outcome.value
    if draw < 0.15:
        task = asyncio.ensure_future(limpet.run("setsid -f sleep 5; sleep 5"))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return "cancelled by task"
    return (await limpet.run("echo hello; echo oops >&2")).outcome.value


async def soak(seconds: float) -> None:
    counts: dict[str, int] = {}
    deadline = time.monotonic() + seconds

    async def worker(seed: int) -> None:
        chance = random.Random(seed)
        while time.monotonic() < deadline:
            outcome = await one(chance)
            counts[outcome] = counts.get(outcome, 0) + 1

    workers = [asyncio.ensure_future(worker(seed)) for seed in range(WORKERS)]
    while not all(task.done() for task in workers):
        await asyncio.wait(workers, timeout=max(1.0, seconds / 8))
        print(f"{sum(counts.values()):6} commands  {census()}")
    await asyncio.gather(*workers)
    print(counts)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    with tempfile.TemporaryDirectory() as state:
        os.environ["LIMPET_STATE_DIR"] = state
        asyncio.run(soak(seconds))
        print(f"after the end   {census()}")


if __name__ == "__main__":
    main()
