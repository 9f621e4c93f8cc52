"""What the command line costs, as multiples of a bare interpreter, in interleaved rounds: time, and processor time.

python bench/cli.py [rounds]
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMPET = str(Path(sys.executable).parent / "limpet")
BASE = "python -c pass"
PROGRAMS = {
    BASE: [sys.executable, "-c", "pass"],
    "bash -c true": ["bash", "-c", "true"],
    "python, subprocess.run": [sys.executable, "-c", "import subprocess; subprocess.run(['bash', '-c', 'true'])"],
    "from limpet import Shell": [sys.executable, "-c", "from limpet import Shell"],
    "limpet --version": [LIMPET, "--version"],
    "limpet --help": [LIMPET, "--help"],
    "limpet tasks": [LIMPET, "tasks"],
    "limpet check -- ls": [LIMPET, "check", "--", "ls"],
    "limpet run -- true": [LIMPET, "run", "--", "true"],
}


def once(argv: list[str], environ: dict[str, str]) -> tuple[float, float]:
    """Seconds that passed, and seconds of a processor: its own and those of all that it waited for."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(argv, env=environ, check=True, capture_output=True)
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as state:
        environ = {**os.environ, "LIMPET_STATE_DIR": state}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed limpet is compiled
        for argv in PROGRAMS.values():
            once(argv, environ)
        seen: dict[str, list[tuple[float, float]]] = {name: [] for name in PROGRAMS}
        for _ in range(rounds):
            for name, argv in PROGRAMS.items():
                seen[name].append(once(argv, environ))
    bases = [statistics.median(column) for column in zip(*seen[BASE], strict=True)]
    print(f"{'':28} {'time':>6} {'processor':>10}")
    for name, values in seen.items():
        took, used = (statistics.median(column) for column in zip(*values, strict=True))
        print(f"{name:28} {took / bases[0]:5.1f}x {used / bases[1]:9.1f}x")


if __name__ == "__main__":
    main()
