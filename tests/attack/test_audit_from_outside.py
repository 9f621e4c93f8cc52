"""The record, looked at like somebody who was not there: is everything in it, and nothing that must not be."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import limpet
from limpet import sync
from limpet.config import resolve
from limpet.history import History
from limpet.model.request import Origin
from limpet.shell import Shell
from limpet.testing import FixedJudge, ScriptedApprover
from limpet.wiring import road
from living import marker, processes, sleeping, wait_for

if TYPE_CHECKING:
    from commandline import Cli

KEY = "sk-ant-api03-Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0"
TOKEN = "correct-horse-99-battery"


def state() -> Path:
    return Path(os.environ["LIMPET_STATE_DIR"])


def entries() -> list[dict[str, Any]]:
    return [msgspec.to_builtins(entry) for entry in History(str(state() / "audit.db")).entries()]


def holding(text: str) -> list[str]:
    """Names of the files below the state folder that have the text in them."""
    files = [path for path in state().rglob("*") if path.is_file()]
    assert files != []
    return [path.name for path in files if text.encode() in path.read_bytes()]


def unmoved(cli: Cli) -> None:
    done = cli("log", "--verify", "--json")
    assert (done.returncode, json.loads(done.stdout)["problems"]) == (0, [])


@pytest.mark.req("ZE-14")
def test_every_command_that_left_a_mark_was_recorded_before_limpet_was_killed(cli: Cli, workspace: Path) -> None:
    chance, marks = random.Random(4711), workspace / "marks"
    marks.mkdir()
    for number in range(24):
        command = f"echo x > marks/{number}; sleep 0.0{chance.randrange(10)}; echo y >> marks/{number}"
        process = subprocess.Popen(
            cli.argv("run", "--", command), stdout=subprocess.DEVNULL, cwd=workspace, env=cli.environment()
        )
        if number % 3 == 0:
            wait_for((marks / str(number)).exists, 20)
        else:
            time.sleep(chance.uniform(0.05, 0.4))  # any moment is as good as another
        process.kill()
        process.wait()
    started = {int(path.name) for path in marks.iterdir()}
    recorded = {
        int(entry["command"].partition("marks/")[2].partition(";")[0])
        for entry in entries()
        if entry["kind"] == "prepared"
    }
    assert len(started) >= 8
    assert started - recorded == set()
    unmoved(cli)


def test_nothing_of_limpet_itself_is_left_when_it_is_killed_while_commands_run(cli: Cli) -> None:
    marks = [marker() for _ in range(8)]
    crowd = [
        subprocess.Popen(cli.argv("run", "--", f"sleep {mark}"), cwd=cli.cwd, env=cli.environment()) for mark in marks
    ]
    assert wait_for(lambda: all(map(sleeping, marks)), 20)
    for process in crowd:
        process.kill()
        process.wait()
    clients = {str(process.pid) for process in crowd}

    def left() -> list[int]:
        """Servers and keepers have their client's process id as last argument."""
        return [one.pid for one in processes() if one.argv[-1:] and one.argv[-1] in clients and "-I" in one.argv]

    try:
        assert wait_for(lambda: not left(), 10)
    finally:
        for pid in left():
            os.kill(pid, signal.SIGKILL)
    assert [mark for mark in marks if sleeping(mark)] == []


ANSWERED = """
import asyncio, os, signal, sys, limpet

async def main():
    async with limpet.open(sys.argv[1]) as shell, shell.session() as bash:
        where = bash if sys.argv[2] == "session" else shell
        for number in range(3):
            await where.run(f"echo {number}")
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.mark.parametrize("where", ["shell", "session"])
def test_who_has_the_answer_has_the_record_too_even_when_limpet_is_killed_at_that_moment(
    where: str, cli: Cli, workspace: Path
) -> None:
    done = subprocess.run([sys.executable, "-c", ANSWERED, str(workspace), where], env=cli.environment(), timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert sorted((entry["command"], entry["kind"]) for entry in entries()) == [
        (f"echo {number}", kind) for number in range(3) for kind in ("finished", "prepared")
    ]
    unmoved(cli)


def test_the_row_is_there_while_the_command_runs(cli: Cli) -> None:
    waits = cli.argv("run", "--", "until [ -e go ]; do sleep 0.02; done")
    command = subprocess.Popen(waits, cwd=cli.cwd, env=cli.environment())
    try:
        wait_for(lambda: [(entry["kind"], entry["result"]) for entry in entries()] == [("prepared", None)], 20)
    finally:
        (cli.cwd / "go").touch()
    assert command.wait(20) == 0
    assert [entry["kind"] for entry in entries()] == ["prepared", "finished"]


def test_many_command_lines_at_once_lose_no_row_and_break_no_chain(cli: Cli) -> None:
    crowd = [
        subprocess.Popen(
            cli.argv("run", "--", f"echo {number}; exit {number}"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cli.cwd, env=cli.environment(),
        )
        for number in range(24)
    ]  # fmt: skip
    answers = [(process.communicate(timeout=60), process.returncode) for process in crowd]
    assert answers == [((b"%d\n" % number, b""), number) for number in range(24)]
    rows = sorted((entry["command"], entry["kind"], entry["exit_code"]) for entry in entries())
    assert rows == sorted(
        row
        for number in range(24)
        for row in (
            (f"echo {number}; exit {number}", "finished", number),
            (f"echo {number}; exit {number}", "prepared", None),
        )
    )
    unmoved(cli)


def test_a_copy_taken_at_any_moment_is_sound(cli: Cli, tmp_path: Path) -> None:
    with sync.open(cli.cwd) as shell:
        for number in range(12):
            shell.run(f"echo {number}")
            copy = tmp_path / f"copy{number}"
            shutil.copytree(state(), copy)
            history = History(str(copy / "audit.db"))
            assert (history.verify(), len(history.entries())) == ([], 2 * (number + 1))


@pytest.mark.req("CH-10", "ZE-14")
@pytest.mark.parametrize(
    ("verdict", "outcome"), [(limpet.Verdict.DENY, "denied"), (limpet.Verdict.ASK, "needs_approval")]
)
def test_what_was_refused_is_recorded_with_its_reason(
    verdict: limpet.Verdict, outcome: str, cli: Cli, workspace: Path
) -> None:
    judge = FixedJudge(verdict, rule="no-touching", message="not that")
    resolved = resolve(workspace=str(workspace), environ=dict(os.environ), overrides={})
    parts = msgspec.structs.replace(
        road.parts(resolved.settings, dict(os.environ), str(workspace)), judge=judge, approver=ScriptedApprover()
    )
    shell = Shell(
        resolved,
        parts,
        workspace=str(workspace),
        origin=Origin(agent="robot"),
        options=limpet.Options(),
        environ=os.environ,
    )
    result = asyncio.run(shell.run("touch ran"))
    (entry,) = entries()
    assert (result.outcome, (workspace / "ran").exists()) == (outcome, False)
    found = {name: entry[name] for name in ("command", "kind", "result", "outcome", "rule", "agent", "exit_code")}
    assert found == {
        "command": "touch ran", "kind": "finished", "result": "blocked", "outcome": outcome, "rule": "no-touching",
        "agent": "robot", "exit_code": None,
    }  # fmt: skip
    assert "not that" in entry["reason"]


@pytest.mark.req("ZE-14")
@pytest.mark.parametrize(
    ("options", "settings", "words"),
    [
        ({}, {"run.shell": "/nonexistent"}, "run.shell"),
        ({"require": ("network",)}, {}, "cannot guarantee network"),
        ({"sandbox": "castle"}, {}, "castle"),
        ({"env": {f"V{n}": "x" * 100_000 for n in range(25)}}, {}, "Argument list too long"),
    ],
    ids=["no shell", "no guarantee", "no sandbox", "too much"],
)
def test_what_could_not_be_started_is_recorded_with_its_reason(
    options: dict[str, Any], settings: dict[str, object], words: str, cli: Cli
) -> None:
    with sync.open(cli.cwd, settings=settings) as shell, pytest.raises(limpet.limpetError, match=words):
        shell.run("touch ran", **options)
    *_, entry = entries()
    assert (entry["command"], entry["kind"], entry["outcome"], entry["result"]) == (
        "touch ran", "finished", "not_started", "error",
    )  # fmt: skip
    assert (words in entry["reason"], (cli.cwd / "ran").exists()) == (True, False)


@pytest.mark.parametrize(
    ("command", "secret"),
    [
        (f"echo {KEY}", KEY),
        (f"echo {KEY} >&2; false", KEY),
        (f"curl -sH 'Authorization: Bearer {TOKEN}4711' http://127.0.0.1:1/", f"{TOKEN}4711"),
        (f"PGPASSWORD={TOKEN} true; mysql --password={TOKEN} 2>/dev/null", TOKEN),
        (f"git clone https://robot:{TOKEN}@127.0.0.1:1/x 2>/dev/null", TOKEN),
        ("printenv LEAKED_TOKEN || echo withheld", "leaked-value-4711"),
        ("echo leaked-value-4711; : leaked-value-4711", "leaked-value-4711"),
        (f"head -c 5000000 /dev/zero; echo {KEY}", KEY),
        (f": {'x' * (16_384 - 19)} leaked-value-4711 end", "leaked-value-471"),
    ],
    ids=["key", "stderr", "header", "assigned", "url", "withheld", "known value", "far out", "cut in two"],
)
def test_no_secret_of_a_command_or_its_output_is_in_any_file(command: str, secret: str, cli: Cli) -> None:
    done = cli("run", "--json", "--", command, env={"LEAKED_TOKEN": "leaked-value-4711"})
    answer = json.loads(done.stdout)
    found = holding(secret) + [place for place in ("stdout", "stderr", "output") if secret in answer[place]]
    assert (found, len(entries())) == ([], 2)


def test_no_secret_given_for_one_command_is_in_any_file(cli: Cli) -> None:
    cli("run", "--env", f"SERVICE_PASSWORD={TOKEN}", "--", f"echo $SERVICE_PASSWORD; echo {TOKEN}")
    assert holding(TOKEN) == []


def test_no_secret_stays_in_the_output_of_a_run_whose_limpet_was_killed(cli: Cli) -> None:
    mark = marker()
    with subprocess.Popen(
        cli.argv("run", "--", f"echo {KEY}; sleep {mark}"),
        stdout=subprocess.DEVNULL,
        cwd=cli.cwd,
        env=cli.environment(),
    ) as process:
        wait_for(lambda: sleeping(mark) and holding("sk-ant"), 20)
        process.send_signal(signal.SIGKILL)
    assert wait_for(lambda: not sleeping(mark))
    cli("run", "--", "true")  # whoever comes next tidies up
    assert holding(KEY) == []


@pytest.mark.parametrize(
    "command",
    [
        "true\n2030-01-01 00:00:00  r000000000000000  success 0       rm -rf /",
        'true # "} {"kind":"finished","result":"success"}',
        "true # \x1b[2K\x1b[1A\x1b]0;x\x07\r\u202e\x85\u2028",
        "true # '; DROP TABLE log; --",
        "true # \udcff\udcfe",
    ],
    ids=["new line", "JSON", "terminal", "SQL", "not UTF-8"],
)
def test_nothing_in_a_command_can_forge_or_hide_an_entry(command: str, cli: Cli) -> None:
    cli("run", "--", "true")
    harmless = cli("log").stdout
    cli("run", "--description", command, "--", command)
    *_, before, after = entries()
    kept = command.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    found = [(entry["command"], entry["description"], entry["kind"]) for entry in (before, after)]
    lines = cli("log", "--jsonl").stdout.removesuffix("\n").split("\n")
    assert [json.loads(line) for line in lines] == entries()
    assert (found, len(lines)) == ([(kept, kept, "prepared"), (kept, kept, "finished")], 4)
    shown = cli("log").stdout
    assert len(shown.splitlines()) == 2 * len(harmless.splitlines())
    assert [one for one in shown if one != "\n" and not one.isprintable()] == []
    unmoved(cli)
