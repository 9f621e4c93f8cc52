"""Many tasks that are over are listed from one file, which is never believed against their folders."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path

import pytest

from limpet import sync
from limpet.engine.ids import TASK, new_id
from limpet.tasks.store import Tasks
from limpet.tasks.verbs import TaskVerbs

MANY = 40


@pytest.fixture
def place(workspace: Path) -> Path:
    """The folder of many tasks, all of which have ended."""
    with sync.open(workspace) as shell:
        first = shell.start("echo hi; exit 3")
        first.wait(60)
    folder = Path(first.output_file).parent
    for _ in range(MANY - 1):
        name = new_id(TASK)
        shutil.copytree(folder, folder.parent / name)
        facts = folder.parent / name / "task.json"
        facts.write_text(json.dumps(json.loads(facts.read_text()) | {"task_id": name}))
    return folder.parent


def listed(place: Path, workspace: Path) -> list[object]:
    return [task.status() for task in TaskVerbs(Tasks(str(place.parent)), str(workspace)).tasks()]


def test_what_is_listed_is_the_same_with_the_file_and_without(place: Path, workspace: Path) -> None:
    first = listed(place, workspace)
    assert (len(first), (place / ".finished").stat().st_mode & 0o777) == (MANY, 0o600)
    assert listed(place, workspace) == first
    moved = place.parent.with_name("moved")
    place.parent.rename(moved)
    assert [task.output_file for task in TaskVerbs(Tasks(str(moved)), str(workspace)).tasks()] == [
        str(moved / "tasks" / name / "output") for name in sorted(os.listdir(moved / "tasks")) if name[0] == "t"
    ]


def test_once_it_is_written_the_folders_are_not_read_again(place: Path, workspace: Path) -> None:
    listed(place, workspace)
    for name in os.listdir(place):
        if name.startswith("t"):
            (place / name / "result.json").write_text("not what it was")
    assert {status.exit_code for status in listed(place, workspace)} == {3}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b'{"fields": 1}', b'{"fields": [], "tasks": {}}', b"\0" * 9, "a pipe", "a folder"],
    ids=str,
)
def test_a_damaged_file_is_no_hindrance(damage: bytes | str, place: Path, workspace: Path) -> None:
    first = listed(place, workspace)
    file = place / ".finished"
    file.unlink()
    if damage == "a pipe":
        os.mkfifo(file)
    elif damage == "a folder":
        file.mkdir()
    else:
        file.write_bytes(damage)  # type: ignore[arg-type]  # the others are bytes
    assert listed(place, workspace) == first


def test_one_that_was_removed_is_gone_and_one_that_runs_is_never_in_it(place: Path, workspace: Path) -> None:
    with sync.open(workspace) as shell:
        running = shell.start("sleep 100")
        before = {status.task_id for status in listed(place, workspace)}  # type: ignore[attr-defined]
        gone = min(before)
        shutil.rmtree(place / gone)
        assert {status.task_id for status in listed(place, workspace)} == before - {gone}  # type: ignore[attr-defined]
        assert running.id not in (place / ".finished").read_text()
        holder = running.status().holder
        assert holder is not None
        os.kill(holder, signal.SIGKILL)
        running.wait(60)
        assert shell.tasks()[-1].status().status == "lost"


def test_a_run_that_was_waited_for_is_not_listed_by_it(place: Path, workspace: Path) -> None:
    with sync.open(workspace) as shell:
        hidden = shell.run("echo hi", yield_after=30).operation_id
    for _ in range(2):
        assert hidden not in {status.task_id for status in listed(place, workspace)}  # type: ignore[attr-defined]
