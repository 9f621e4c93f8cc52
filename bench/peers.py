"""What a contained command costs in the sandboxes of other agents, and in limpet, in one interleaved run.

python bench/peers.py [rounds]

Those take part whose programs are on the PATH: `codex` (npm: @openai/codex), `srt` (npm: @anthropic-ai/sandbox-runtime;
it needs socat and ripgrep). Each as its command line, and as its agent would use it: Codex's helper started directly,
and the library of the other in a process that stays.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import limpet

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    Run = Callable[[str], None]
    Contender = Callable[[str], Awaitable[object]]

GAP = 0.05
COMMANDS = ("true", "/bin/ls ..")
_CODEX = ["codex", "sandbox", "-P", ":workspace", "--"]
_LIBRARY = """
import { SandboxManager } from "%(library)s";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
const files = { denyRead: [], allowWrite: ["%(workspace)s"], denyWrite: [] };
await SandboxManager.initialize({ network: { allowedDomains: [], deniedDomains: [] }, filesystem: files });
for await (const line of createInterface({ input: process.stdin })) {
  const wrapped = await SandboxManager.wrapWithSandbox(line);
  const child = spawn(wrapped, { shell: "/bin/bash", stdio: ["ignore", "pipe", "pipe"], cwd: "%(workspace)s" });
  child.stdout.resume();
  child.stderr.resume();
  child.on("close", (code) => console.log(code));
}
process.exit(0);
"""


@contextlib.contextmanager
def peers(workspace: str, folder: str) -> Iterator[dict[str, Run]]:
    """Those that run here, by name; `folder` is for what they need."""
    with contextlib.ExitStack() as stack:
        found: dict[str, Run] = {}
        if shutil.which("codex"):
            found["codex"] = _program(_CODEX, workspace)
            found["its helper"] = _program(_helper(workspace, folder), workspace)
        if shutil.which("srt"):
            found["srt"] = _program(["srt", "--"], workspace)
            found["its library"] = stack.enter_context(_library(workspace))
        yield {name: run for name, run in found.items() if _runs_here(name, run)}


def _program(before: list[str], workspace: str) -> Run:
    def run(command: str) -> None:
        subprocess.run([*before, "bash", "-c", command], capture_output=True, cwd=workspace, check=True)

    return run


def _helper(workspace: str, folder: str) -> list[str]:
    """What Codex starts for each command: its own program under another name."""
    modules = Path(os.path.realpath(shutil.which("codex") or "/")).parent.parent.parent
    program = next(modules.glob("codex-linux-*/vendor/*/bin/codex"), Path("/there/is/none"))
    helper = Path(folder, "codex-linux-sandbox")
    helper.symlink_to(program)
    root = {"path": {"type": "special", "value": {"kind": "root"}}, "access": "read"}
    own = {"path": {"type": "path", "path": workspace}, "access": "write"}
    files = {"type": "restricted", "entries": [root, own]}
    profile = json.dumps({"type": "managed", "file_system": files, "network": "restricted"})
    places = ["--sandbox-policy-cwd", workspace, "--command-cwd", workspace]
    return [str(helper), *places, "--permission-profile", profile, "--"]


@contextlib.contextmanager
def _library(workspace: str) -> Iterator[Run]:
    library = Path(os.path.realpath(shutil.which("srt") or "/")).parent / "index.js"
    words = ["node", "--input-type=module", "--eval", _LIBRARY % {"library": library, "workspace": workspace}]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        asked, told = node.stdin, node.stdout

        def run(command: str) -> None:
            print(command, file=asked, flush=True)
            if told.readline().strip() != "0":
                raise OSError("the command did not run")

        yield run
        asked.close()


def _runs_here(name: str, run: Run) -> bool:
    try:
        run("true")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{name} does not run here: {getattr(error, 'stderr', b'') or error}"[:200])
        return False
    return True


async def measure(contenders: dict[str, Contender], command: str, rounds: int) -> dict[str, float]:
    """The median of each, in seconds; once a round, in random order."""
    took: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name in random.sample(list(contenders), len(contenders)):
            await asyncio.sleep(GAP)
            began = time.perf_counter()
            await contenders[name](command)
            took[name].append(time.perf_counter() - began)
    return {name: statistics.median(values) for name, values in took.items()}


def blocking(run: Run) -> Contender:
    """In the event loop's own thread: that is the quickest way."""

    async def contender(command: str) -> None:
        run(command)

    return contender


async def main(rounds: int) -> None:
    """All of it, as multiples of what limpet takes."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as workspace:
        environ = {**os.environ, "LIMPET_STATE_DIR": f"{folder}/state"}
        async with limpet.open(workspace, sandbox="native", profile="open", environ=environ) as shell:
            with peers(workspace, folder) as others:
                runs = {"subprocess.run": _program([], workspace), **others}
                contenders = {"limpet": shell.run, **{name: blocking(run) for name, run in runs.items()}}
                for command in COMMANDS:
                    medians = await measure(contenders, command, rounds)
                    cells = (f"{name} {median / medians['limpet']:.2f}" for name, median in medians.items())
                    print(f"{command + ', 50 ms apart':<24}", "   ".join(cells))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
