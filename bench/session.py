"""Time of a command in a session that is there already, through the whole road, against what one would use instead.

python bench/session.py [rounds]

SWE-ReX and LangChain take part where `swe-rex` and `langchain` are installed beside limpet. Each round runs a few
commands with every contender, one contender after the other, so that all see the same machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import limpet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    Way = Callable[[], Awaitable[None]]

COMMAND = "true"
AT_ONCE = 10
BASE = "subprocess.run bash -c"
SLOW = {"SWE-ReX run_in_session": 1, "LangChain ShellSession": 1}
"""Commands of those for which a tenth of a second each adds up."""


async def with_subprocess() -> None:
    # Blocking is what is measured here.
    assert subprocess.run(["bash", "-c", COMMAND], capture_output=True).returncode == 0  # noqa: ASYNC221 - see above


@contextlib.asynccontextmanager
async def contenders(folder: str) -> AsyncIterator[dict[str, Way]]:
    async with contextlib.AsyncExitStack() as stack:
        ways: dict[str, Way] = {BASE: with_subprocess}
        for sandbox in ("none", "native"):
            with contextlib.suppress(limpet.SandboxUnavailableError):
                ways[f"limpet session, sandbox {sandbox}"] = await limpet_session(stack, folder, sandbox)
        for name, make in {"SWE-ReX run_in_session": swe_rex, "LangChain ShellSession": langchain}.items():
            try:
                ways[name] = await make(stack, folder)
            except ImportError as error:
                print(f"{name}: not installed ({error})", file=sys.stderr)
        yield ways


async def limpet_session(stack: contextlib.AsyncExitStack, folder: str, sandbox: str) -> Way:
    shell = await stack.enter_async_context(limpet.open(folder, sandbox=sandbox))
    bash = await stack.enter_async_context(shell.session())

    async def way() -> None:
        assert (await bash.run(COMMAND)).exit_code == 0

    await way()
    return way


async def swe_rex(stack: contextlib.AsyncExitStack, _: str) -> Way:
    asked: Any = importlib.import_module("swerex.runtime.abstract")
    runtime = importlib.import_module("swerex.runtime.local").LocalRuntime()
    await runtime.create_session(asked.CreateBashSessionRequest())
    stack.push_async_callback(runtime.close)

    async def way() -> None:
        assert (await runtime.run_in_session(asked.BashAction(command=COMMAND))).exit_code == 0

    return way


async def langchain(stack: contextlib.AsyncExitStack, folder: str) -> Way:
    module: Any = importlib.import_module("langchain.agents.middleware.shell_tool")
    session = module.ShellSession(Path(folder), module.HostExecutionPolicy(), ("/bin/bash",), dict(os.environ))
    session.start()
    stack.callback(session.stop, 1.0)

    async def way() -> None:
        assert session.execute(COMMAND, timeout=30).exit_code == 0

    return way


async def measure(rounds: int, folder: str) -> dict[str, list[float]]:
    async with contenders(folder) as ways:
        times: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(rounds + 2):
            for name, way in ways.items():
                for _ in range(SLOW.get(name, AT_ONCE)):
                    began = time.perf_counter()
                    await way()
                    if number >= 2:
                        times[name].append(time.perf_counter() - began)
        return times


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LIMPET_STATE_DIR"] = f"{folder}/state"
        workspace = Path(folder, "workspace")
        workspace.mkdir()
        times = asyncio.run(measure(rounds, str(workspace)))
    base = statistics.median(times[BASE])
    print(f"{'`true`, ' + str(rounds) + ' interleaved rounds':42} {'median':>8} {'p95':>8} {'n':>5}")
    for name, values in times.items():
        p95 = statistics.quantiles(values, n=20)[-1]
        print(f"{name:42} {statistics.median(values) / base:7.2f}x {p95 / base:7.2f}x {len(values):5}")


if __name__ == "__main__":
    main()
