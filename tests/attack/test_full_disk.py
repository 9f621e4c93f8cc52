"""A state folder that is full, unwritable, damaged, or not a folder: refused, or answered truthfully."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from limpet import sync

if TYPE_CHECKING:
    from collections.abc import Callable

    from commandline import Cli

OWN_NAMESPACE = ["unshare", "--map-root-user", "--mount", "bash", "-c"]
NOT_LIMPETS_FAULT = ("Traceback", "bug in limpet")


def state() -> Path:
    return Path(os.environ["LIMPET_STATE_DIR"])


def on_small_disk(cli: Cli, script: str, *, size: str = "256k") -> list[dict[str, Any]]:
    """Run a script whose $small is a disk of this size and whose `run` is `limpet run --json`; its answers."""
    if subprocess.run([*OWN_NAMESPACE, "true"], capture_output=True).returncode != 0:
        pytest.skip("no mount namespace to be had")
    small = cli.cwd / "small"
    small.mkdir()
    prepare = f'mount -t tmpfs -o size={size} tmpfs "$small" || exit 9; run() {{ "${{limpet[@]}}" --json -- "$1"; }}'
    limpet_words = " ".join(limpet.quote(word) for word in cli.argv("run"))
    argv = [*OWN_NAMESPACE, f"{prepare}; limpet=({limpet_words}); {script}"]
    env = cli.environment({"small": str(small), "LIMPET_STATE_DIR": str(small / "state")})
    done = subprocess.run(argv, capture_output=True, text=True, cwd=cli.cwd, env=env, timeout=60)
    assert [words for words in NOT_LIMPETS_FAULT if words in done.stderr] == []
    return [json.loads(line) for line in done.stdout.splitlines()]


def facts(answer: dict[str, Any]) -> tuple[str, int | None, int]:
    return answer["outcome"], answer["exit_code"], answer["stdout_bytes"]


def test_output_that_does_not_fit_is_counted_and_the_answer_is_whole(cli: Cli) -> None:
    (answer,) = on_small_disk(cli, "run 'head -c 1000000 /dev/zero | tr \"\\0\" x; echo end; exit 3'")
    assert facts(answer) == ("exited", 3, 1_000_004)
    assert (answer["stdout"].endswith("x" * 1000 + "end\n"), answer["truncated"]) == (True, True)
    assert ("bytes of output could be stored in" in answer["error"], "No space left" in answer["error"]) == (True, True)


def test_on_a_full_disk_nothing_is_run_and_afterwards_all_is_well(cli: Cli) -> None:
    fill = 'head -c 1M /dev/zero > "$small"/fill 2>/dev/null'
    script = f'run "echo one"; {fill}; run "touch ran"; rm "$small"/fill; run "echo two"'
    first, refused, after = on_small_disk(cli, script)
    assert [facts(answer) for answer in (first, refused, after)] == [
        ("exited", 0, 4), ("not_started", None, 0), ("exited", 0, 4),
    ]  # fmt: skip
    assert ("disk" in refused["error"], (cli.cwd / "ran").exists()) == (True, False)


@pytest.mark.parametrize(("more", "recorded"), [(0, 2), (8_000, 1)], ids=["there is room for it", "there is not"])
def test_a_command_that_fills_the_disk_is_answered_with_its_own_exit_status(more: int, recorded: int, cli: Cli) -> None:
    command = f'head -c 10M /dev/zero > "$PWD"/small/fill; echo printed; exit 5 #{"x" * more}'
    script = f'run {limpet.quote(command)}; rm "$small"/fill; "${{limpet[@]:0:3}}" log --verify --json'
    answer, verified = on_small_disk(cli, script)
    assert (*facts(answer), answer["stdout"]) == ("exited", 5, 8, "printed\n")
    assert ("not recorded" in answer["error"], "could be stored" in answer["error"]) == (recorded == 1, True)
    assert (verified["ok"], verified["entries"], verified["problems"]) == (True, recorded, [])


def test_every_size_of_disk_gives_a_true_answer_or_a_refusal(cli: Cli) -> None:
    sizes = range(4, 88, 12)
    step = 'umount "$small"; mount -t tmpfs -o size={0}k tmpfs "$small"; rm -f ran; run "touch ran; echo hi; exit 3"; [ -e ran ] && echo true || echo false'  # fmt: skip  # noqa: E501
    answers = on_small_disk(cli, "; ".join(step.format(size) for size in sizes))
    seen = [(facts(answer), ran) for answer, ran in zip(answers[::2], answers[1::2], strict=True)]
    assert len(seen) == len(sizes)
    assert {*seen} <= {(("exited", 3, 3), True), (("not_started", None, 0), False)}
    assert len({*seen}) == 2  # the smallest refuse, the largest run


@pytest.mark.parametrize("place", ["a file", "below a file", "/dev/null", "/proc/nowhere", "a dangling link"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_state_folder_that_cannot_be_is_refused_before_anything_runs(
    place: str, form: str, cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("/proc/nowhere/at/all")
    path = {"a file": f"{tmp_path}/file", "below a file": f"{tmp_path}/file/state", "a dangling link": f"{tmp_path}/dangling"}.get(place, place)  # fmt: skip  # noqa: E501
    done = cli("run", *(["--json"] if form == "json" else []), "--", "touch ran", env={"LIMPET_STATE_DIR": path})
    said = json.loads(done.stdout)["error"] if form == "json" else done.stderr
    assert (done.returncode, (cli.cwd / "ran").exists(), "audit log" in said) == (125, False, True)
    assert (done.stdout == "", [words for words in NOT_LIMPETS_FAULT if words in said]) == (form == "text", [])


@pytest.mark.parametrize("setting", [{"LIMPET_AUDIT_REQUIRED": "false"}, {"LIMPET_AUDIT_ENABLED": "false"}])
def test_where_no_record_is_required_it_runs_and_says_what_was_not_kept(setting: dict[str, str], cli: Cli) -> None:
    done = cli("run", "--", "echo hi; exit 3", env={"LIMPET_STATE_DIR": "/dev/null", **setting})
    assert (done.returncode, done.stdout, "only the first 0 bytes" in done.stderr) == (3, "hi\n", True)
    assert ("not recorded" in done.stderr) == ("LIMPET_AUDIT_REQUIRED" in setting)


def test_a_read_only_disk_is_refused(cli: Cli) -> None:
    script = 'run true; mount -o remount,ro "$small"; run "touch ran"'
    before, refused = on_small_disk(cli, script)
    assert (facts(before), facts(refused)) == (("exited", 0, 0), ("not_started", None, 0))
    assert ("audit log" in refused["error"], (cli.cwd / "ran").exists()) == (True, False)


@pytest.mark.parametrize(
    "content",
    [
        b"not a database at all, but long enough to be looked at" * 100,
        b"SQLite format 3\0" + b"\xff" * 4000,
        b"SQLite format 3\0",
        b"\0" * 8192,
    ],
    ids=["text", "broken header", "cut header", "zeros"],
)
def test_a_damaged_record_is_refused_and_left_as_evidence(content: bytes, cli: Cli) -> None:
    (state() / "audit.db").write_bytes(content)
    (state() / "audit.db").chmod(0o600)
    done = cli("run", "--", "touch ran")
    assert (done.returncode, (cli.cwd / "ran").exists(), (state() / "audit.db").read_bytes()) == (125, False, content)
    assert ("audit log" in done.stderr, done.stderr.count("\n")) == (True, 1)
    shown = cli("log", "--verify")
    assert (shown.returncode != 0, [words for words in NOT_LIMPETS_FAULT if words in shown.stderr]) == (True, [])


@pytest.mark.parametrize("change", ["PRAGMA user_version = 99", "PRAGMA application_id = 7", "DROP TABLE head"])
def test_a_record_of_another_making_is_refused(change: str, cli: Cli) -> None:
    assert cli("run", "--", "true").returncode == 0
    with sqlite3.connect(state() / "audit.db") as connection:
        connection.execute(change)
    connection.close()
    done = cli("run", "--", "touch ran")
    assert (done.returncode, (cli.cwd / "ran").exists(), "audit log" in done.stderr) == (125, False, True)


@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "link to nothing"])
def test_what_stands_in_the_place_of_the_record_is_refused(kind: str, cli: Cli, tmp_path: Path) -> None:
    place, victim = state() / "audit.db", tmp_path / "victim"
    victim.touch()
    planting: dict[str, Callable[[], object]] = {
        "folder": place.mkdir,
        "pipe": lambda: os.mkfifo(place),
        "link": lambda: place.symlink_to(victim),
        "link to nothing": lambda: place.symlink_to(tmp_path / "nothing"),
    }
    planting[kind]()
    done = cli("run", "--", "touch ran")
    assert (done.returncode, (cli.cwd / "ran").exists(), "not a plain file" in done.stderr) == (125, False, True)
    assert (victim.read_bytes(), (tmp_path / "nothing").exists()) == (b"", False)


@pytest.mark.parametrize("what", ["audit.db*", "", "audit.db-wal"])
def test_a_record_that_is_deleted_while_the_command_runs_does_not_lose_the_answer(what: str, workspace: Path) -> None:
    victim = limpet.quote(str(state())) + ("/" + what if what else "")
    with sync.open(workspace) as shell:
        result = shell.run(f"echo before; rm -rf {victim}; echo after; exit 3")
        again = shell.run("echo again")
    assert (result.exit_code, result.stdout, again.stdout) == (3, "before\nafter\n", "again\n")
    assert ("not recorded" in (result.error or "")) == (what != "audit.db-wal")


def test_a_record_that_somebody_keeps_locked_is_waited_for(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        assert shell.run("true").ok
        lock = os.open(state() / "audit.db-tail", os.O_RDWR)
        fcntl.flock(lock, fcntl.LOCK_EX)
        began = time.monotonic()
        timer = threading.Timer(1.5, os.close, (lock,))
        timer.start()
        result = shell.run("echo waited")
        timer.join()
    assert time.monotonic() - began >= 1.5
    assert (result.stdout, result.error) == ("waited\n", None)
