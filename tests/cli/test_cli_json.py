"""With `--json` there is one JSON object on stdout and nothing else, whatever happens."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from limpet.model.result import Result
from living import marker, sleeping, wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

FIELDS = set(Result.__struct_fields__)


def only_object(text: str) -> dict[str, Any]:
    """The one object that is there, on one line."""
    assert (text.count("\n"), text[-1:]) == (1, "\n")
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


@pytest.mark.req("MY-02", "CH-05", "TK-12")
def test_a_run_is_one_result(cli: Cli, workspace: Path) -> None:
    done = cli("run", "--json", "--", "echo out; echo err >&2; exit 3")
    result = only_object(done.stdout)
    assert (done.returncode, done.stderr, set(result)) == (3, "", FIELDS)
    wanted = {
        "command": "echo out; echo err >&2; exit 3", "outcome": "exited", "ok": False, "exit_code": 3, "signal": None,
        "stdout": "out\n", "stderr": "err\n", "timed_out": False, "cancelled": False, "truncated": False,
        "cwd": str(workspace), "stdout_bytes": 4, "stderr_bytes": 4, "tool": "bash", "task_id": None, "error": None,
    }  # fmt: skip
    assert {name: result[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("arguments", "status", "facts"),
    [
        (["--timeout", "0.3", "--", "echo a; sleep 60"], 124, {"outcome": "timed_out", "stdout": "a\n"}),
        (["--", "kill -9 $$"], 137, {"outcome": "signalled", "signal": "SIGKILL", "exit_code": None}),
        (["--sandbox", "none-such", "--", "true"], 125, {"outcome": "not_started", "command": "true"}),
        (["--cwd", "none-such", "--", "true"], 2, {"outcome": "not_started", "command": "true"}),
        (["--timeout", "-1", "--", "true"], 2, {"outcome": "not_started", "command": "true"}),
        (["--timeout", "soon", "--", "true"], 2, {"outcome": "not_started"}),
        (["--none-such", "--", "true"], 2, {"outcome": "not_started"}),
        ([], 2, {"outcome": "not_started"}),
        (["--", "printf '\\377\\0\\033[2J'"], 0, {"stdout": "\ufffd\ufffd"}),
        (["--", "printf '{\"ok\": 1}\\n'"], 0, {"stdout": '{"ok": 1}\n'}),
    ],
    ids=["time-out", "signal", "sandbox", "cwd", "range", "seconds", "option", "empty", "bytes", "json"],
)
def test_every_end_of_a_run_is_one_object(cli: Cli, arguments: list[str], status: int, facts: dict[str, Any]) -> None:
    done = cli("run", "--json", *arguments)
    result = only_object(done.stdout)
    assert (done.returncode, done.stderr, set(result)) == (status, "", FIELDS)
    assert {name: result[name] for name in facts} == facts
    assert result["ok"] is (status == 0)
    assert result["error"] or status not in (2, 124, 125)


@pytest.mark.req("ZE-16")
def test_an_interrupted_run_is_one_object(cli: Cli) -> None:
    mark = marker()
    command = cli.argv("run", "--json", "--", f"echo begun; sleep {mark}")
    process = subprocess.Popen(command, cwd=cli.cwd, env=cli.environment(), stdout=subprocess.PIPE, text=True)
    wait_for(lambda: sleeping(mark), 20)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    result = only_object(out)
    assert (process.returncode, result["outcome"], result["cancelled"], result["stdout"]) == (
        130, "cancelled", True, "begun\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["logs", "--json", "none-such"], 125),
        (["logs", "--json", "../../../etc/passwd"], 125),
        (["log", "--json", "--limit", "0"], 2),
        (["config", "show", "--json", "--none-such"], 2),
        (["doctor", "--json", "--none-such"], 2),
        (["nothing", "--json"], 2),
    ],
    ids=["logs", "logs-path", "log", "config", "doctor", "unknown"],
)
def test_errors_of_the_other_calls_are_one_object(cli: Cli, arguments: list[str], status: int) -> None:
    done = cli(*arguments)
    found = only_object(done.stdout)
    assert (done.returncode, done.stderr, set(found), found["ok"]) == (status, "", {"ok", "error"}, False)


def test_a_wrong_setting_is_one_object_too(cli: Cli, workspace: Path) -> None:
    (workspace / ".limpet.toml").write_text("[run]\ntimeout = 'soon'\n")
    run = only_object(cli("run", "--json", "--", "true").stdout)
    assert (run["outcome"], run["error"].startswith(f"{workspace}/.limpet.toml:2: ")) == ("not_started", True)
    for call in (["doctor"], ["config", "show"]):
        done = cli(*call, "--json")
        assert (done.returncode, only_object(done.stdout)["error"]) == (125, run["error"])


def test_what_the_command_is_called_with_is_not_taken_for_limpets_own(cli: Cli) -> None:
    assert cli("run", "--", "echo", "--json").stdout == "--json\n"
    assert cli("run", "echo", "--json", "--timeout", "x").stdout == "--json --timeout x\n"


def test_the_other_calls_give_objects(cli: Cli) -> None:
    run = only_object(cli("run", "--json", "--", "seq 3").stdout)["operation_id"]
    assert only_object(cli("logs", run, "--json").stdout) == {
        "run": run, "text": "1\n2\n3\n", "next_offset": 6, "dropped_bytes": 0,
    }  # fmt: skip
    assert only_object(cli("log", "--verify", "--json").stdout) == {"ok": True, "entries": 2, "problems": []}
    settings = only_object(cli("config", "show", "--json").stdout)
    assert (settings["run.timeout"], settings["limits.cpu"]) == (120.0, None)
    health = only_object(cli("doctor", "--json").stdout)
    assert (health["ok"], health["level"], health["guarantees"]["level"]) == (True, "bare", "bare")
