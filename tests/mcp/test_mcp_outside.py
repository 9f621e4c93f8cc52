"""Clients that leave, lie, or are not clients at all: seen from outside."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from limpet.surfaces.mcp.early import NEWER as NEWEST
from limpet.surfaces.mcp.early import OLDER as EARLY
from limpet.surfaces.mcp.early import Early
from limpet.surfaces.mcp.wishes import Wishes
from living import alive, marker, processes, sleeping, wait_for, wait_gone
from mcpclient import (
    INITIALIZED,
    NEWER,
    OLDER,
    TOKEN,
    HttpServer,
    Raw,
    argv,
    call,
    environment,
    greeting,
    soon,
    text,
    tool_call,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTS = ("tools/list", "resources/list", "resources/templates/list")
CLIENT = """
import json, subprocess, sys, time
server = subprocess.Popen(json.loads(sys.argv[1]), stdin=subprocess.PIPE)
for line in json.loads(sys.argv[2]):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\\n")
server.stdin.flush()
print(server.pid, flush=True)
time.sleep(1000)
"""


def test_a_client_that_is_killed_leaves_nothing_behind(workspace: Path) -> None:
    mark = marker()
    said = [greeting(), INITIALIZED, tool_call(1, "bash", command=f"setsid sleep {mark} & sleep {mark}")]
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, json.dumps(argv()), json.dumps(said)],
        cwd=workspace, env=environment(), stdout=subprocess.PIPE,
    )  # fmt: skip
    assert client.stdout is not None
    server = int(client.stdout.readline())
    wait_for(lambda: len(sleeping(mark)) == 2, 30)
    client.send_signal(signal.SIGKILL)
    client.wait()
    wait_gone(mark, 20)
    wait_for(lambda: server not in {one.pid for one in processes() if one.state != "Z"}, 20)
    client.stdout.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_is_ended_takes_its_commands_with_it(workspace: Path, how: signal.Signals) -> None:
    mark = marker()
    server = Raw(workspace)
    server.send(greeting(), INITIALIZED, tool_call(1, "bash", command=f"sleep {mark}"))
    wait_for(lambda: sleeping(mark), 30)
    server.process.send_signal(how)
    wait_gone(mark, 20)
    server.close()


def test_garbage_is_no_end_and_reaches_no_shell(workspace: Path) -> None:
    server = Raw(workspace)
    server.send(
        b"hello", b"", b"{", b"[]", b"\xff\xfe\x00", b"[" * 100_000, b'{"jsonrpc":"2.0"}', b"x" * 5_000_000,
        {"id": None, "method": "tools/list"}, {"id": 7, "method": 7},
        {"method": "tools/call", "params": {"name": "bash"}}, greeting(), INITIALIZED,
        {"id": 1, "method": "no/such"}, tool_call(2, "bash", command="echo fine"),
    )  # fmt: skip
    answers: dict[Any, dict[str, Any]] = {}
    while 2 not in answers:
        one = server.receive()
        answers[one.get("id")] = one
    assert answers[0]["result"]["serverInfo"]["name"] == "limpet"
    assert answers[1]["error"]["code"] == -32601
    assert "STDOUT:\nfine\n" in answers[2]["result"]["content"][0]["text"]
    server.close()


def _meta() -> dict[str, Any]:
    name = "io.modelcontextprotocol/"
    return {f"{name}protocolVersion": NEWEST, f"{name}clientCapabilities": {}}


@pytest.mark.parametrize("version", [*EARLY, NEWEST])
def test_what_is_answered_early_is_what_the_sdk_would_have_said(workspace: Path, version: str) -> None:
    """What cannot be answered early, the SDK answers, and everything after it."""
    if version == NEWEST:
        first: list[dict[str, Any]] = []
        asked = [
            {"id": n, "method": name, "params": {"_meta": _meta()}}
            for n, name in enumerate(("server/discover", *LISTS))
        ]
        other = {"id": "r", "method": "resources/read", "params": {"uri": "limpet://none", "_meta": _meta()}}
    else:
        first = [greeting(version), INITIALIZED]
        asked = [{"id": n, "method": name, "params": {}} for n, name in enumerate(("ping", *LISTS), 1)]
        other = {"id": "r", "method": "resources/read", "params": {"uri": "limpet://none"}}
    early = Early(Wishes(str(workspace), fixed=True, patience=50.0, options={}), os.environ)
    told = [early.hear(json.dumps({"jsonrpc": "2.0", **line}).encode()) for line in (*first, *asked)]
    said = {one.id: json.loads(one.text) for one in told if one is not None and one.text is not None}
    server = Raw(workspace)
    server.send(
        *(first[:1] and [{**first[0], "params": {**first[0]["params"], "_meta": {}}}]), *first[1:], other, *asked
    )
    heard = {one["id"]: one for one in (server.receive() for _ in range(len(said) + 1))}
    server.close()
    assert said == {name: heard[name] for name in said}
    assert len(said) == len(first[:1]) + len(asked)


def test_the_protocols_that_are_answered_early_are_some_of_those_the_sdk_knows() -> None:
    assert set(EARLY) <= set(HANDSHAKE_PROTOCOL_VERSIONS)
    assert (NEWEST,) == MODERN_PROTOCOL_VERSIONS


@pytest.fixture
def web(workspace: Path) -> Iterator[HttpServer]:
    server = HttpServer(workspace)
    yield server
    server.close()


def _status(web: HttpServer, **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=30)
    usual = {
        "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }  # fmt: skip
    body = json.dumps({"jsonrpc": "2.0", **greeting()})
    connection.request("POST", "/mcp", body, {name: value for name, value in {**usual, **headers}.items() if value})
    status = connection.getresponse().status
    connection.close()
    return status


def test_over_http_only_this_machine_with_the_token_is_served(web: HttpServer) -> None:
    assert _status(web) == 200
    assert _status(web, Authorization="") == 401
    assert _status(web, Authorization=f"Bearer {TOKEN[:-1]}x") == 401
    assert _status(web, Authorization=f"bearer {TOKEN}x") == 401
    assert _status(web, Host="evil.example") == 421
    assert _status(web, Host=f"evil.example:{web.port}") == 421
    assert _status(web, Origin="http://evil.example") == 403
    assert _status(web, Origin=f"http://127.0.0.1:{web.port}") == 200
    with open(f"/proc/{web.process.pid}/net/tcp", encoding="ascii") as file:
        listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
    assert f"0100007F:{web.port:04X}" in listening


def test_two_clients_at_once_over_http(web: HttpServer) -> None:
    mark = marker()

    async def one(era: str, word: str) -> str:
        async with web.client(era) as client:
            return text(await call(client, "bash", command=f"echo {word}; printenv LIMPET_MCP_TOKEN"))

    async def leaving() -> None:
        async with web.client(NEWER) as client:
            slow = asyncio.ensure_future(call(client, "bash", command=f"sleep {mark}"))
            await asyncio.to_thread(wait_for, lambda: sleeping(mark), 20)
            slow.cancel()

    async def both() -> tuple[str, str]:
        return await asyncio.gather(one(OLDER, "left"), one(NEWER, "right"))

    left, right = soon(both())
    assert ("STDOUT:\nleft\n\n" in left, "STDOUT:\nright\n\n" in right) == (True, True)
    soon(leaving())
    wait_gone(mark, 20)
    web.process.send_signal(signal.SIGINT)
    web.process.wait(30)
    assert alive(mark) == []


@pytest.mark.parametrize("token", ["short", "with a space in it", "näher am Geheimnis"])
def test_a_token_that_is_none_is_refused(workspace: Path, token: str) -> None:
    done = subprocess.run(
        argv("--http", "0"), cwd=workspace, env=environment(LIMPET_MCP_TOKEN=token), capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr.startswith("limpet: $LIMPET_MCP_TOKEN: must be at least 16")) == (125, True)


def test_settings_that_are_wrong_are_told_before_anything_is_served(workspace: Path) -> None:
    Path(os.environ["XDG_CONFIG_HOME"], "limpet").mkdir(parents=True)
    Path(os.environ["XDG_CONFIG_HOME"], "limpet", "config.toml").write_text("[run]\ntimeout = 'soon'\n")
    done = subprocess.run(argv(), cwd=workspace, env=environment(), input=b"", capture_output=True, timeout=60)
    assert (done.returncode, b"config.toml:2" in done.stderr, done.stdout) == (125, True, b"")


def test_rules_that_change_count_from_the_next_command_on_also_in_a_session(workspace: Path) -> None:
    rules = Path(os.environ["XDG_CONFIG_HOME"], "limpet", "config.toml")
    rules.parent.mkdir(parents=True)
    server = Raw(workspace, "--structured")
    server.send(greeting(), INITIALIZED, tool_call(1, "bash_session", command="x=kept"))
    server.receive()

    def said(number: int, command: str) -> Any:
        server.send(tool_call(number, "bash_session", command=command))
        while (answer := server.receive()).get("id") != number:
            pass
        return answer["result"]

    assert said(2, "echo $x")["structuredContent"]["stdout"] == "kept\n"
    rules.write_text('[policy]\nblock = ["printf *"]\n')
    assert said(3, "printf $x")["structuredContent"]["outcome"] == "denied"
    assert said(4, "echo $x")["structuredContent"]["stdout"] == "kept\n"
    rules.write_text("[policy]\nblock = 7\n")
    assert "config.toml:2" in said(5, "echo $x")["content"][0]["text"]
    server.close()
