"""A client of the SDK against the real `limpet mcp`: over stdio or HTTP, in the older or the newer protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from commandline import SOURCE
from mcp import StdioServerParameters

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path
    from typing import TypeVar

    T = TypeVar("T")

OLDER, NEWER = "legacy", "2026-07-28"
ERAS = (OLDER, NEWER)
TOKEN = "0123456789abcdef-token"
WITHIN = 100.0


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCE), **more}


def argv(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "limpet", "mcp", *arguments]


def soon(work: Coroutine[Any, Any, T]) -> T:
    """What comes of it, within a bound."""
    return asyncio.run(asyncio.wait_for(work, WITHIN))


@contextlib.asynccontextmanager
async def over_stdio(workspace: Path, era: str, *arguments: str, **client: Any) -> AsyncIterator[Client]:
    command, *rest = argv(*arguments)
    server = StdioServerParameters(command=command, args=rest, env=environment(), cwd=str(workspace))
    async with Client(server, mode=era, **client) as connected:
        yield connected


class HttpServer:
    """`limpet mcp --http` with a port of its own."""

    def __init__(self, workspace: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            argv("--http", "0", *arguments), cwd=workspace, env=environment(LIMPET_MCP_TOKEN=TOKEN),
            stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stderr is not None
        said = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", said)
        assert found, said + self.process.stderr.read()
        self.url, self.port = found[0], int(found[1])

    @contextlib.asynccontextmanager
    async def client(self, era: str, **client: Any) -> AsyncIterator[Client]:
        async with (
            create_mcp_http_client(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=era, **client) as connected,
        ):
            yield connected

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


async def call(client: Client, name: str, /, **arguments: Any) -> types.CallToolResult:
    return await client.call_tool(name, arguments)


def text(result: types.CallToolResult) -> str:
    (only,) = result.content
    assert isinstance(only, types.TextContent)
    return only.text


def id_of(said: str) -> str:
    found = re.search(r"^Id: (\w+)$", said, re.MULTILINE)
    assert found, said
    return found[1]


class Raw:
    """`limpet mcp` over stdio, line by line."""

    def __init__(self, workspace: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            argv(*arguments), cwd=workspace, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def send(self, *lines: bytes | dict[str, Any]) -> None:
        assert self.process.stdin is not None
        for line in lines:
            data = line if isinstance(line, bytes) else json.dumps({"jsonrpc": "2.0", **line}).encode()
            self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def close(self) -> None:
        """The client leaves; the server ends."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(WITHIN)
        self.process.stdout.close()


def greeting(version: str = "2025-06-18", **can: Any) -> dict[str, Any]:
    """How a client of the older protocol begins."""
    params = {"protocolVersion": version, "capabilities": can, "clientInfo": {"name": "raw", "version": "1"}}
    return {"id": 0, "method": "initialize", "params": params}


INITIALIZED = {"method": "notifications/initialized"}


def tool_call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
