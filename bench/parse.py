"""Reading short commands, against tree-sitter-bash and bashlex in one interleaved run; then time per KB up to 1 MB.

python bench/parse.py [rounds]

The others are no dependencies of limpet: `pip install tree-sitter tree-sitter-bash bashlex` in an environment of yours.
"""

from __future__ import annotations

import gc
import importlib
import statistics
import sys
import time
from random import Random
from typing import TYPE_CHECKING, Any

from limpet.syntax.parser import parse
from limpet.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable

COMMANDS = (
    "ls -la", "git status", "git diff --stat HEAD~1", "cd src && make -j4", "python -m pytest -q tests/unit -k parser",
    "grep -rn 'def main' --include='*.py' src | head -20", "cat package.json | jq '.scripts'",
    "npm run build 2>&1 | tail -40", "find . -name '*.py' -not -path './.venv/*' | xargs wc -l",
    "sed -n '1,80p' src/app/main.py", "echo \"$HOME/$USER\"", "for f in *.txt; do wc -l \"$f\"; done",
    "if [ -f .env ]; then source .env; fi", "test -d build || mkdir build",
    "docker ps --format '{{.Names}}' | grep web", "curl -s https://example.org/api | python3 -m json.tool",
    "git log --oneline -n 10 --author=\"$(git config user.name)\"", "kill -9 $(lsof -t -i:8080)", "rm -rf build dist",
    "export PATH=\"$HOME/.local/bin:$PATH\"", "tar -czf out.tgz --exclude=node_modules .", "ps aux | awk '{print $2}'",
    "awk -F: '$3 >= 1000 {print $1}' /etc/passwd", "diff <(sort a.txt) <(sort b.txt)",
    "while read -r l; do echo $l; done < f", "python3 - <<'E'\nprint(1 + 1)\nE", "cat <<E > out.txt\nhello $USER\nE",
    "x=$((1 + 2)); echo ${x:-0} ${#x}", "[[ $a == b* && -n $c ]] && echo yes",
    "(cd /tmp && ls) > list.txt 2>/dev/null", "timeout 30 ./run.sh & wait $!",
    "case $1 in start) run;; stop) kill $pid;; esac", "f() { echo \"$1\"; }; f hello", "echo {1..5} ~/x *.md",
    "ENV=test node server.js --port 3000", "ls | sort | uniq -c | sort -rn | head", "printf '%s\\n' \"${files[@]}\"",
    "git add -A && git commit -m 'fix: off by one' && git push", "mv a.txt b.txt; cp -r b c", "echo `date +%Y` >> log",
)  # fmt: skip
SCRIPT = """\
#!/bin/bash
set -euo pipefail
for file in "$root"/*.log; do
  if [ -s "$file" ] && grep -q "ERROR" "$file"; then
    count=$(grep -c "ERROR" "$file" || true)
    printf '%s: %d\\n' "${file##*/}" "$((count + 1))" >> "$report" 2>&1
  fi
done  # next
case "${1:-all}" in all|some) run --verbose;; *) echo "unknown: $1" >&2; exit 2;; esac
"""
CURVES = {
    "a script": SCRIPT,
    "the most costly text known: brackets that are looked at once for each level": f": {'$((' * 46}1{'))' * 46}\n",
    "text that is never understood": "<((",
}
KILOBYTES = (1, 4, 16, 64, 256, 1024)
WARM = 5


def others() -> dict[str, Callable[[str], object]]:
    """The parsers that are installed."""
    found: dict[str, Callable[[str], object]] = {}
    try:
        sitter, grammar = importlib.import_module("tree_sitter"), importlib.import_module("tree_sitter_bash")
        parser = sitter.Parser(sitter.Language(grammar.language()))
        found["tree-sitter-bash"] = lambda text: parser.parse(text.encode())
        found["tree-sitter-bash, each node seen"] = lambda text: visit(parser.parse(text.encode()).root_node)
    except ImportError:
        print("without tree-sitter-bash: pip install tree-sitter tree-sitter-bash")
    try:
        found["bashlex"] = importlib.import_module("bashlex").parse
    except ImportError:
        print("without bashlex: pip install bashlex")
    return found


def visit(node: Any) -> int:  # the type is that of a library that may not be there
    """What a Python program does at least to use such a tree: look at every node."""
    count, waiting = 0, [node]
    while waiting:
        node = waiting.pop()
        count += len(node.type)
        waiting.extend(node.children)
    return count


def accepts(way: Callable[[str], object], text: str) -> bool:
    try:
        way(text)
    except Exception:  # noqa: BLE001 - what another parser raises is its own affair
        return False
    return True


def measure(ways: dict[str, Callable[[str], object]], commands: list[str], rounds: int) -> dict[str, list[float]]:
    """In another order each time: whoever comes behind a slow one finds the processor's caches cold."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    order, random = list(ways.items()), Random(0)
    for number in range(rounds + WARM):
        for text in commands:
            random.shuffle(order)
            for name, way in order:
                began = time.perf_counter()
                way(text)
                if number >= WARM:
                    times[name].append(time.perf_counter() - began)
    return times


def compare(rounds: int) -> None:
    ways: dict[str, Callable[[str], object]] = {"limpet parse": parse, "limpet parse and walk": walk, **others()}
    short = [text for text in COMMANDS if len(text) < 100]
    for name, way in ways.items():
        if refused := [text for text in short if not accepts(way, text)]:
            print(f"{name} refuses {len(refused)} of {len(short)} commands; they are left out for all")
            short = [text for text in short if text not in refused]
    times = measure(ways, short, rounds)
    base = statistics.median(times["limpet parse"])
    print(f"{len(short)} commands under 100 characters, {rounds} interleaved rounds")
    print(f"{'':34} {'median':>10} {'p99':>10} {'median':>8}")
    for name, values in times.items():
        median, p99 = statistics.median(values), statistics.quantiles(values, n=100)[-1]
        print(f"{name:34} {median * 1e6:7.1f} us {p99 * 1e6:7.1f} us {median / base:7.2f}x")


def curve(name: str, unit: str) -> None:
    print(f"{name}, ms per KB:")
    for kilobytes in KILOBYTES:
        text = (unit * (kilobytes * 1024 // len(unit) + 1))[: kilobytes * 1024]
        times = []
        for _ in range(3 if kilobytes < 256 else 1):
            gc.collect()
            began = time.process_time()
            parse(text)
            times.append(time.process_time() - began)
        print(f"  {kilobytes:5} KB {min(times) / kilobytes * 1000:7.3f}", flush=True)


def main() -> None:
    compare(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    for name, unit in CURVES.items():
        curve(name, unit)


if __name__ == "__main__":
    main()
