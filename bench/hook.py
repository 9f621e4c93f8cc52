"""What a hook call costs an agent, against a bare interpreter, in interleaved rounds.

python bench/hook.py [rounds]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
EVENT = {
    "session_id": "s", "transcript_path": "/t", "cwd": os.getcwd(), "permission_mode": "default",
    "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t",
    "tool_input": {"command": "git status --short"},
}  # fmt: skip


def ways(state: str) -> dict[str, tuple[list[str], dict[str, str]]]:
    quiet = {**os.environ, "LIMPET_STATE_DIR": f"{state}/none", "LIMPET_HOOKS_HELPER": "0"}
    fast = {**os.environ, "LIMPET_STATE_DIR": f"{state}/helper", "LIMPET_HOOKS_HELPER": "60"}
    return {
        "python -c pass": ([sys.executable, "-c", "pass"], quiet),
        "limpet-hook, with a helper": ([f"{SCRIPTS}/limpet-hook", "claude"], fast),
        "limpet hook, with a helper": ([f"{SCRIPTS}/limpet", "hook", "claude"], fast),
        "limpet-hook, without": ([f"{SCRIPTS}/limpet-hook", "claude"], quiet),
    }


def once(argv: list[str], environ: dict[str, str]) -> float:
    time.sleep(0.03)  # what the call before left to be done is not this one's
    began = time.perf_counter()
    done = subprocess.run(argv, input=json.dumps(EVENT).encode(), capture_output=True, env=environ)
    took = time.perf_counter() - began
    assert done.returncode == 0, done
    return took


def helper_is_there(state: str) -> bool:
    return any(path.is_socket() for path in Path(state, "helper", "helper").glob("*"))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as state:
        known = ways(state)
        for _ in range(100):
            for argv, environ in known.values():
                once(argv, environ)
            if helper_is_there(state):
                break
        times: dict[str, list[float]] = {name: [] for name in known}
        for _ in range(rounds):
            for name, (argv, environ) in known.items():
                times[name].append(once(argv, environ))
    base = statistics.median(times["python -c pass"])
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:32} {median * 1000:7.1f} ms {median / base:6.2f}x")


if __name__ == "__main__":
    main()
