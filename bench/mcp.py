"""How long a client of `limpet mcp` waits, against a bare interpreter and a bare server of the SDK, in turns.

python bench/mcp.py [rounds]
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

WHO = {"name": "bench", "version": "1"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": WHO}
CALL = {"name": "bash", "arguments": {"command": "true"}}
Steps = tuple[tuple[str, list[dict[str, Any]]], ...]
STEPS: Steps = (
    ("initialize is answered", [{"id": 0, "method": "initialize", "params": HELLO}]),
    ("the tools are listed", [{"method": "notifications/initialized"}, {"id": 1, "method": "tools/list"}]),
    ("a first command is answered", [{"id": 2, "method": "tools/call", "params": CALL}]),
    ("and a second", [{"id": 3, "method": "tools/call", "params": CALL}]),
)


BARE = "from mcp.server import MCPServer; MCPServer('bare').run('stdio')"


def started() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - began


def served(workspace: str, words: tuple[str, ...], steps: Steps = STEPS) -> dict[str, float]:
    """Seconds from the start to each answer; of the second command, those of the call alone."""
    began = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, *words], cwd=workspace, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    times: dict[str, float] = {}
    for name, lines in steps:
        last = time.perf_counter() if name == "and a second" else began
        server.stdin.write(b"".join(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n" for line in lines))
        server.stdin.flush()
        assert b'"result"' in server.stdout.readline(), name
        times[name] = time.perf_counter() - last
    server.stdin.close()
    server.wait()
    server.stdout.close()
    return times


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    times: dict[str, list[float]] = {name: [] for name in ("python -c pass", "a bare server answers")}
    times |= {name: [] for name, _ in STEPS}
    with tempfile.TemporaryDirectory() as workspace:
        for _ in range(rounds):
            times["python -c pass"].append(started())
            times["a bare server answers"] += served(workspace, ("-c", BARE), STEPS[:1]).values()
            for name, seconds in served(workspace, ("-m", "limpet", "mcp")).items():
                times[name].append(seconds)
    one, bare = (statistics.median(times[name]) for name in ("python -c pass", "a bare server answers"))
    for name, values in times.items():
        middle = statistics.median(values)
        print(f"{name:28} {middle * 1000:7.0f} ms  {middle / one:6.2f}x  {middle / bare:5.2f}x the bare server")


if __name__ == "__main__":
    main()
