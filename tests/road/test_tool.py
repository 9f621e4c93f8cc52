"""The bash tool as an agent's host sees it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from limpet.render import text
from limpet.tool import BashTool, ToolAnswer

if TYPE_CHECKING:
    from pathlib import Path


def call(workspace: Path, name: str = "bash", **arguments: Any) -> ToolAnswer | None:
    async def ask() -> ToolAnswer | None:
        async with limpet.open(workspace) as shell:
            return await BashTool(shell).call(name, arguments)

    return asyncio.run(ask())


def definition(workspace: Path) -> dict[str, Any]:
    return BashTool(limpet.open(workspace)).definition()


@pytest.mark.req("CH-11", "ZE-21")
def test_the_definition_fits_a_tool_registry(workspace: Path) -> None:
    tool = definition(workspace)
    assert tool["name"] == "bash"
    assert tool["input_schema"]["required"] == ["command"]
    assert tool["input_schema"]["properties"].keys() == {
        "command", "description", "timeout", "cwd", "env", "run_in_background",
    }  # fmt: skip
    assert tool["input_schema"]["properties"]["timeout"]["maximum"] == 600_000
    assert tool["annotations"]["readOnlyHint"] is False


@pytest.mark.req("MY-17")
def test_the_description_teaches_good_habits(workspace: Path) -> None:
    description = definition(workspace)["description"]
    for habit in ("&&", "Quote paths", "cwd", "output_file", "-y", "120 s", "600,000"):
        assert habit in description


@pytest.mark.req("ZE-02", "TU-01")
def test_a_call_by_name_is_answered_and_another_tool_s_is_not_ours(workspace: Path) -> None:
    answer = call(workspace, command="echo hi; exit 2", description="greet", timeout=5000, env={"A": "1"}, cwd="src")
    assert answer is not None
    assert (answer.is_error, answer.data["exit_code"], answer.data["success"]) == (False, 2, False)
    assert text.parse(answer.text).stdout == "hi"
    assert call(workspace, name="python", command="echo hi") is None


@pytest.mark.req("MY-02")
def test_the_data_has_what_programs_want(workspace: Path) -> None:
    answer = call(workspace, command="echo hi")
    assert answer is not None
    names = {"success", "stdout", "stderr", "exit_code", "duration_ms", "truncated", "task_id", "output_file"}
    assert names <= answer.data.keys()


@pytest.mark.req("TU-08")
@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "command is missing"),
        ({"command": ""}, "empty"),
        ({"command": "ls", "timeout": "soon"}, "milliseconds"),
        ({"command": "ls", "timeout": 0}, "between 0.001 and 600 seconds"),
        ({"command": "ls", "cwd": ".."}, "outside the workspace"),
        ({"command": "ls", "colour": "red"}, "unknown arguments: colour"),
        ({"command": ["ls"]}, "must be a string"),
        ({"command": "ls", "env": {"A": 1}}, "must be a string"),
    ],
)
def test_a_wrong_call_says_what_to_change(workspace: Path, arguments: dict[str, Any], word: str) -> None:
    answer = call(workspace, **arguments)
    assert answer is not None
    assert answer.is_error
    assert word in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.req("TU-08")
def test_a_time_out_tells_the_model_and_keeps_the_output(workspace: Path) -> None:
    answer = call(workspace, command="echo so far; sleep 1000", timeout=300)
    assert answer is not None
    assert (answer.data["timed_out"], answer.data["stdout"]) == (True, "so far\n")
    assert "timed out" in answer.text
