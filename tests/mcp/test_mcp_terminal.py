"""Commands with a terminal, as a model talks to them: what they ask, what is typed, what the screen shows."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from commandline import SOURCE
from living import marker, sleeping, wait_for, wait_gone
from mcpclient import ERAS, INITIALIZED, OLDER, Raw, call, greeting, id_of, over_stdio, soon, text, tool_call

if TYPE_CHECKING:
    import mcp_types as types

LONG = {"yield": 40_000}
DRAW = r"printf '\033[2J\033[1;1Hone\033]52;c;ZXZpbA==\a\033[2;3Htwo '; read -n1 k; printf '\033[4;1H<%s>' $k; read -n1"


def first(result: types.CallToolResult) -> str:
    """What is said of the run, before what is said of its session."""
    return str(getattr(result.content[0], "text", ""))


@pytest.mark.req("MY-15", "TU-16")
@pytest.mark.parametrize("era", ERAS)
def test_a_command_of_a_session_asks_is_answered_and_leaves_what_it_read(workspace: Path, era: str) -> None:
    async def tour() -> None:
        async with over_stdio(workspace, era) as client:
            command = "cd src; echo begun; read -p 'Name? ' n; read -sp 'Key? ' k; echo; echo hello $n"
            asked = await call(client, "bash_session", command=command, terminal=True, **LONG)
            said = first(asked)
            name = id_of(said)
            assert said.startswith(f"Command: {command}\nStatus: running for ")
            assert said.endswith(
                f" bytes so far; it waits for input: 'Name?'\nId: {name}\n"
                "Next: bash_input with this id types the answer; bash_output with screen shows its screen; "
                "bash_stop ends it\n\nOUTPUT SO FAR:\nbegun\nName? "
            )
            assert not asked.is_error
            next_one = text(await call(client, "bash_input", id=name, text="Ada", keys=["enter"]))
            while "it waits for input: 'Key?'" not in next_one:
                next_one = text(await call(client, "bash_output", id=name, wait=10_000))
            done = text(await call(client, "bash_input", id=name, text="secret\n"))
            if "Exit Code: 0" not in done:
                done = text(await call(client, "bash_output", id=name, wait=10_000))
            assert ("hello Ada" in done, "secret" in done) == (True, False)
            last = first(await call(client, "bash_session", command="echo $n $k; test -t 0 && pwd"))
            assert f"STDOUT:\nAda secret\n{workspace}/src\n" in last

    soon(tour())


def test_the_screen_is_read_as_text_with_and_without_keys(workspace: Path) -> None:
    async def tour() -> None:
        async with over_stdio(workspace, OLDER) as client:
            name = id_of(first(await call(client, "bash_session", command=DRAW, terminal=True, **LONG)))
            head, shown = text(await call(client, "bash_output", id=name, screen=True)).split("\nScreen: ")
            assert head.startswith(f"Run {name}: running for ")
            assert shown == "24 rows, 80 columns; cursor in row 2, column 7\n\none\n  two"
            drawn = text(await call(client, "bash_input", id=name, keys=["x"], screen=True))
            while "<x>" not in drawn:
                drawn = text(await call(client, "bash_output", id=name, wait=10_000, screen=True))
            assert drawn.endswith("cursor in row 4, column 4\n\none\n  two x\n\n<x>")
            wrong = await call(client, "bash_output", id=name, screen=True, tail=3)
            assert text(wrong) == "refused: screen is all that is to be seen: leave out tail, since and grep"
            await call(client, "bash_session", close=True)

    soon(tour())


@pytest.mark.parametrize("more", [{}, {"draft": True}], ids=["task", "draft"])
def test_so_is_that_of_a_command_outside_of_sessions(workspace: Path, more: dict[str, Any]) -> None:
    async def tour() -> None:
        async with over_stdio(workspace, OLDER, "--sandbox", "auto") as client:
            said = text(await call(client, "bash", command=DRAW, terminal=True, **more, **LONG))
            if "needs the sandbox" in said:
                pytest.skip(said)
            name = id_of(said)
            shown = text(await call(client, "bash_output", id=name, screen=True))
            assert shown.endswith("\nScreen: 24 rows, 80 columns; cursor in row 2, column 7\n\none\n  two")
            await call(client, "bash_stop", id=name)

    soon(tour())


def test_without_pyte_it_is_the_end_of_the_output(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyte.py").write_text("raise ImportError\n")
    (tmp_path / "limpet").symlink_to(SOURCE / "limpet")
    monkeypatch.setattr("mcpclient.SOURCE", tmp_path)

    async def tour() -> None:
        async with over_stdio(workspace, OLDER) as client:
            command = r"seq 3; printf '\033[1mname? '; read"
            name = id_of(first(await call(client, "bash_session", command=command, terminal=True, **LONG)))
            shown = text(await call(client, "bash_output", id=name, screen=True))
            last = "\n(no screen: limpet[screen] is not installed; the last lines)\n\n1\n2\n3\nname?"
            assert shown.rstrip().endswith(last)
            await call(client, "bash_stop", id=name)

    soon(tour())


def test_what_waits_for_input_is_answered_before_anything_else_runs_in_its_session(workspace: Path) -> None:
    async def tour() -> None:
        async with over_stdio(workspace, OLDER) as client:
            name = id_of(first(await call(client, "bash_session", command="read -p 'Sure? '", terminal=True, **LONG)))
            refused = await call(client, "bash_session", command="yes")
            assert refused.is_error
            said = text(refused)
            assert said.startswith(
                "refused: the command was not started: session main is busy with \"read -p 'Sure? '\""
            )
            assert said.endswith(
                f" bytes so far; it waits for input: 'Sure?'\nId: {name}\n"
                "Next: bash_input with this id answers it, bash_stop ends it; then call again"
            )
            assert "STDOUT:\nfree" in first(await call(client, "bash_session", command="echo free", name="other"))
            assert "Outcome: cancelled" in text(await call(client, "bash_stop", id=name))
            assert "STDOUT:\nfree" in first(await call(client, "bash_session", command="echo free"))

    soon(tour())


def test_a_command_that_had_no_turn_in_time_is_called_off(workspace: Path) -> None:
    mark = marker()

    async def tour() -> None:
        async with over_stdio(workspace, OLDER) as client:
            begun = first(await call(client, "bash_session", command=f"sleep {mark}", **{"yield": 0}))
            name = id_of(begun)
            refused = await call(client, "bash_session", command="touch made", **{"yield": 100})
            assert (refused.is_error, f"session main is busy with 'sleep {mark}'" in text(refused)) == (True, True)
            assert f"\nId: {name}\nNext: bash_output with this id and wait waits for its end, " in text(refused)
            await asyncio.to_thread(wait_for, lambda: sleeping(mark), 20)
            await call(client, "bash_stop", id=name)
            assert "STDOUT:\n1\n" in first(await call(client, "bash_session", command="test -e made; echo $?"))

    soon(tour())
    assert wait_gone(mark)


def test_what_is_wrong_with_a_terminal_is_told(workspace: Path) -> None:
    async def tour() -> None:
        async with over_stdio(workspace, OLDER) as client:
            mark = marker()
            name = id_of(first(await call(client, "bash_session", command=f"sleep {mark}", **{"yield": 0})))
            for tool, more in (("bash_input", {"text": "x"}), ("bash_output", {"screen": True})):
                said = text(await call(client, tool, id=name, **more))
                assert said == f"refused: {name} has no terminal: run it with terminal: true"
            await call(client, "bash_stop", id=name)
            said = text(await call(client, "bash_session", command="true", terminal=True))
            assert said == "refused: session main has no terminal: close it first, or take another name"
            assert "Exit Code: 0" in first(
                await call(client, "bash_session", command="test -t 1", terminal=True, name="a")
            )
            assert "Exit Code: 0" in first(await call(client, "bash_session", command="test -t 1", name="a"))

    soon(tour())


def test_a_session_keeps_its_terminal_where_other_rules_count_now(workspace: Path) -> None:
    rules = Path(os.environ["XDG_CONFIG_HOME"], "limpet", "config.toml")
    rules.parent.mkdir(parents=True)
    server = Raw(workspace, "--structured")

    def said(number: int, command: str, **more: Any) -> Any:
        server.send(tool_call(number, "bash_session", command=command, **more))
        while (answer := server.receive()).get("id") != number:
            pass
        return answer["result"]["structuredContent"]["stdout"]

    server.send(greeting(), INITIALIZED)
    server.receive()
    assert said(1, "x=kept; test -t 0; echo $?", terminal=True) == "0\n"
    rules.write_text('[policy]\nblock = ["printf *"]\n')
    assert said(2, "test -t 0; echo $? $x") == "0 kept\n"
    server.close()
