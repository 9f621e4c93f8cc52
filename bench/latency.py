"""Median time of `limpet.run("true")` against what one would write instead, in one interleaved run.

python bench/latency.py [rounds]
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

import limpet

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

COMMAND = "true"


async def with_limpet() -> None:
    assert (await limpet.run(COMMAND)).exit_code == 0


async def with_subprocess() -> None:
    # Blocking is what is measured here.
    assert subprocess.run(["bash", "-c", COMMAND], capture_output=True).returncode == 0  # noqa: ASYNC221 - see above


async def with_asyncio() -> None:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_shell(COMMAND, stdout=pipe, stderr=pipe)
    await process.communicate()
    assert process.returncode == 0


async def with_asyncio_bash() -> None:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec("bash", "-c", COMMAND, stdout=pipe, stderr=pipe)
    await process.communicate()
    assert process.returncode == 0


WAYS: dict[str, Callable[[], Awaitable[None]]] = {
    "subprocess.run bash -c": with_subprocess,
    "limpet.run": with_limpet,
    "asyncio create_subprocess_shell (sh)": with_asyncio,
    "asyncio create_subprocess_exec bash -c": with_asyncio_bash,
}


async def measure(rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for number in range(rounds + 20):
        for name, way in WAYS.items():
            began = time.perf_counter()
            await way()
            if number >= 20:
                times[name].append(time.perf_counter() - began)
    return times


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with tempfile.TemporaryDirectory() as state:
        os.environ["LIMPET_STATE_DIR"] = state
        times = asyncio.run(measure(rounds))
    base = statistics.median(times["subprocess.run bash -c"])
    print(f"{'`true`, ' + str(rounds) + ' interleaved rounds':42} {'median':>8} {'p95':>8}")
    for name, values in times.items():
        p95 = statistics.quantiles(values, n=20)[-1]
        print(f"{name:42} {statistics.median(values) / base:7.2f}x {p95 / base:7.2f}x")


if __name__ == "__main__":
    main()
