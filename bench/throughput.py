"""Commands per second at concurrency 8, against `subprocess.run` in eight threads, in interleaved rounds.

python bench/throughput.py [rounds]
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import limpet

AT_ONCE = 8
PER_ROUND = 160


async def with_limpet() -> None:
    async def worker() -> None:
        for _ in range(PER_ROUND // AT_ONCE):
            assert (await limpet.run("true")).exit_code == 0

    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))


def one_subprocess(_: int) -> None:
    assert subprocess.run(["bash", "-c", "true"], capture_output=True).returncode == 0


def with_threads(pool: ThreadPoolExecutor) -> None:
    list(pool.map(one_subprocess, range(PER_ROUND)))


async def measure(rounds: int) -> tuple[list[float], list[float]]:
    ours, theirs = [], []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number in range(rounds + 1):
            began = time.perf_counter()
            await with_limpet()
            between = time.perf_counter()
            with_threads(pool)
            if number:
                ours.append(PER_ROUND / (between - began))
                theirs.append(PER_ROUND / (time.perf_counter() - between))
    return ours, theirs


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as state:
        os.environ["LIMPET_STATE_DIR"] = state
        ours, theirs = asyncio.run(measure(rounds))
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print(f"`true` at concurrency {AT_ONCE}, {rounds} interleaved rounds of {PER_ROUND}")
    print(f"commands per second, limpet.run against subprocess.run in threads: {ratio:.2f}x")


if __name__ == "__main__":
    main()
