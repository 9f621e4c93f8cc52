"""Background tasks as a model uses them: the tools beside `bash`."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

import limpet
from limpet import sync
from limpet.tool import BashTool, ToolAnswer


def call(workspace: Path, name: str, **arguments: Any) -> ToolAnswer:
    async def ask() -> ToolAnswer | None:
        async with limpet.open(workspace) as shell:
            return await BashTool(shell).call(name, arguments)

    answer = asyncio.run(ask())
    assert answer is not None
    return answer


@pytest.mark.req("MY-01", "MY-04", "MY-05")
def test_a_model_starts_reads_lists_and_stops_a_task(workspace: Path) -> None:
    os.mkfifo(workspace / "go")
    begun = call(
        workspace,
        "bash",
        command="echo one; read -r x < go; echo $x; sleep 60",
        description="Wait",
        run_in_background=True,
    )
    task = begun.data["task_id"]
    assert (begun.is_error, Path(begun.data["output_file"]).is_file(), task in begun.text) == (False, True, True)
    first = call(workspace, "bash_output", task_id=task, grep="one", wait=50)
    assert ("one" in first.text, first.data["status"]) == (True, "running")
    (workspace / "go").write_text("two\n")
    read = ""
    while "two" not in read:
        read = call(workspace, "bash_output", task_id=task, since=4).data["text"]
    assert read == "two\n"
    listed = call(workspace, "bash_tasks", running=True)
    assert ([one["task_id"] for one in listed.data["tasks"]], "Wait" in listed.text) == ([task], True)
    stopped = call(workspace, "bash_stop", task_id=task)
    assert (stopped.data["status"], stopped.is_error) == ("stopped", False)
    assert call(workspace, "bash_tasks", running=True).text == "(no background tasks)"


def test_waiting_for_the_end_is_better_than_sleeping(workspace: Path) -> None:
    task = call(workspace, "bash", command="sleep 0.3; seq 5; exit 2", run_in_background=True).data["task_id"]
    answer = call(workspace, "bash_output", task_id=task, wait=30_000, tail=2)
    assert (answer.data["exit_code"], answer.data["text"], answer.data["next_offset"]) == (2, "4\n5\n", 10)


def test_what_was_left_out_of_a_long_answer_can_be_read(workspace: Path) -> None:
    run = call(workspace, "bash", command="seq 20000; echo the error; seq 20000")
    assert (run.data["truncated"], "the error" in run.data["stdout"]) == (True, False)
    name = Path(run.data["output_file"]).name
    assert call(workspace, "bash_output", task_id=name, grep="error").data["text"] == "the error\n"
    whole = call(workspace, "bash_output", task_id=name, tail=2)
    assert (whole.data["text"], whole.data["next_offset"]) == ("19999\n20000\n", 2 * 108_894 + 10)
    assert "narrow it with since, tail or grep" in call(workspace, "bash_output", task_id=name).text


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("bash_output", {}, "task_id is missing"),
        ("bash_output", {"task_id": "t1m7jc3xc5y9s3p0s"}, "there is no task"),
        ("bash_output", {"task_id": "r1m7jc3xc5y9s3p0s"}, "r1m7jc3xc5y9s3p0s"),
        ("bash_output", {"task_id": "../../outputs"}, "not the id of a run"),
        ("bash_output", {"task_id": 5}, "must be of type string"),
        ("bash_output", {"task_id": "x", "since": -1}, "since must be of type integer"),
        ("bash_output", {"task_id": "x", "tail": True}, "tail must be"),
        ("bash_output", {"task_id": "x", "wait": float("nan")}, "wait must be"),
        ("bash_stop", {"task_id": "../.."}, "there is no task"),
        ("bash_tasks", {"all": True}, "unknown arguments: all"),
        ("bash", {"command": "touch ran", "run_in_background": "yes"}, "run_in_background"),
    ],
)
def test_what_makes_no_sense_is_an_error_that_says_so(
    name: str, arguments: dict[str, Any], said: str, workspace: Path
) -> None:
    answer = call(workspace, name, **arguments)
    assert (answer.is_error, said in answer.text, (workspace / "ran").exists()) == (True, True, False)


def test_tasks_of_another_workspace_are_none_of_its_business(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    task = sync.open(tmp_path / "other").start("sleep 60")
    for name in ("bash_output", "bash_stop"):
        assert "in this workspace" in call(workspace, name, task_id=task.id).text
    assert not task.status().over


def test_what_is_denied_is_not_started_in_the_background_either(workspace: Path) -> None:
    async def ask() -> ToolAnswer | None:
        async with limpet.open(workspace, profile="workspace") as shell:
            return await BashTool(shell).call("bash", {"command": "rm -rf /", "run_in_background": True})

    answer = asyncio.run(ask())
    assert answer is not None
    assert (answer.is_error, answer.data["outcome"], answer.data["task_id"]) == (True, "denied", None)


def test_every_tool_has_a_definition(workspace: Path) -> None:
    tools = BashTool(limpet.open(workspace)).definitions()
    assert [tool["name"] for tool in tools] == ["bash", "bash_output", "bash_stop", "bash_tasks"]
    assert all(tool["input_schema"]["additionalProperties"] is False for tool in tools)
