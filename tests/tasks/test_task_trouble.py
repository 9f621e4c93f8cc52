"""Tasks whose holder was killed, whose files were damaged, that have no room: told as they are, and nobody hangs."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import limpet
from limpet import sync
from limpet.engine.ids import TASK, new_id
from limpet.kernel.identity import is_alive, mine, pin
from limpet.model.request import Origin
from limpet.model.result import Outcome
from limpet.model.task import TaskState
from limpet.model.window import PRESETS
from limpet.tasks import record
from limpet.tasks.record import End, Facts, Standing
from limpet.tasks.store import Tasks
from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from commandline import Cli
    from limpet.tasks.folder import TaskFolder


def folder_of(task: sync.Task) -> Path:
    return Path(task.output_file).parent


def state() -> str:
    return os.environ["LIMPET_STATE_DIR"]


def facts(workspace: Path, **changes: Any) -> Facts:
    made = Facts(
        task_id=new_id(TASK), command="sleep 1", description="", workspace=str(workspace), cwd=str(workspace),
        origin=Origin(), created_at=time.time(), timeout=None, ladder=1.0, window=PRESETS["standard"], clean=True,
        redact=True,
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def half_started(workspace: Path, **changes: Any) -> TaskFolder:
    """As somebody leaves it who is killed on the way."""
    folder, held = Tasks(state()).make(facts(workspace, **changes), most=100, foreground=False)
    os.close(held)
    return folder


def test_a_killed_holder_takes_the_tree_with_it_and_the_task_is_lost_with_its_output(cli: Cli) -> None:
    mark = marker()
    task = sync.open(cli.cwd).start(f"echo so far; setsid -f sleep {mark}; trap '' TERM; sleep {mark}")
    wait_for(lambda: len(sleeping(mark)) == 2)
    os.kill(task.status().holder or 0, signal.SIGKILL)
    assert wait_gone(mark)
    wait_for(lambda: task.status().over)
    (listed,) = json.loads(cli("tasks", "--json").stdout)
    assert (listed["status"], listed["exit_code"], "killed" in listed["error"]) == ("lost", None, True)
    result = task.wait(30)
    assert (result.ok, result.stdout, result.error) == (False, "so far\n", listed["error"])
    assert (cli("wait", task.id).returncode, cli("stop", task.id).returncode) == (137, 0)
    assert json.loads((folder_of(task) / "result.json").read_text())["state"] == "lost"


def test_a_task_of_before_the_last_start_of_the_machine_is_lost_and_nobody_is_signalled(workspace: Path) -> None:
    folder = half_started(workspace)
    folder.stand(Standing(holder=msgspec.structs.replace(mine(), boot="another"), state=TaskState.RUNNING, pid=1))
    task = sync.open(workspace).task(folder.id)
    assert task.stop(now=True).outcome == "signalled"  # that is us: still here
    assert (task.status().status, "restarted" in (task.status().error or "")) == ("lost", True)


def test_a_process_that_has_the_number_of_the_holder_by_now_is_not_taken_for_it(workspace: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as stranger:
        other = msgspec.structs.replace(mine(), pid=stranger.pid)
        assert (is_alive(other), pin(other)) == (False, None)
        folder = half_started(workspace)
        folder.stand(Standing(holder=other, state=TaskState.RUNNING, pid=stranger.pid))
        task = sync.open(workspace).task(folder.id)
        assert (task.stop(now=True).ok, task.status().status) == (False, "lost")
        assert stranger.poll() is None
        stranger.kill()


def test_one_whose_starter_was_killed_on_the_way_is_said_to_have_never_started(workspace: Path) -> None:
    folder = half_started(workspace)
    status = sync.open(workspace).task(folder.id).status()
    assert (status.status, "never started" in (status.error or "")) == ("lost", True)


def test_one_that_is_held_in_another_pid_namespace_is_not_taken_for_dead(workspace: Path) -> None:
    folder, held = Tasks(state()).make(facts(workspace), most=100, foreground=False)
    elsewhere = msgspec.structs.replace(mine(), pid=2**22 + 5, space="pid:[1]")
    folder.stand(Standing(holder=elsewhere, state=TaskState.RUNNING, pid=7))
    task = sync.open(workspace).task(folder.id)
    assert task.status().status == "running"
    with pytest.raises(limpet.LaunchError, match="another pid namespace"):
        task.stop()
    os.close(held)
    assert task.status().status == "lost"


@pytest.mark.parametrize("name", ["task.json", "status.json", "result.json", "answer.json", "output", "output.streams"])
@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\x00\xfe", b"[]", b'{"state": "dancing"}', None])
def test_damaged_or_missing_files_are_told_and_keep_nobody_from_the_rest(
    name: str, damage: bytes | None, workspace: Path
) -> None:
    shell = sync.open(workspace)
    good = half_started(workspace)
    good.finish(End(state=TaskState.EXITED, outcome=Outcome.EXITED, finished_at=1.0, exit_code=0))
    bad = half_started(workspace)
    bad.stand(Standing(holder=msgspec.structs.replace(mine(), started=1), state=TaskState.RUNNING, pid=1))
    bad.finish(End(state=TaskState.EXITED, outcome=Outcome.EXITED, finished_at=1.0, exit_code=0))
    Path(bad.file(name)).unlink(missing_ok=True)
    if damage is not None:
        Path(bad.file(name)).write_bytes(damage)
    listed = {task.id: task.status() for task in shell.tasks(everywhere=True)}
    assert listed[good.id].status == "exited"
    assert bad.id not in listed or listed[bad.id].over
    result = shell.task(bad.id).result()
    assert result.task_id == bad.id


def test_a_strange_thing_among_the_tasks_is_passed_over(cli: Cli) -> None:
    place = Path(state(), "tasks")
    place.mkdir(parents=True)
    (place / "README").write_text("?")
    (place / new_id(TASK)).write_text("a file")
    (place / new_id(TASK)).mkdir()
    (place / new_id(TASK)).symlink_to("/nowhere")
    pipes = half_started(cli.cwd)
    for name in ("task.json", "held", "status.json", "result.json", "output"):
        Path(pipes.file(name)).unlink(missing_ok=True)
        os.mkfifo(pipes.file(name))
    assert [one["status"] for one in json.loads(cli("tasks", "--all", "--json").stdout)] == ["lost"]
    assert cli("logs", pipes.id).returncode == 0


def test_hundreds_of_tasks_that_are_over_are_listed_at_once(cli: Cli) -> None:
    for number in range(200):
        folder = half_started(cli.cwd)
        folder.finish(
            End(state=TaskState.EXITED, outcome=Outcome.EXITED, finished_at=time.time(), exit_code=number % 3)
        )
    listed = json.loads(cli("tasks", "--json", timeout=20).stdout)
    assert [one["exit_code"] for one in listed] == [number % 3 for number in range(200)]


def test_nothing_is_started_where_nothing_can_be_kept(workspace: Path) -> None:
    blocked = Path(state(), "tasks")
    blocked.parent.mkdir(parents=True, exist_ok=True)
    blocked.write_text("no folder")
    with pytest.raises(limpet.StoreError, match="LIMPET_STATE_DIR"):
        sync.open(workspace).start("touch ran")
    assert not (workspace / "ran").exists()


OWN_NAMESPACE = ["unshare", "--map-root-user", "--mount", "bash", "-c"]


def on_small_disk(cli: Cli, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script with `limpet` whose state is on a disk of 512 kB at $small, and end its tasks."""
    if subprocess.run([*OWN_NAMESPACE, "true"], capture_output=True).returncode != 0:
        pytest.skip("no mount namespace to be had")
    small = cli.cwd / "small"
    small.mkdir()
    words = " ".join(limpet.quote(word) for word in cli.argv())
    head = f'mount -t tmpfs -o size=512k tmpfs "$small" || exit 9; limpet() {{ {words} "$@"; }}'
    env = cli.environment({"small": str(small), "LIMPET_STATE_DIR": str(small / "state"), "LIMPET_AUDIT_ENABLED": "0"})
    argv = [*OWN_NAMESPACE, f"{head}; {script}; limpet stop --all --now 2>/dev/null"]
    return subprocess.run(argv, capture_output=True, text=True, cwd=cli.cwd, env=env, timeout=60)


def test_a_full_disk_costs_output_but_neither_the_task_nor_how_it_ended(cli: Cli) -> None:
    script = """
        print='head -c 600000 /dev/zero | tr "\\0" x'; fill='head -c 1M /dev/zero >> small/fill'
        id=$(limpet start -- "echo before; read -r x < go; $print; $fill; exit 5" | head -1)
        head -c 1M /dev/zero > "$small"/fill 2>/dev/null; echo on > go
        limpet wait "$id"; echo "$?"
        limpet tasks show --json "$id"; head -c 1M /dev/zero >> "$small"/fill 2>/dev/null
        limpet start -- 'touch ran'; echo "$?"
        rm "$small"/fill; limpet logs "$id" | head -c 7"""
    os.mkfifo(cli.cwd / "go")
    done = on_small_disk(cli, script)
    status, shown, refused, *log = done.stdout.splitlines()
    found = json.loads(shown)
    assert (status, found["status"], found["exit_code"]) == ("5", "exited", 5)
    assert "could be stored" in found["error"]
    assert (refused, (cli.cwd / "ran").exists(), "Traceback" in done.stderr) == ("125", False, False)
    assert log == ["before"]


def test_old_tasks_are_removed_and_those_that_run_are_not(workspace: Path) -> None:
    now = time.time()
    old = half_started(workspace)
    old.finish(End(state=TaskState.EXITED, outcome=Outcome.EXITED, finished_at=now - 8 * 86_400, exit_code=0))
    young = half_started(workspace)
    young.finish(End(state=TaskState.EXITED, outcome=Outcome.EXITED, finished_at=now - 6 * 86_400, exit_code=0))
    going_on = half_started(workspace)
    going_on.stand(Standing(holder=mine(), state=TaskState.RUNNING, pid=1))
    try:
        os.utime(going_on.path, (1, 1))
        tasks = Tasks(state())
        tasks.prune(keep_days=7, keep_bytes=1 << 30)
        assert {folder.id for folder in tasks.folders()} == {young.id, going_on.id}
        tasks.prune(keep_days=7, keep_bytes=0, now=now + 7200)
        assert [folder.id for folder in tasks.folders()] == [going_on.id]
    finally:  # or whoever ends what is left would end us
        going_on.settle(End(state=TaskState.STOPPED, outcome=Outcome.CANCELLED, finished_at=now))


def test_an_end_is_written_once_whoever_is_first(workspace: Path) -> None:
    folder = half_started(workspace)
    assert folder.end() is None
    first = End(state=TaskState.LOST, outcome=Outcome.SIGNALLED, finished_at=1.0)
    assert folder.settle(first) == first
    other = End(state=TaskState.STOPPED, outcome=Outcome.CANCELLED, finished_at=2.0)
    assert folder.settle(other) == first
    folder.finish(other)
    assert record.read(folder.file("result.json"), End) == first


def test_a_holder_may_be_killed_at_any_moment_and_nothing_goes_on_for_ever(workspace: Path) -> None:
    chance = random.Random(3)
    shell = sync.open(workspace)
    marks = []
    for _ in range(int(os.environ.get("LIMPET_TEST_TASKS", "8"))):
        marks.append(marker())
        task = shell.start(
            f"echo begun; (setsid sleep {marks[-1]} &); sleep {chance.uniform(0, 0.05)}; sleep {marks[-1]}"
        )
        time.sleep(chance.choice((0, chance.uniform(0, 0.1))))
        os.kill(task.status().holder or 0, signal.SIGKILL)
    assert all(wait_gone(mark) for mark in marks)
    wait_for(lambda: {task.status().status for task in shell.tasks()} == {"lost"})
    assert shell.stop_tasks() == 0
