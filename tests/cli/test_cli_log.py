"""What ran can be looked up again, and that it was not touched can be checked."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from commandline import Cli

ID = r"r[0-9a-z]{10,}"


def run(cli: Cli, command: str, *options: str) -> str:
    """Its id."""
    found: str = json.loads(cli("run", "--json", *options, "--", command).stdout)["operation_id"]
    return found


@pytest.mark.req("ZE-14")
def test_each_run_is_a_line_that_says_how_it_ended(cli: Cli) -> None:
    ids = [
        run(cli, "echo hi"),
        run(cli, "exit 3"),
        run(cli, "sleep 60", "--timeout", "0.2"),
        run(cli, "kill -9 $$"),
        run(cli, "printf a\nprintf b"),
    ]
    cli("run", "--sandbox", "none-such", "--", "true")
    lines = cli("log").stdout.splitlines()
    parts = [re.split(r"  +", line) for line in lines]
    assert [part[1] for part in parts[:5]] == ids
    assert [(part[2], part[-1]) for part in parts] == [
        ("ok", "echo hi"), ("exit 3", "exit 3"), ("timed out", "sleep 60"), ("signalled", "kill -9 $$"),
        ("ok", "printf a (+1 line)"), ("not started", "true"),
    ]  # fmt: skip
    assert cli("log", "--limit", "2").stdout.splitlines() == lines[-2:]
    assert cli("log", "--run", ids[1]).stdout.splitlines() == lines[1:2]


def test_as_json_it_is_an_entry_a_line(cli: Cli) -> None:
    one = run(cli, "exit 3", "--description", "Fail")
    rows = [json.loads(line) for line in cli("log", "--jsonl").stdout.splitlines()]
    assert [(row["kind"], row["operation_id"], row["exit_code"], row["description"]) for row in rows] == [
        ("prepared", one, None, "Fail"),
        ("finished", one, 3, "Fail"),
    ]


def test_an_empty_record_says_so(cli: Cli) -> None:
    done = cli("log")
    path = os.path.join(os.environ["LIMPET_STATE_DIR"], "audit.db")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"limpet: nothing is recorded in {path}\n")
    assert cli("log", "--jsonl").stderr == ""


def test_a_change_of_the_record_is_found(cli: Cli) -> None:
    run(cli, "true")
    path = os.path.join(os.environ["LIMPET_STATE_DIR"], "audit.db")
    done = cli("log", "--verify")
    assert (done.returncode, done.stdout) == (0, f"2 entries in {path}: nothing was changed\n")
    with sqlite3.connect(path) as ledger:
        table = ledger.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%operation_id%'").fetchone()[0]
        ledger.execute(f"UPDATE {table} SET command = 'false' WHERE id = 1")
    ledger.close()
    done = cli("log", "--verify")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, f"2 entries in {path}: 1 problem")
    assert json.loads(cli("log", "--verify", "--json").stdout)["ok"] is False


def test_stored_output_is_read_whole_or_in_part(cli: Cli) -> None:
    one = run(cli, "seq 100; echo oops >&2")
    assert cli("logs", one, "--stream", "stdout").stdout == "".join(f"{n}\n" for n in range(1, 101))
    assert cli("logs", one, "--stream", "stderr").stdout == "oops\n"
    assert cli("logs", one, "--stream", "stdout", "--tail", "2").stdout == "99\n100\n"
    assert cli("logs", one, "--tail", "0").stdout == ""
    assert cli("logs", one, "--grep", "^[79]5$").stdout == "75\n95\n"
    assert cli("logs", one, "--grep", "5", "--tail", "1").stdout == "95\n"
    assert cli("logs", one, "--stream", "stdout", "--since", "288").stdout == "100\n"


def test_a_run_that_printed_nothing_has_nothing_to_show(cli: Cli) -> None:
    done = cli("logs", run(cli, "true"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["none-such"], 125, "'none-such' is not the id of a run; `limpet log` lists them"),
        (["r1m7hdw7brff4f4hw"], 125, "no stored output of r1m7hdw7brff4f4hw: "),
        (["r1m7hdw7brff4f4hw", "--tail", "-1"], 2, "invalid value for '--tail': "),
    ],
)
def test_what_cannot_be_shown_is_explained(cli: Cli, arguments: list[str], status: int, said: str) -> None:
    done = cli("logs", *arguments)
    assert (done.returncode, done.stdout, done.stderr.startswith(f"limpet: {said}")) == (status, "", True)


def test_a_wrong_pattern_is_explained(cli: Cli) -> None:
    done = cli("logs", run(cli, "echo hi"), "--grep", "[")
    assert (done.returncode, done.stderr.startswith("limpet: '[' is no regular expression: ")) == (2, True)
