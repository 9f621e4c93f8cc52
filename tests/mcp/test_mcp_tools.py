"""What a client of the protocol sees of limpet, over both transports and in both protocols."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import mcp_types as types
import pytest

import limpet
from living import alive, marker, sleeping, wait_for, wait_gone
from mcpclient import ERAS, NEWER, OLDER, HttpServer, call, id_of, over_stdio, soon, text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from mcp.client import Client

TOOLS = ["bash", "bash_output", "bash_input", "bash_stop", "bash_tasks", "bash_session", "bash_changes"]


@contextlib.asynccontextmanager
async def connected(transport: str, workspace: Path, era: str, **client: Any) -> AsyncIterator[Client]:
    if transport == "stdio":
        async with over_stdio(workspace, era, **client) as one:
            yield one
        return
    server = await asyncio.to_thread(HttpServer, workspace)
    try:
        async with server.client(era, **client) as one:
            yield one
    finally:
        await asyncio.to_thread(server.close)


@pytest.mark.req("TU-16")
@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("era", ERAS)
def test_a_client_finds_the_tools_calls_them_and_calls_off_what_takes_too_long(
    workspace: Path, transport: str, era: str
) -> None:
    mark = marker()
    told: list[str | None] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def tour() -> None:
        async with connected(transport, workspace, era) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == TOOLS
            assert "bash_output reads all of it, by the id after `Run:`." in (listed[0].description or "")
            assert listed[0].annotations is not None
            assert (listed[0].annotations.read_only_hint, listed[0].annotations.destructive_hint) == (False, True)

            done = await call(client, "bash", command="echo out; echo err >&2; pwd; exit 3", description="Try")
            assert text(done) == (
                f"Command: echo out; echo err >&2; pwd; exit 3\nExit Code: 3\nWorking Directory: {workspace}\n\n"
                f"STDOUT:\nout\n{workspace}\n\nSTDERR:\nerr"
            )
            assert (done.is_error, done.structured_content) == (False, None)
            assert done.meta is not None
            assert (done.meta["limpet"]["outcome"], done.meta["limpet"]["exit_code"]) == ("exited", 3)

            flood = await call(client, "bash", command="seq 1 2000000")
            assert len(text(flood)) < 60_000
            (listed_run,) = [one for one in (await client.list_resources()).resources if "seq" in (one.title or "")]
            (stored,) = (await client.read_resource(str(listed_run.uri))).contents
            assert getattr(stored, "text", "").endswith("1999999\n2000000\n")

            slow = asyncio.ensure_future(
                client.call_tool(
                    "bash",
                    {"command": f"echo begun; (setsid sleep {mark} &) ; sleep {mark}"},
                    progress_callback=progress,
                )
            )
            await asyncio.to_thread(wait_for, lambda: len(sleeping(mark)) == 2 and told, 20)
            slow.cancel()
            await asyncio.to_thread(wait_gone, mark, 10)
            assert text(await call(client, "bash", command="echo still here")).endswith(
                "STDOUT:\nstill here\n\nSTDERR:\n(no errors)"
            )

    soon(tour())
    assert any("begun" in (words or "") for words in told)


def test_a_slow_command_in_a_workspace_that_was_named_goes_on_is_read_typed_into_and_ended(workspace: Path) -> None:
    mark = marker()

    async def tour() -> None:
        fixed = ("--workspace", str(workspace / "src"), "--yield", "2")
        async with over_stdio(workspace, OLDER, *fixed, list_roots_callback=_roots(workspace)) as client:
            assert f"STDOUT:\n{workspace}/src\n" in text(await call(client, "bash", command="pwd"))
            said = text(await call(client, "bash", command=f"echo one; sleep {mark}", **{"yield": 3_600_000}))
            name = id_of(said)
            assert "Status: running for " in said
            listed = text(await call(client, "bash_tasks"))
            assert (name in listed, "running for" in listed) == (True, True)
            while "Next offset: 4" not in (
                read := text(await call(client, "bash_output", task_id=name, since=2, wait=99))
            ):
                assert "running" in read
            assert read.endswith("Next offset: 4\n\ne")
            assert "running" in text(await call(client, "bash_output", id=name, wait=3_600_000))
            ended = text(await call(client, "bash_stop", id=name))
            assert ("Outcome: cancelled" in ended, "STDOUT:\none" in ended) == (True, True)
            assert alive(mark) == []

            asked = text(
                await call(
                    client, "bash", command="read -p 'Name? ' x; echo hello $x", terminal=True, **{"yield": 20000}
                )
            )
            assert "it waits for input: 'Name?'" in asked
            answered = text(await call(client, "bash_input", id=id_of(asked), text="Ada", keys=["enter"]))
            if "Exit Code: 0" not in answered:
                answered = text(await call(client, "bash_output", id=id_of(asked), wait=10000))
            assert "hello Ada" in answered
            numbers = text(await call(client, "bash", command="seq 1 50000"))
            run = numbers.rpartition("Run: ")[2]
            assert text(await call(client, "bash_output", id=run, tail=2)).endswith("\n\n49999\n50000")
            assert text(await call(client, "bash_output", id=run, grep="^4999[89]$")).endswith("\n\n49998\n49999")
            whole = text(await call(client, "bash_output", id=run))
            assert ("characters before this were left out: narrow it" in whole, len(whole) < 31_000) == (True, True)

    soon(tour())


def test_what_is_wrong_with_a_call_is_told_and_nothing_runs(workspace: Path) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("bash", {}, "the argument command is missing"),
        ("bash", {"command": 7}, "command must be a text, not 7"),
        ("bash", {"command": "true", "timeout": "1 s"}, "timeout must be a number of milliseconds, not '1 s'"),
        ("bash", {"command": "true", "tiemout": 5}, "unknown arguments: tiemout; there are: background, command, "),
        ("bash", {"command": "true", "cwd": "/"}, "outside"),
        ("bash", {"command": "true", "yield": -1}, "yield must be a number of milliseconds up to 3,600,000, not -1"),
        ("bash", {"command": "  "}, "refused: "),
        ("bash_output", {"id": "../../etc/passwd"}, "is not the id of a run"),
        ("bash_stop", {"id": "r0"}, "there is no run 'r0' here"),
        ("bash_stop", {"id": "t0"}, "there is no task 't0' in this workspace; bash_tasks lists them"),
        ("bash_input", {"id": "r0", "keys": ["any"]}, "is no key"),
        ("bash_tasks", {"all": True}, "unknown arguments: all; there are: none"),
        ("bash_changes", {"action": "show"}, "there is no draft"),
        ("bash_changes", {"action": "undo"}, "action must be show, keep or drop, not 'undo'"),
        ("bash_session", {}, "give it a command to run, or close: true, and not both"),
        ("bash_session", {"close": True, "name": "other"}, "there is no session 'other'"),
        ("rm", {}, "there is no tool 'rm'; there are: bash, "),
    ]

    async def tour() -> None:
        async with over_stdio(workspace, OLDER) as client:
            for name, arguments, words in wrong:
                said = await client.call_tool(name, arguments)
                assert said.is_error, name
                assert words in text(said)

    soon(tour())


def test_the_workspace_is_the_root_of_the_client(workspace: Path) -> None:
    async def where() -> str:
        async with over_stdio(workspace, OLDER, list_roots_callback=_roots(workspace / "src")) as client:
            return text(await call(client, "bash", command="pwd"))

    assert f"STDOUT:\n{workspace}/src\n" in soon(where())


def _roots(folder: Path) -> Any:
    async def roots(_context: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root.model_validate({"uri": f"file://{folder}"})])

    return roots


def test_a_draft_is_seen_kept_in_part_and_dropped(workspace: Path) -> None:
    async def tour() -> None:
        async with over_stdio(workspace, OLDER, "--sandbox", "auto") as client:
            tried = await call(client, "bash", command="echo a > a.txt; echo b > b.txt; rm README.md", draft=True)
            if "needs the sandbox" in text(tried):
                pytest.skip(text(tried))
            assert "STDOUT:\na\n" in text(await call(client, "bash", command="cat a.txt", draft=True))
            assert (workspace / "README.md").exists()
            assert not (workspace / "a.txt").exists()
            shown = text(await call(client, "bash_changes", action="show"))
            assert shown.startswith("Draft: 2 added, ")
            assert all(name in shown for name in ("a.txt", "b.txt", "README.md"))
            kept = text(await call(client, "bash_changes", action="keep", paths=["a.txt"]))
            assert kept.startswith("Kept: 1 added. To take it back: limpet undo ")
            assert "STDOUT:\na\n" in text(await call(client, "bash", command="cat a.txt"))
            assert text(await call(client, "bash_changes", action="drop")).endswith("The workspace is as it was.")
            assert (await call(client, "bash_changes", action="show")).is_error

    soon(tour())
    assert sorted(path.name for path in workspace.iterdir() if path.name[0] in "abR") == ["README.md", "a.txt"]


@pytest.mark.req("MY-05")
def test_a_task_in_the_background_outlives_the_server_and_is_found_by_the_next(workspace: Path) -> None:
    mark = marker()

    async def begin() -> str:
        async with over_stdio(workspace, OLDER) as client:
            wrong = await call(client, "bash", command="true", background=True, draft=True)
            assert text(wrong) == "refused: a command in the background cannot be part of a draft"
            return id_of(text(await call(client, "bash", command=f"echo up; sleep {mark}", background=True)))

    async def go_on(name: str) -> None:
        async with over_stdio(workspace, OLDER) as client:
            assert f"task {name}: running" in text(await call(client, "bash_tasks"))
            read = text(await call(client, "bash_output", id=name, tail=5))
            assert read.endswith("Next offset: 3\n\nup")
            assert "Outcome: cancelled" in text(await call(client, "bash_stop", id=name))
            assert f"task {name}: stopped" in text(await call(client, "bash_tasks"))

    name = soon(begin())
    try:
        assert len(sleeping(mark)) == 1
        soon(go_on(name))
    finally:
        limpet.sync.open(workspace).stop_tasks()
    assert alive(mark) == []


@pytest.mark.req("MY-05")
def test_a_call_that_comes_back_early_leaves_a_task_that_the_next_client_finds(workspace: Path) -> None:
    mark = marker()

    async def begin() -> str:
        async with over_stdio(workspace, OLDER) as client:
            said = text(await call(client, "bash", command=f"echo up; sleep {mark}", **{"yield": 300}))
            assert "Status: running for " in said
            return id_of(said)

    async def go_on(name: str) -> None:
        async with over_stdio(workspace, NEWER) as client:
            assert f"task {name}: running for " in text(await call(client, "bash_tasks"))
            assert text(await call(client, "bash_output", id=name)).endswith("Next offset: 3\n\nup")
            assert "Outcome: cancelled" in text(await call(client, "bash_stop", id=name))

    name = soon(begin())
    assert [task.id for task in limpet.sync.open(workspace).tasks()] == [name]
    assert len(sleeping(mark)) == 1
    soon(go_on(name))
    assert alive(mark) == []
