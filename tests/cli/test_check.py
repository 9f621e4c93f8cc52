"""`limpet check` judges and never runs; its exit status is the verdict."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from limpet.model.decision import Decision
from terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

FIELDS = set(Decision.__struct_fields__)
OURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(autouse=True)
def _usual_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs here, so everything can be judged as it is for people."""
    monkeypatch.delenv("LIMPET_POLICY_PROFILE", raising=False)


@pytest.mark.parametrize(
    ("command", "status"), [("ls", 0), ("touch made", 0), ("git push", 10), ("rm -rf /", 11), ("echo $(git push)", 10)]
)
def test_the_status_is_the_verdict_and_nothing_runs(cli: Cli, workspace: Path, command: str, status: int) -> None:
    before = sorted(workspace.rglob("*"))
    done = cli("check", "--", command)
    assert (done.returncode, done.stderr) == (status, "")
    assert done.stdout.splitlines()[-1].startswith({0: "allow: ", 10: "ask: ", 11: "deny: "}[status])
    assert sorted(workspace.rglob("*")) == before


def test_a_person_sees_where_what_and_why(cli: Cli) -> None:
    assert cli("check", "--", "ls 漢; git push --force origin").stdout == (
        "  ls 漢; git push --force origin\n"
        "         ^^^^^^^^^^^^^^^^^^^^^^^\n"
        "ask   git.push-force (destroys)\n"
        "      `git push --force origin`: overwrites the history of the remote\n"
        "      instead: push without forcing\n"
        "ask: 1 reason in 1 of 2 commands\n"
    )


def test_as_json_it_is_one_decision(cli: Cli) -> None:
    done = cli("check", "--json", "--", "git push")
    decision = json.loads(done.stdout)
    assert (done.returncode, done.stdout.count("\n"), done.stderr, set(decision)) == (10, 1, "", FIELDS)
    assert (decision["verdict"], decision["containment"], decision["reasons"][0]["rule"]) == ("ask", "none", "git.push")


def test_several_words_are_taken_literally_and_files_are_read(cli: Cli, workspace: Path) -> None:
    assert cli("check", "--", "echo", "$(git push)", ";", "rm", "-rf", "/").returncode == 0
    (workspace / "script").write_text("ls\ngit push\n")
    assert cli("check", "--file", "script").returncode == 10
    assert cli("check", "--file", "-", stdin="rm -rf /").returncode == 11


def test_the_folders_say_what_is_inside(cli: Cli, workspace: Path) -> None:
    assert cli("check", "--", "touch ../x").returncode == 10
    assert cli("check", "--workspace", "..", "--cwd", "workspace", "--", "touch ../x").returncode == 0
    assert cli("check", "--cwd", "src", "--", "touch ../x").returncode == 10
    assert cli("check", "--workspace", "/no/such", "--cwd", "folder", "--", "touch ../x").returncode == 0


def test_the_profile_is_the_one_of_the_settings_unless_one_is_named(cli: Cli) -> None:
    assert cli("check", "--", "touch x").returncode == 0
    assert cli("check", "--profile", "read-only", "--", "touch x").returncode == 10
    env = {"LIMPET_POLICY_PROFILE": "read-only"}
    assert cli("check", "--", "touch x", env=env).returncode == 10
    assert cli("check", "--profile", "workspace", "--", "touch x", env=env).returncode == 0
    assert cli("check", "--jsonl", stdin='{"command": "touch x"}\n', env=env).stdout.startswith('{"verdict":"ask"')


def containment(cli: Cli, *arguments: str, env: dict[str, str] | None = None) -> str:
    return str(json.loads(cli("check", "--json", *arguments, "--", "git push", env=env).stdout)["containment"])


def test_it_is_judged_as_it_would_be_contained(cli: Cli) -> None:
    ran = json.loads(cli("run", "--json", "--sandbox", "auto", "--", "true").stdout)
    here = "full" if ran["guarantees"]["level"] == "native" else "none"
    assert containment(cli, "--sandbox", "auto") == here
    assert containment(cli, env={"LIMPET_SANDBOX_MODE": "auto"}) == here
    assert containment(cli, "--sandbox", "none", env={"LIMPET_SANDBOX_MODE": "auto"}) == "none"
    assert containment(cli, "--sandbox", "auto", "--workspace", "/no/such/folder") == here
    assert containment(cli) == "none"  # as the settings of these tests say


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no command: put it after --, as in: limpet check -- 'git push'"),
        (["--profile", "nope", "--", "ls"], "profile: there is none called 'nope'"),
        (["--sandbox", "x", "--", "ls"], "invalid value for '--sandbox'"),
        (["--file", "nope"], "--file nope: No such file or directory"),
        (["--workspace", ".", "--cwd", "..", "--", "ls"], "--cwd "),
        (["--jsonl", "--", "ls"], "--jsonl reads commands from stdin"),
        (["--jsonl", "--json"], "--jsonl reads commands from stdin"),
        (["--jsonl", "--profile", "nope"], "profile: there is none called 'nope'"),
    ],
)
def test_wrong_usage_is_2_and_says_what_is_wrong(cli: Cli, arguments: list[str], said: str) -> None:
    done = cli("check", *arguments, stdin='{"command": "ls"}\n')
    told = json.loads(done.stdout)["error"] if done.stdout else done.stderr.removeprefix("limpet: ")
    assert (done.returncode, told[: len(said)]) == (2, said)


def test_line_by_line_every_line_has_its_answer_in_order(cli: Cli) -> None:
    lines = ["ls", "git push", "rm -rf /", "touch ../x"]
    asked = [{"command": line} for line in lines] + [{"command": "touch ../x", "cwd": "src", "why": "ignored"}]
    done = cli("check", "--jsonl", "--workspace", ".", stdin="".join(json.dumps(one) + "\n" for one in asked))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["verdict"] for answer in answers] == ["allow", "ask", "deny", "ask", "allow"]
    assert (done.returncode, done.stderr, {frozenset(answer) for answer in answers}) == (0, "", {frozenset(FIELDS)})


def test_a_line_that_makes_no_sense_is_answered_with_an_error(cli: Cli) -> None:
    bad = [b"", b"no", b"{}", b"[1]", b'{"command": 1}', b'{"command": "\xff"}', b'{"command": "ls", "cwd": "\\u0000"}']
    bad += [b'{"command": "ls", "x": ' + b"[" * 100_000, b'{"command": "\\ud800"}']
    done = cli.raw("check", "--jsonl", stdin=b"\n".join([*bad, b'{"command": "ls"}']))
    *errors, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(error) for error in errors] == [{"error"}] * len(bad)
    assert (last["verdict"], done.returncode, done.stderr) == ("allow", 2, b"")


def test_an_answer_comes_before_the_next_question(cli: Cli) -> None:
    argv = cli.argv("check", "--jsonl")
    with subprocess.Popen(
        argv, cwd=cli.cwd, env=cli.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for command, verdict in (("ls", b"allow"), ("git push", b"ask")):
            asked.stdin.write(json.dumps({"command": command}).encode() + b"\n")
            assert asked.stdout.readline().startswith(b'{"verdict":"' + verdict)
        asked.stdin.close()
        assert asked.wait(30) == 0


def drawn(cli: Cli, **env: str) -> str:
    environment = cli.environment({"TERM": "xterm", "NO_COLOR": "", **env})
    with Terminal(cli.argv("check", "--", "ls; git push"), cwd=cli.cwd, env=environment) as terminal:
        assert terminal.wait() == 10
        return terminal.text


def test_on_a_terminal_it_has_colors_unless_they_are_not_wanted(cli: Cli) -> None:
    plain = cli("check", "--", "ls; git push").stdout
    assert "\x1b" not in plain
    colored = drawn(cli)
    assert ("\x1b[1;33m    ^^^^^^^^\x1b[0m" in colored, OURS.sub("", colored)) == (True, plain)
    assert [drawn(cli, NO_COLOR="1"), drawn(cli, TERM="dumb")] == [plain, plain]


def test_what_cannot_be_seen_is_spelled(cli: Cli) -> None:
    done = cli("check", "--", "echo \x1b[2J\u202e\udcff")
    assert done.stdout.splitlines()[0] == "  echo <U+001B>[2J<U+202E><U+DCFF>"
    assert (done.returncode, done.stdout.replace("\n", "").isprintable()) == (10, True)
