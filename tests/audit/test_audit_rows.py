from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.happenings import ALLOWED, DENIED, PLAN, finished, prepared, recorder, request, result, tell, write
from limpet.audit.entry import COLUMNS, Entry
from limpet.history import History
from limpet.model.codec import to_json
from limpet.model.event import Answered, Asked, Decided, Finished, Prepared, Started
from limpet.model.request import Origin
from limpet.model.result import Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from limpet.model.event import Event


def recorded(tmp_path: Path, *events: Event) -> list[Entry]:
    log = recorder(tmp_path / "audit.db")
    tell(log, *events)
    log.close()
    history = History(str(tmp_path / "audit.db"))
    assert history.verify() == []
    return history.entries()


def before_it_started(**others: object) -> Entry:
    facts: dict[str, object] = {
        "id": 1,
        "time": 1000.5,
        "operation_id": "op-1",
        "kind": "prepared",
        "tool": "bash",
        "command": "make test",
        "cwd": "/project",
        "description": "Run the tests",
        "surface": "python",
        "agent": "claude",
        "caller": "main",
        "verdict": "allow",
        "rule": "tests",
        "approved_by": "",
        "result": None,
        "outcome": None,
        "reason": "",
        "duration_ms": None,
        "error_category": None,
        "error_domain": None,
        "error_phase": None,
        "exit_code": None,
        "signal": None,
        "truncated": None,
        "output_file": None,
        "pid": os.getpid(),
        "hash": "",
    }
    return Entry(**{**facts, **others})  # type: ignore[arg-type]  # a test says what differs


def bare(entries: list[Entry]) -> list[Entry]:
    """Without the hashes, which `verify` has looked at."""
    return [msgspec.structs.replace(entry, hash="") for entry in entries]


@pytest.mark.req("ZE-14")
def test_a_run_leaves_a_row_before_and_a_row_after(tmp_path: Path) -> None:
    asked = request()
    ended = result(ok=True, exit_code=0, truncated=True, output_file="/state/output/op-1")
    events: list[Event] = [
        Decided(request=asked, decision=ALLOWED),
        Prepared(request=asked, decision=ALLOWED, plan=PLAN),
        Started(request=asked, pid=7),
        Finished(request=asked, result=ended),
    ]
    after = before_it_started(
        id=2,
        kind="finished",
        result="success",
        outcome="exited",
        duration_ms=12,
        exit_code=0,
        truncated=True,
        output_file="/state/output/op-1",
    )
    assert bare(recorded(tmp_path, *events)) == [before_it_started(), after]


@pytest.mark.req("ZE-14", "CH-10")
@pytest.mark.parametrize(
    ("outcome", "facts", "filed"),
    [
        (Outcome.EXITED, {"exit_code": 3}, ("error", "exit_status", "command", "run")),
        (Outcome.SIGNALLED, {"signal": "SIGSEGV"}, ("error", "signal", "command", "run")),
        (Outcome.TIMED_OUT, {"signal": "SIGKILL"}, ("timeout", "timeout", "limits", "run")),
        (Outcome.LIMITED, {}, ("limited", "resource_limit", "limits", "run")),
        (Outcome.CANCELLED, {}, ("cancelled", "cancelled", "caller", "run")),
        (Outcome.DENIED, {"decision": DENIED}, ("blocked", "denied", "policy", "judge")),
        (Outcome.NEEDS_APPROVAL, {"error": "nobody to ask"}, ("blocked", "needs_approval", "policy", "gate")),
        (Outcome.NOT_STARTED, {"error": "no bash", "decision": None}, ("error", "not_started", "host", "launch")),
    ],
)
def test_every_way_to_fail_is_filed(
    outcome: Outcome, facts: dict[str, object], filed: tuple[str, ...], tmp_path: Path
) -> None:
    (entry,) = recorded(tmp_path, Finished(request=request(), result=result(outcome, **facts)))
    assert (entry.result, entry.error_category, entry.error_domain, entry.error_phase) == filed
    assert (entry.outcome, entry.exit_code, entry.signal) == (outcome, facts.get("exit_code"), facts.get("signal"))


@pytest.mark.req("CH-10")
def test_a_blocked_command_is_recorded_with_the_rule_and_the_reason(tmp_path: Path) -> None:
    (entry,) = recorded(tmp_path, Finished(request=request(), result=result(Outcome.DENIED, decision=DENIED)))
    assert (entry.verdict, entry.rule, entry.reason, entry.kind) == (
        "deny",
        "no-root",
        "deletes the system",
        "finished",
    )


def test_whoever_approved_stands_in_both_rows(tmp_path: Path) -> None:
    asked = request()
    events: list[Event] = [
        Asked(request=asked, decision=ALLOWED),
        Answered(request=asked, approved=True, by="ada"),
        prepared(),
        finished(),
        prepared("op-2"),
    ]
    assert [entry.approved_by for entry in recorded(tmp_path, *events)] == ["ada", "ada", ""]


def test_whoever_refused_did_not_approve(tmp_path: Path) -> None:
    events: list[Event] = [Answered(request=request(), approved=False, by="ada"), finished()]
    assert [entry.approved_by for entry in recorded(tmp_path, *events)] == [""]


def test_answers_to_runs_that_never_end_are_forgotten(tmp_path: Path) -> None:
    log = recorder(tmp_path / "audit.db")
    tell(log, *(Answered(request=request(f"op-{n}"), approved=True, by="ada") for n in range(3000)))
    assert len(log._answers) == 1000


def test_a_secret_reaches_no_file_of_the_folder(tmp_path: Path) -> None:
    secret = "hunter2-" * 3
    log = recorder(tmp_path / "audit.db", redact=lambda text: text.replace(secret, "***"))
    asked = request(
        command=f"curl -H {secret}", cwd=f"/{secret}", description=secret, origin=Origin(agent=secret, caller=secret)
    )
    ended = result(Outcome.NOT_STARTED, error=f"no {secret}", output_file=f"/{secret}", stdout=secret)
    tell(log, Prepared(request=asked, decision=ALLOWED, plan=PLAN), Finished(request=asked, result=ended))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["audit.db", "audit.db-shm", "audit.db-tail", "audit.db-wal"]
    assert [file.name for file in files if secret.encode() in file.read_bytes()] == []
    log.close()
    assert [file.name for file in tmp_path.iterdir() if secret.encode() in file.read_bytes()] == []
    assert [entry.command for entry in History(str(tmp_path / "audit.db")).entries()] == ["curl -H ***"] * 2


DIGEST = sha256(b"x" * 300_000).hexdigest()


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ('echo a\n{"kind":"finished","command":"x"}\n', 'echo a\n{"kind":"finished","command":"x"}\n'),
        ("printf '\x1b[2J\x1b]0;t\x07'\r", "printf '\x1b[2J\x1b]0;t\x07'\r"),
        ("cat \udcff\udcfe.txt", "cat \\xff\\xfe.txt"),
        ("echo \ud800", "echo \\ud800"),
        ("echo \x00 after", "echo \x00 after"),
        ("'); DROP TABLE log; --", "'); DROP TABLE log; --"),
        ("echo é 🐚 \u202e", "echo é 🐚 \u202e"),
        ("x" * 16_384, "x" * 16_384),
        (
            "x" * 300_000,
            "x" * 16_384 + f" [283,616 more characters; sha256 of all: {sha256(b'x' * 300_000).hexdigest()}]",
        ),
    ],
)
def test_whatever_the_command_is_it_is_one_record(command: str, kept: str, tmp_path: Path) -> None:
    (entry,) = recorded(tmp_path, prepared(command=command))
    assert entry.command == kept
    assert to_json(entry).count("\n") == 0


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(st.characters(), max_size=40), min_size=1, max_size=4))
def test_any_text_is_recorded_and_verifies(tmp_path_factory: pytest.TempPathFactory, commands: list[str]) -> None:
    place = tmp_path_factory.mktemp("log")
    entries = recorded(place, *(prepared(f"op-{at}", text) for at, text in enumerate(commands)))
    assert len(entries) == len(commands)


def test_numbers_of_another_kind_do_not_break_the_chain(tmp_path: Path) -> None:
    log = recorder(tmp_path / "audit.db", clock=lambda: 7)
    tell(log, Finished(request=request(), result=result(duration_ms=3.0, truncated=1)))
    log.close()
    history = History(str(tmp_path / "audit.db"))
    assert history.verify() == []
    assert [(entry.time, entry.duration_ms, entry.truncated) for entry in history.entries()] == [(7.0, 3, True)]


def test_the_table_has_the_fields_of_an_entry_as_columns(tmp_path: Path) -> None:
    write(tmp_path / "audit.db", 1)
    with closing(sqlite3.connect(tmp_path / "audit.db")) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(log)")]
    assert tuple(columns) == COLUMNS
