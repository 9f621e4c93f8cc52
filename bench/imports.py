"""What `import limpet` and a decision cost, against a bare interpreter, in interleaved rounds.

python bench/imports.py [rounds]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

PROGRAMS = {
    "python -c pass": "pass",
    "import limpet": "import limpet",
    "limpet.check": "import limpet; limpet.check('ls')",
    "import limpet, limpet.run": "import limpet; limpet.run",
    "import asyncio": "import asyncio",
}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(rounds):
        for name, program in PROGRAMS.items():
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], check=True)
            times[name].append(time.perf_counter() - began)
    base = statistics.median(times["python -c pass"])
    for name, values in times.items():
        print(f"{name:28} {statistics.median(values) / base:5.2f}x")


if __name__ == "__main__":
    main()
