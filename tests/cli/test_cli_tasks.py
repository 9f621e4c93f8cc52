"""Tasks on the command line: for programs, in pipes, and for a person at a terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limpet import sync
from living import marker, sleeping, wait_for, wait_gone
from terminal import Terminal

if TYPE_CHECKING:
    from commandline import Cli

ID = r"t[0-9a-z]{16}"


def started(cli: Cli, command: str, *, workspace: Path | None = None, **options: Any) -> str:
    return sync.open(workspace or cli.cwd).start(command, **options).id


def on_terminal(cli: Cli, *arguments: str, columns: int = 100) -> Terminal:
    return Terminal(cli.argv(*arguments), cwd=cli.cwd, env=cli.environment({"TERM": "xterm-256color"}), columns=columns)


@pytest.mark.req("MY-04")
def test_start_names_the_task_its_output_and_its_process_before_anything_is_printed(cli: Cli) -> None:
    mark = marker()
    found = json.loads(cli("start", "--json", "--", f"sleep {mark}").stdout)
    assert found.keys() == {"task_id", "output_file", "pid"}
    assert Path(found["output_file"]).read_bytes() == b""
    assert wait_for(lambda: sleeping(mark))
    (listed,) = json.loads(cli("tasks", "--json").stdout)
    assert (listed["pid"], listed["task_id"], listed["status"]) == (found["pid"], found["task_id"], "running")
    assert {
        "task_id", "status", "exit_code", "command", "description", "pid", "started_at", "finished_at", "duration_ms",
        "agent", "workspace", "output_file",
    } <= listed.keys()  # fmt: skip
    assert cli("stop", found["task_id"]).returncode == 0
    assert wait_gone(mark)


def test_in_a_pipe_start_prints_id_and_file(cli: Cli) -> None:
    done = cli("start", "--", "echo hi")
    name, path = done.stdout.splitlines()
    assert (bool(re.fullmatch(ID, name)), path.endswith(f"/tasks/{name}/output"), done.stderr) == (True, True, "")
    assert cli("wait", name).returncode == 0
    assert cli("logs", name).stdout == "hi\n"


def test_wait_has_the_exit_status_of_the_task(cli: Cli) -> None:
    assert cli("wait", started(cli, "exit 3")).returncode == 3
    assert cli("wait", started(cli, "kill -9 $$")).returncode == 137
    assert cli("wait", started(cli, "sleep 60", timeout=0.2)).returncode == 124
    both = cli("wait", "--json", started(cli, "exit 0"), started(cli, "exit 4"))
    assert (both.returncode, [json.loads(line)["exit_code"] for line in both.stdout.splitlines()]) == (4, [0, 4])
    long = started(cli, "sleep 60")
    waited = cli("wait", long, "--timeout", "0.1")
    assert (waited.returncode, f"task {long} goes on" in waited.stderr) == (124, True)
    assert json.loads(cli("tasks", "show", "--json", long).stdout)["status"] == "running"


def test_a_refusal_has_status_126_and_says_why(cli: Cli) -> None:
    done = cli("start", "--profile", "workspace", "--", "rm -rf /")
    assert (done.returncode, done.stdout, "Denied" in done.stderr) == (126, "", True)
    told = cli("start", "--profile", "workspace", "--json", "--", "sudo ls")
    assert (told.returncode, json.loads(told.stdout)["outcome"]) == (126, "needs_approval")
    assert cli("tasks", "--json").stdout == "[]\n"


@pytest.mark.parametrize(
    ("call", "name"),
    [(["wait"], "t1m7jc3xc5y9s3p0s"), (["stop"], "t../../etc"), (["logs"], "tasks"), (["tasks", "show"], "")],
    ids=["wait", "stop", "logs", "show"],
)
def test_an_unknown_task_is_an_error_of_usage(call: list[str], name: str, cli: Cli) -> None:
    done = cli(*call, name)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"there is no task {name!r}" in done.stderr


@pytest.mark.req("CH-12")
def test_tasks_of_an_agent_and_of_a_workspace_are_listed_and_stopped(cli: Cli, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    a = json.loads(cli("start", "--json", "--agent", "A", "--", "sleep 60").stdout)["task_id"]
    b = started(cli, "sleep 60", agent="B")
    far = started(cli, "sleep 60", workspace=elsewhere)

    def listed(*options: str) -> list[str]:
        return [task["task_id"] for task in json.loads(cli("tasks", "--running", "--json", *options).stdout)]

    assert (listed(), listed("--agent", "A"), listed("--all")) == ([a, b], [a], [a, b, far])
    assert [one["task_id"] for one in json.loads(cli("stop", "--agent", "A", "--json").stdout)] == [a]
    assert listed() == [b]
    assert f"task {b}: stopped" in cli("stop", "--all").stderr
    assert listed("--all") == [far]
    assert "nothing runs" in cli("stop", "--all").stderr
    assert cli("stop").returncode == 2
    assert cli("stop", "--workspace", str(elsewhere), "--all", "--now").returncode == 0


def test_the_table_in_a_pipe_is_whole_and_plain(cli: Cli) -> None:
    name = started(cli, "echo " + "x" * 300 + "; exit 2", agent="me")
    cli("wait", name)
    heading, line = cli("tasks").stdout.splitlines()
    assert heading.split() == ["TASK", "STATUS", "TIME", "AGENT", "COMMAND"]
    assert line.split()[:3] == [name, "exit", "2"]
    assert line.endswith("x" * 300 + "; exit 2")


@pytest.mark.req("MY-14")
def test_a_person_sees_a_panel_when_a_task_starts(cli: Cli) -> None:
    with on_terminal(cli, "start", "--description", "Serve the site", "--", "sleep 60") as terminal:
        assert terminal.wait() == 0
    shown = terminal.shown
    found = re.search(ID, shown)
    assert found
    lines = shown.splitlines()
    assert (lines[0].startswith("╭"), lines[-1].startswith("╰")) == (True, True)
    assert len({len(line) for line in lines}) == 1
    for words in ("Serve the site", "sleep 60", f"limpet logs -f {found[0]}", f"limpet stop {found[0]}"):
        assert words in shown
    assert "/output" in "".join(re.findall(r"│ +(?:output)? +(\S+) +│", shown))


def test_a_panel_fits_a_narrow_terminal(cli: Cli) -> None:
    with on_terminal(cli, "start", "--", "sleep 60; echo " + "long " * 40, columns=50) as terminal:
        assert terminal.wait() == 0
    assert max(len(line) for line in terminal.shown.splitlines()) <= 50


def test_the_table_lives_as_long_as_something_runs(cli: Cli) -> None:
    os.mkfifo(cli.cwd / "go")
    name = started(cli, "read -r x < go; exit 3")
    with on_terminal(cli, "tasks") as terminal:
        terminal.until(lambda text: text.count("1 running") >= 2)
        (cli.cwd / "go").write_text("on\n")
        assert terminal.wait() == 0
    assert re.search(rf"{name}  exit 3", terminal.shown.rsplit("\x1b[J", 1)[-1])


def test_leaving_the_live_table_ends_nothing(cli: Cli) -> None:
    name = started(cli, "sleep 60")
    with on_terminal(cli, "tasks") as terminal:
        terminal.until(lambda text: "1 running" in text)
        terminal.type("\x03")
        assert terminal.wait() == 0
    assert json.loads(cli("tasks", "show", name, "--json").stdout)["status"] == "running"
    with on_terminal(cli, "tasks", "--once") as terminal:
        assert terminal.wait() == 0


def test_a_task_is_shown_with_its_last_lines(cli: Cli) -> None:
    name = started(cli, "seq 20; exit 1", description="Count")
    cli("wait", name)
    shown = cli("tasks", "show", name).stdout
    assert ("exit 1" in shown, "Count" in shown, shown.endswith("\n\n" + "".join(f"{n}\n" for n in range(11, 21)))) == (
        True, True, True,
    )  # fmt: skip


def test_a_task_outlives_the_terminal_it_was_started_on(cli: Cli) -> None:
    with on_terminal(cli, "start", "--json", "--", "sleep 0.5; echo still here") as terminal:
        terminal.wait()
    found = json.loads(terminal.text)
    assert cli("wait", found["task_id"]).returncode == 0
    assert cli("logs", found["task_id"]).stdout == "still here\n"


def test_a_follower_whose_reader_leaves_ends_quietly(cli: Cli) -> None:
    name = started(cli, "while :; do echo y; sleep 0.01; done")
    piped = subprocess.run(
        ["bash", "-c", f"{' '.join(cli.argv('logs', '-f', name))} | head -2"],
        capture_output=True, text=True, cwd=cli.cwd, env=cli.environment(), timeout=30,
    )  # fmt: skip
    assert (piped.stdout, piped.stderr) == ("y\ny\n", "")
    assert cli("stop", name, "--now").returncode == 0
