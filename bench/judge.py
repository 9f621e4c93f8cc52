"""How long judging takes: short commands in a warm process, the curve up to 1 MB, and one command from a cold start.

The cold start is that of an installed package: bytecode lies ready, whatever this environment says about writing it.

python bench/judge.py [rounds]
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from limpet.policy.decide import decide
from limpet.policy.places import World

if TYPE_CHECKING:
    from collections.abc import Iterable

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "policy"
WORLD = World(workspace="/home/dev/proj", home="/home/dev")
SHORT = 200
"""Characters; what an agent runs is rarely longer."""
KILOBYTES = (1, 4, 16, 64, 256, 1024)
GIVEN_UP = 5.0
"""Seconds for one text after which the larger ones of its kind are left out."""
TEXTS = {
    "a script": """\
set -euo pipefail
for file in "$root"/*.log; do
  if [ -s "$file" ] && grep -q "ERROR" "$file"; then
    count=$(grep -c "ERROR" "$file" || true)
    printf '%s: %d\\n' "${file##*/}" "$((count + 1))" >> report.txt 2>&1
  fi
done
case "${1:-all}" in all|some) make check;; *) echo "unknown: $1" >&2; exit 2;; esac
""",
    "git status;": "git status; ",
    "rm of many files": "rm -f build/a{}.o ",
    "writing many files": "echo a > out/{}.txt; ",
    "globs of a home": "cat ~/.a{}*/b ",
    "links": "ln -s /etc/a{0} b{0}; cat b{0}/x; ",
    "pieces of code": "sqlite3 db 'select {};' 'select 1' ",
    "heredocs of a shell": "bash <<E\nls {}\nE\n",
    "a script run often": "echo ls > a{0}.sh; sh a{0}.sh; ",
    "one word": "w",
    "one path": "a/",
    "text in quotes": "'a b' ",
    "pipes": "ls | ",
    "substitutions": "echo $(ls) ",
}
"""`{}` becomes a number, so that no two are alike."""


def corpus() -> list[str]:
    """Every short command of the corpus."""
    lines = (line for file in sorted(CORPUS.glob("*.jsonl")) for line in file.read_text(encoding="utf-8").splitlines())
    return [command for command in (json.loads(line)["command"] for line in lines) if len(command) < SHORT]


def took(text: str) -> float:
    began = time.perf_counter()
    decide(text, WORLD)
    return time.perf_counter() - began


def short(rounds: int) -> None:
    commands = corpus()
    for text in commands:  # the tables are read, and everything is warm
        decide(text, WORLD)
    gc.collect()
    rounded = [[took(text) for text in commands] for _ in range(rounds)]
    each = [min(times) for times in zip(*rounded, strict=True)]
    tell(f"all rounds of {rounds}", [value for times in rounded for value in times])
    tell("the best of each command", each)
    print("slowest (us):")
    for value, text in sorted(zip(each, commands, strict=True), reverse=True)[:8]:
        print(f"  {value * 1e6:8.0f}  {text[:120]!r}")


def tell(name: str, values: list[float]) -> None:
    median, p99 = statistics.median(values), statistics.quantiles(values, n=100)[-1]
    print(f"{name:30} {len(values):7} calls  median {median * 1e6:6.0f} us  p99 {p99 * 1e6:6.0f} us")


def repeated(unit: str, size: int) -> str:
    count = size // len(unit) + 1
    if "{}" not in unit and "{0}" not in unit:  # braces of its own, if any
        return (unit * count)[:size]
    return "".join(unit.format(number) for number in range(count))[:size]


def curve(name: str, unit: str) -> None:
    shown = []
    for kilobytes in KILOBYTES:
        gc.collect()
        seconds = took(repeated(unit, kilobytes * 1024))
        shown.append(f"{seconds * 1000 / kilobytes:8.2f}")
        if seconds > GIVEN_UP:
            break
    print(f"  {name:22}" + "".join(shown))


def cold(rounds: int) -> None:
    ways = {
        "python3 -c pass": ["-c", "pass"],
        "import limpet": ["-c", "import limpet"],
        "limpet.check('ls')": ["-c", "import limpet; limpet.check('ls')"],
        "limpet check -- ls": ["-m", "limpet", "check", "--", "ls"],
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    with TemporaryDirectory() as folder:
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environ["PYTHONPYCACHEPREFIX"] = folder
        for count in range(rounds + 1):
            for name, arguments in ways.items():
                began = time.perf_counter()
                subprocess.run([sys.executable, *arguments], check=True, env=environ, stdout=subprocess.DEVNULL)
                if count:  # the first round writes the bytecode
                    times[name].append(time.perf_counter() - began)
    base = statistics.median(times["python3 -c pass"])
    for name, values in times.items():
        median = statistics.median(values)
        print(f"  {name:22} {median * 1000:7.1f} ms {median / base:6.2f}x")


def header(sizes: Iterable[int]) -> str:
    return f"  {'':22}" + "".join(f"{size:5} KB" for size in sizes)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    short(rounds)
    print(f"ms per KB; left out once a text takes {GIVEN_UP:g} s:")
    print(header(KILOBYTES))
    for name, unit in TEXTS.items():
        curve(name, unit)
    print("from a cold start:")
    cold(max(rounds, 9))


if __name__ == "__main__":
    main()
