"""A command in the background, from its start to its end, whoever started it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from limpet.config import audit_path
from limpet.history import History
from living import alive, descendants, marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from commandline import Cli


def opened(workspace: Path, **options: object) -> sync.Shell:
    return sync.open(workspace, **options)  # type: ignore[arg-type]  # options by name


@pytest.mark.req("MY-04")
def test_a_start_comes_back_at_once_and_the_task_completes_with_its_exit_code(workspace: Path) -> None:
    os.mkfifo(workspace / "go")
    task = opened(workspace).start("echo out; echo err >&2; read -r line < go; exit 7", description="Try it")
    status = task.status()
    assert (status.status, status.command, status.description, status.workspace) == (
        "running",
        "echo out; echo err >&2; read -r line < go; exit 7", "Try it", str(workspace),
    )  # fmt: skip
    assert task.output_file == status.output_file
    assert Path(task.output_file).is_file()
    (workspace / "go").write_text("on\n")
    result = task.wait(30)
    assert (result.exit_code, result.stdout, result.stderr) == (7, "out\n", "err\n")
    assert (result.task_id, result.operation_id, status.task_id) == (task.id,) * 3
    assert task.status().over


def test_the_decision_in_the_result_of_a_task_tells_each_command(workspace: Path) -> None:
    task = opened(workspace).start("echo one; : --password hunter2b; true $RANDOM")
    decision = task.wait(30).decision
    assert decision
    assert [command.argv for command in decision.commands] == [
        ("echo", "one"), (":", None, None), ("true", None)
    ]  # fmt: skip


@pytest.mark.req("MY-04")
def test_while_it_runs_its_pid_and_start_are_known(workspace: Path) -> None:
    mark = marker()
    before = time.time()
    task = opened(workspace).start(f"echo begun; sleep {mark}")
    wait_for(lambda: sleeping(mark))
    status = task.status()
    assert (status.status, status.exit_code, status.finished_at) == ("running", None, None)
    assert status.pid in [one.pid for one in descendants(status.holder or 0)]
    assert status.started_at is not None
    assert before - 1 <= status.started_at <= time.time()
    result = task.stop()
    assert (result.outcome, result.stdout, task.status().status) == ("cancelled", "begun\n", "stopped")
    assert wait_gone(mark)


@pytest.mark.parametrize(
    ("command", "options", "state", "exit_code"),
    [
        ("exit 0", {}, "exited", 0),
        ("exit 3", {}, "exited", 3),
        ("kill -9 $$", {}, "signalled", None),
        ("sleep 60", {"timeout": 0.2}, "timed_out", None),
        ("head -c 9000 /dev/zero > big", {"limits": limpet.Limits(file_size=4096)}, "limited", 153),
    ],
)
def test_every_end_has_its_state(
    command: str, options: dict[str, object], state: str, exit_code: int | None, workspace: Path
) -> None:
    task = opened(workspace).start(command, **options)  # type: ignore[arg-type]  # options by name
    result = task.wait(30)
    status = task.status()
    assert (status.status, status.exit_code, result.exit_code) == (state, exit_code, exit_code)
    assert (status.finished_at or 0) >= (status.started_at or 0) > 0


def test_it_goes_on_when_whoever_started_it_is_killed(cli: Cli) -> None:
    script = "import limpet.sync as s, time; t = s.start('echo one; sleep 0.4; echo two; exit 5'); print(t.id, flush=True); time.sleep(60)"  # fmt: skip  # noqa: E501
    client = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=cli.cwd)
    assert client.stdout is not None
    name = client.stdout.readline().strip()
    client.kill()
    client.communicate()
    result = opened(cli.cwd).task(name).wait(30)
    assert (result.outcome, result.exit_code, result.stdout) == ("exited", 5, "one\ntwo\n")


def test_its_holder_belongs_to_nobody_and_holds_nothing_of_the_caller(workspace: Path) -> None:
    with Path(os.devnull).open() as inherited:
        os.set_inheritable(inherited.fileno(), True)
        task = sync.open(workspace, environ={**os.environ, "MY_TOKEN": "hush-hush-hush"}).start("sleep 60")
        holder = Path("/proc", str(task.status().holder))
        assert (holder / "environ").read_bytes() == b""
        assert os.readlink(holder / "cwd") == "/"
        assert b"hush" not in (holder / "cmdline").read_bytes()
        assert b"sleep 60" not in (holder / "cmdline").read_bytes()
        fds = {os.readlink(fd).split(":")[0] for fd in (holder / "fd").iterdir()}
        places = {fd for fd in fds if fd.startswith("/")}
        state = os.environ["LIMPET_STATE_DIR"]
        of_its_own = {"/dev/null", f"/proc/{holder.name}/status"}
        assert {place for place in places if not place.startswith(state)} <= of_its_own
    assert holder.name not in [str(one.pid) for one in descendants(os.getpid())]
    assert os.getsid(int(holder.name)) != os.getsid(0)


@pytest.mark.req("CH-12")
def test_the_tasks_of_an_agent_are_listed_and_ended_together(workspace: Path) -> None:
    marks = [marker() for _ in range(3)]
    shell = opened(workspace)
    ours = [shell.start(f"sleep {mark}", agent="ours") for mark in marks[:2]]
    other = shell.start(f"sleep {marks[2]}", agent="other")
    assert [task.id for task in shell.tasks(agent="ours")] == [task.id for task in ours]
    assert shell.stop_tasks(agent="ours") == 2
    assert all(wait_gone(mark) for mark in marks[:2])
    assert [task.status().status for task in shell.tasks()] == ["stopped", "stopped", "running"]
    assert (shell.stop_tasks(agent="ours"), alive(marks[2]) != []) == (0, True)
    assert (shell.stop_tasks(), other.status().status) == (1, "stopped")


def test_a_denied_command_is_not_started_and_the_answer_says_why(workspace: Path) -> None:
    shell = sync.open(workspace, profile="workspace")
    with pytest.raises(limpet.CommandDeniedError) as denied:
        shell.start("rm -rf /")
    assert (denied.value.result.outcome, denied.value.result.decision is not None) == ("denied", True)
    with pytest.raises(limpet.CommandDeniedError):
        shell.start("sudo ls")
    assert shell.tasks() == []
    assert [entry.outcome for entry in History(audit_path(os.environ)).entries()] == ["denied", "needs_approval"]


def test_what_was_approved_here_is_recorded_there(workspace: Path) -> None:
    async def person(request: object, decision: object) -> bool:
        return True

    task = sync.open(workspace, profile="workspace").start("pip --version; true", approver=person, block=(), env={})
    asked = sync.open(workspace, profile="workspace").start("sudo -n true || true", approver=person)
    task.wait(30)
    asked.wait(30)
    entries = History(audit_path(os.environ)).find(asked.id)
    assert [(entry.kind, entry.approved_by) for entry in entries] == [
        ("prepared", "function"),
        ("finished", "function"),
    ]
    assert [entry.kind for entry in History(audit_path(os.environ)).find(task.id)] == ["prepared", "finished"]


def test_only_so_many_run_at_once_in_a_workspace(workspace: Path) -> None:
    shell = opened(workspace, settings={"tasks.most": 1})
    first = shell.start("sleep 60")
    with pytest.raises(limpet.InvalidRequestError, match=r"tasks\.most"):
        shell.start("touch ran")
    first.stop(now=True)
    assert shell.start("exit 0").wait(30).ok
    assert not (workspace / "ran").exists()


def test_what_only_the_caller_has_cannot_be_used_in_the_background(workspace: Path) -> None:
    shell = opened(workspace)
    with pytest.raises(limpet.InvalidRequestError, match="background"):
        shell.start("true", capture_output=False)
    for options in ({"stdin": limpet.INHERIT}, {"capture_output": False}):
        with pytest.raises(limpet.InvalidRequestError, match="background"):
            shell.run("true", yield_after=1, **options)
    assert shell.tasks() == []


def test_input_variables_and_folders_of_any_kind_reach_the_command(workspace: Path) -> None:
    odd = os.fsdecode(b"caf\xe9 \xff")
    os.mkdir(workspace / odd)
    task = opened(workspace).start('cat; printf %s "$ODD"; pwd', stdin=b"\x00\xfein", env={"ODD": odd}, cwd=odd)
    assert task.wait(30).ok
    expected = b"\x00\xfein" + os.fsencode(odd) + os.fsencode(workspace / odd) + b"\n"
    assert Path(task.output_file).read_bytes() == expected
    assert task.status().cwd == str(workspace / odd)


def test_a_contained_task_is_as_contained_as_a_run(workspace: Path) -> None:
    shell = sync.open(workspace, sandbox="auto", profile="workspace")
    run = shell.run("touch inside; touch /outside; id -u")
    task = shell.start("touch inside; touch /outside; id -u").wait(30)
    assert (task.guarantees, task.stdout, task.exit_code) == (run.guarantees, run.stdout, run.exit_code)
    assert run.decision is not None
    assert task.decision is not None
    assert task.decision.verdict == run.decision.verdict


def test_no_secret_of_the_command_lies_in_the_folder_of_its_task(workspace: Path) -> None:
    secret = "s3cr3t-value-that-nobody-sees"
    shell = sync.open(workspace, environ={**os.environ, "MY_TOKEN": secret})
    task = shell.start(
        f"echo {secret}; curl --version >/dev/null; : --password={secret}", env={"API_KEY": secret + "2"}
    )
    task.wait(30)
    folder = Path(task.output_file).parent
    found = [file.name for file in folder.iterdir() if secret.encode() in file.read_bytes()]
    assert (found, [oct(file.stat().st_mode & 0o777) for file in folder.iterdir() if file.stat().st_mode & 0o077]) == (
        [], [],
    )  # fmt: skip
    assert folder.stat().st_mode & 0o077 == 0


def test_two_who_stop_and_two_who_wait_get_the_same_answer(cli: Cli) -> None:
    mark = marker()
    task = opened(cli.cwd).start(f"trap '' TERM; sleep {mark}")
    wait_for(lambda: sleeping(mark))
    calls = [["stop", task.id, "--json"], ["stop", task.id, "--now", "--json"], ["wait", task.id, "--json"]]
    clients = [
        subprocess.Popen(cli.argv(*call), stdout=subprocess.PIPE, text=True, env=cli.environment(), cwd=cli.cwd)
        for call in calls
    ]
    answers = [json.loads(client.communicate(timeout=60)[0]) for client in clients]
    assert [answers[0][0]["status"], answers[1][0]["status"], answers[2]["outcome"]] == [
        "stopped",
        "stopped",
        "cancelled",
    ]
    assert wait_gone(mark)
    assert task.stop().outcome == "cancelled"  # once more: it stays as it is


def test_a_holder_that_does_not_hear_is_ended_all_the_same(workspace: Path) -> None:
    mark = marker()
    task = opened(workspace).start(f"sleep {mark}")
    wait_for(lambda: sleeping(mark))
    os.kill(task.status().holder or 0, signal.SIGSTOP)
    assert task.stop().outcome == "cancelled"
    assert wait_gone(mark)


def test_a_task_that_waits_for_input_is_seen_to(workspace: Path) -> None:
    task = opened(workspace).start("echo begun; printf 'Your name? '; read -r name", stdin=limpet.OPEN)
    wait_for(lambda: task.status().status == "waiting", 20)
    assert task.status().prompt == "Your name?"
    assert task.stop().outcome == "cancelled"


def test_state_is_private_whatever_the_umask(workspace: Path) -> None:
    state = Path(os.environ["LIMPET_STATE_DIR"]) / "new"
    before = os.umask(0)
    try:
        sync.open(workspace, environ={**os.environ, "LIMPET_STATE_DIR": str(state)}).start("true").wait(30)
    finally:
        os.umask(before)
    places = [state, *state.rglob("*")]
    assert [str(place) for place in places if place.stat().st_mode & 0o077 and place.name != "sandbox.json"] == []
