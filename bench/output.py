"""Output: 2 GB through a run against a plain `os.read` loop, and 200,000 unbuffered lines against `subprocess.run`.

python bench/output.py [gigabytes]
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Self

import limpet

if TYPE_CHECKING:
    from collections.abc import Callable

CHATTY = "import os\nfor i in range(200000): os.write(1, b'line %d of the log\\n' % i)"


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Peak:
    """The most memory in use inside a block, above what was in use at its beginning."""

    def __enter__(self) -> Self:
        self.base = self.most = resident()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.01):
            self.most = max(self.most, resident())

    @property
    def grown_mb(self) -> float:
        return (self.most - self.base) / 1e6


def read_into_nothing(command: str) -> int:
    """The least anybody could do."""
    reading, writing = os.pipe()
    process = subprocess.Popen(["bash", "-c", command], stdout=writing)
    os.close(writing)
    total = 0
    while data := os.read(reading, 1 << 18):
        total += len(data)
    os.close(reading)
    process.wait()
    return total


def timed(function: Callable[[], object]) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def flood(runner: asyncio.Runner, name: str, command: str, size: int) -> None:
    ratios, grown, stored = [], 0.0, 0
    for _ in range(3):
        plain = timed(lambda: read_into_nothing(command))
        with Peak() as peak:
            began = time.perf_counter()
            result = runner.run(limpet.run(command, timeout=None))
            ours = time.perf_counter() - began
        assert result.stdout_bytes == size, result
        assert result.output_file is not None
        stored = os.path.getsize(result.output_file)
        ratios.append(plain / ours)
        grown = max(grown, peak.grown_mb)
    print(
        f"{name}: {size / 1e9:.0f} GB at {statistics.median(ratios):.2f}x the speed of a plain read loop; "
        f"memory grew by {grown:.0f} MB; stored {stored:,} bytes"
    )


def chatty(runner: asyncio.Runner) -> None:
    command = f'{sys.executable} -I -S -c "{CHATTY}"'
    ratios = []
    for _ in range(5):
        plain = timed(lambda: subprocess.run(["bash", "-c", command], capture_output=True))
        ours = timed(lambda: runner.run(limpet.run(command)))
        ratios.append(ours / plain)
    print(f"200,000 unbuffered lines: {statistics.median(ratios):.2f}x the time of subprocess.run")


def main() -> None:
    size = int(float(sys.argv[1]) * 1e9) if len(sys.argv) > 1 else 2_000_000_000
    with tempfile.TemporaryDirectory() as state, asyncio.Runner() as runner:
        os.environ["LIMPET_STATE_DIR"] = state
        runner.run(limpet.run("true"))
        flood(runner, "zeros", f"head -c {size} /dev/zero", size)
        flood(runner, "text", f"yes 'all work and no play' | head -c {size}", size)
        chatty(runner)


if __name__ == "__main__":
    main()
