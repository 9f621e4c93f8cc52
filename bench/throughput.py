"""Commands per second at concurrency 8, against `subprocess.run` in threads and asyncio's own, in interleaved rounds.

python bench/throughput.py [rounds]
"""

from __future__ import annotations

import asyncio
import itertools
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


async def with_asyncio() -> None:
    async def worker() -> None:
        pipe = asyncio.subprocess.PIPE
        for _ in range(PER_ROUND // AT_ONCE):
            process = await asyncio.create_subprocess_exec("bash", "-c", "true", stdout=pipe, stderr=pipe)
            await process.communicate()
            assert process.returncode == 0

    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))


def one_subprocess(_: int) -> None:
    assert subprocess.run(["bash", "-c", "true"], capture_output=True).returncode == 0


def with_threads(pool: ThreadPoolExecutor) -> None:
    list(pool.map(one_subprocess, range(PER_ROUND)))


async def measure(rounds: int) -> dict[str, list[float]]:
    rates: dict[str, list[float]] = {"limpet.run": [], "asyncio create_subprocess_exec": [], "subprocess.run": []}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number in range(rounds + 1):
            marks = [time.perf_counter()]
            await with_limpet()
            marks.append(time.perf_counter())
            await with_asyncio()
            marks.append(time.perf_counter())
            with_threads(pool)
            marks.append(time.perf_counter())
            for values, (began, ended) in zip(rates.values(), itertools.pairwise(marks), strict=True):
                values.extend([PER_ROUND / (ended - began)] if number else [])
    return rates


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as state:
        os.environ["LIMPET_STATE_DIR"] = state
        rates = asyncio.run(measure(rounds))
    print(f"`true` at concurrency {AT_ONCE}, {rounds} interleaved rounds of {PER_ROUND}: commands per second")
    for name, values in rates.items():
        ratio = statistics.median(a / b for a, b in zip(values, rates["subprocess.run"], strict=True))
        print(f"{name:32} {ratio:.2f}x of subprocess.run in threads")


if __name__ == "__main__":
    main()
