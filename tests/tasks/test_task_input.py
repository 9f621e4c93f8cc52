"""Background tasks that are answered: seen to wait, sent text and keys, looked at, by whoever finds them."""

from __future__ import annotations

import os
import socket
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limpet import OPEN, InvalidRequestError, Outcome, TaskState, Terminal, sync
from limpet.tasks import control
from living import wait_for
from questions import ASKING, BUSY, MOST_QUIET, MOST_USUAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.sync import Task

PATIENCE = 60
A_WHILE = 2.0
"""Longer than it takes to see that somebody waits."""


def waiting(task: Task) -> str:
    """What it asks, once it is seen to."""
    wait_for(lambda: task.status().status is TaskState.WAITING, PATIENCE)
    return task.status().prompt


@pytest.mark.req("MY-15")
def test_a_task_that_asks_is_seen_to_wait_and_answered_by_another_shell(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        name = shell.start("read -p 'name? ' x; echo hello $x; read -p 'more? ' y; exit $y", terminal=True).id
    with sync.open(workspace) as shell:
        task = shell.task(name)
        assert waiting(task) == "name?"
        task.send("joe\n")
        wait_for(lambda: task.status().prompt == "more?", PATIENCE)
        assert "hello joe" in task.output()
        task.send_keys("7", "enter")
        assert task.wait(PATIENCE).exit_code == 7
        assert task.status().prompt == ""


@pytest.mark.req("MY-15")
def test_tasks_that_ask_are_seen_to_and_those_that_go_on_are_not(workspace: Path) -> None:
    with sync.open(workspace, terminal=True) as shell:
        quiet = {name: shell.start(BUSY[name]) for name in MOST_QUIET}
        asking = {name: shell.start(ASKING[name][0]) for name in MOST_USUAL}
        prompts = {name: waiting(task) for name, task in asking.items()}
        assert prompts == {name: ASKING[name][1] or prompts[name] for name in MOST_USUAL}
        time.sleep(A_WHILE)
        assert {task.status().status for task in quiet.values()} == {TaskState.RUNNING}
        shell.stop_tasks(now=True)


def test_a_task_reads_a_pipe_until_it_is_closed(workspace: Path) -> None:
    text = "".join(f"{number}\n" for number in range(100_000))
    with sync.open(workspace) as shell:
        task = shell.start("cat >all; echo over", stdin=OPEN)
        task.send(text)
        task.close_input()
        assert task.wait(PATIENCE).stdout == "over\n"
    assert (workspace / "all").read_text() == text


@pytest.mark.req("MY-15")
def test_the_screen_of_a_task_is_read_as_text(workspace: Path) -> None:
    command = r"trap 'stty size' WINCH; printf '\033[2J\033[3;5Hhere\033[1;1H'; while read x; do stty size; done"
    with sync.open(workspace) as shell:
        task = shell.start(command, terminal=Terminal(rows=5, columns=30))
        waiting(task)
        assert (task.screen().lines(), task.screen().cursor) == (["", "", "    here", "", ""], (0, 0))
        task.resize(6, 40)
        task.send_keys("enter")
        wait_for(lambda: "6 40" in task.screen().text(), PATIENCE)
        assert task.screen().size == Terminal(rows=6, columns=40)
        task.close_input()
        assert task.wait(PATIENCE).exit_code == 0
        assert "6 40" in task.screen().text()


def test_a_task_that_takes_no_input_says_how_to_start_one_that_does(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        task = shell.start("sleep 100")
        acts: list[Callable[[], None]] = [lambda: task.send("x"), task.close_input, lambda: task.resize(5, 5)]
        for refused in acts:
            with pytest.raises(InvalidRequestError, match=r"takes no input.*--stdin.*--terminal"):
                refused()
        with pytest.raises(InvalidRequestError, match="has no terminal"):
            task.screen()
        task.stop(now=True)


def test_what_makes_no_sense_is_refused_and_the_task_goes_on(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        task = shell.start("cat", terminal=True)
        with pytest.raises(InvalidRequestError, match="is no key"):
            task.send_keys("enterr")
        for size in ((0, 80), (24, 5000), ("a", 1)):
            bad: Any = size
            with pytest.raises(InvalidRequestError, match="rows and columns"):
                task.resize(*bad)
        task.send("still here\n")
        task.close_input()
        assert task.wait(PATIENCE).stdout == "still here\nstill here\n"
        with pytest.raises(InvalidRequestError, match=r"is over \(exited\)"):
            task.send("x")


def test_a_question_that_nobody_answers_does_not_end_a_task_but_its_time_does(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        task = shell.start("read -p 'sure? ' x", terminal=True, timeout=2)
        assert waiting(task) == "sure?"
        assert task.wait(PATIENCE).outcome is Outcome.TIMED_OUT


def test_the_way_in_is_the_users_own_and_asks_for_a_key(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        task = shell.start("cat", stdin=OPEN)
        waiting(task)
        place = Path(task.folder.path)
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (place, place / "control", place / "status.json")]
        assert modes == [0o700, 0o600, 0o600]
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as caller:
            with control.short_path(str(place)) as path:
                caller.connect(path)
            for packet in (control.SEND + b"evil\n", control.KEY + b"guess", control.END):
                caller.send(packet)
                assert caller.recv(100) == control.REFUSED + b"the key of this task was not said"
        task.close_input()
        assert task.wait(PATIENCE).stdout == ""


@pytest.mark.parametrize("sandbox", ["native", "landlock"])
def test_a_contained_command_cannot_type_into_a_task(sandbox: str, workspace: Path) -> None:
    program = (
        "import glob, json, os, socket, sys\n"
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
        "s.connect(sys.argv[1] + '/control')\n"
        "key = json.load(open(sys.argv[1] + '/status.json'))['key']\n"
        "s.send(b'k' + key.encode()); print(s.recv(100)); s.send(b'stouch owned\\n'); print(s.recv(100))\n"
    )
    (workspace / "attack.py").write_text(program)
    with sync.open(workspace) as shell:
        task = shell.start("bash", stdin=OPEN)
        waiting(task)
        attack = f"python3 attack.py {task.folder.path}"
        assert shell.run(attack).stdout == "b'+'\nb'+'\n"
        wait_for((workspace / "owned").exists, PATIENCE)
        (workspace / "owned").unlink()
        result = shell.run(attack, sandbox=sandbox, network=True)
        assert (result.exit_code, "Error" in result.stderr) == (1, True)
        task.send("exit 3\n")
        assert task.wait(PATIENCE).exit_code == 3
    assert not (workspace / "owned").exists()


def test_a_state_folder_with_a_long_name_is_no_hindrance(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIMPET_STATE_DIR", str(tmp_path / ("long" * 30) / ("longer" * 20)))
    with sync.open(workspace) as shell:
        task = shell.start("read x; echo got $x", stdin=OPEN)
        task.send("it\n")
        assert task.wait(PATIENCE).stdout == "got it\n"
        assert not os.path.exists(task.folder.file("control"))
