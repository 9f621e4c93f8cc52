"""`limpet send` and `limpet attach`: talking to a background task from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from limpet import OPEN, sync
from living import wait_for
from terminal import Terminal

if TYPE_CHECKING:
    from commandline import Cli

LEAVE = "\x1d"
PATIENCE = 60
ASKS = "while read -p 'name? ' x; do echo hello $x; [ $x = end ] && exit 4; done"


def started(cli: Cli, command: str, *options: str) -> str:
    return str(json.loads(cli("start", "--json", *options, "--", command).stdout)["task_id"])


def asks(cli: Cli, task: str) -> str:
    """What it asks, once it is seen to."""

    def prompt() -> str:
        found = json.loads(cli("tasks", "show", "--json", task).stdout)
        return str(found["prompt"]) if found["status"] == "waiting" else ""

    return wait_for(prompt, PATIENCE)


def attached(cli: Cli, task: str) -> Terminal:
    env = cli.environment({"TERM": "xterm"})
    return Terminal(cli.argv("attach", task), cwd=cli.cwd, env=env, columns=100)


@pytest.mark.req("MY-15")
def test_text_keys_and_the_end_are_sent(cli: Cli) -> None:
    task = started(cli, "read -p 'a? ' a; read -p 'b? ' b; cat; echo $a-$b", "--terminal")
    assert asks(cli, task) == "a?"
    assert "asks: a? | read -p" in cli("tasks").stdout
    assert cli("send", task, "one", "--keys", "enter").returncode == 0
    assert cli("send", task, "--keys", "t w o", "--keys", "enter", "--eof").returncode == 0
    assert cli("wait", task).returncode == 0
    assert cli("logs", task).stdout.endswith("one-two\r\n")


def test_what_cannot_be_sent_is_said(cli: Cli) -> None:
    deaf = started(cli, "sleep 100")
    refused = cli("send", deaf, "x")
    assert (refused.returncode, "takes no input" in refused.stderr, "--terminal" in refused.stderr) == (2, True, True)
    assert "nothing to send" in cli("send", deaf).stderr
    assert "start it with --terminal" in cli("attach", deaf).stderr
    assert cli("stop", deaf, "--now").returncode == 0
    assert "is over (stopped)" in cli("send", deaf, "x").stderr
    pipe = sync.start("cat", workspace=cli.cwd, stdin=OPEN).id
    assert "has no terminal" in cli("attach", pipe).stderr
    assert "is no key" in cli("send", pipe, "--keys", "entr").stderr
    assert cli("send", pipe, "done", "--eof").returncode == 0
    assert (cli("wait", pipe).returncode, cli("logs", pipe).stdout) == (0, "done")


@pytest.mark.req("MY-15")
def test_two_persons_sit_at_one_terminal_and_leave_or_see_its_end(cli: Cli) -> None:
    task = started(cli, ASKS, "--terminal")
    with attached(cli, task) as one, attached(cli, task) as other:
        before = one.modes
        for there in (one, other):
            there.until(lambda text: "ctrl-] leaves it running" in text and "name? " in text)
        one.type("joe\r")
        for there in (one, other):
            there.until(lambda text: "hello joe\r\nname? " in text)
        one.type(LEAVE)
        assert one.wait() == 0
        assert f"left task {task}; it goes on" in one.text
        assert one.modes == before
        other.type("end\r")
        assert other.wait() == 4
        assert "hello end\r\n" in other.text
        assert "exit 4" in other.text
    with attached(cli, task) as late:
        assert late.wait() == 4


def test_who_attaches_sees_what_was_there_and_nothing_that_reaches_out(cli: Cli) -> None:
    drawn = r"printf '\033]0;evil\007\033]52;c;aGk=\007before\033[6n\n'"
    # Not by a trap: bash forgets a signal that comes while the trap runs.
    command = f"{drawn}; while :; do stty size; sleep 0.4; done"
    task = started(cli, command, "--terminal", "--rows", "10", "--columns", "50")
    wait_for(lambda: "before" in cli("logs", task).stdout, PATIENCE)
    with attached(cli, task) as there:
        there.until(lambda text: "before\r\n" in text and "24 100" in text)
        there.resize(90, 20)
        there.until(lambda text: "20 90" in text)
        there.type(LEAVE)
        assert there.wait() == 0
        assert not [sign for sign in ("evil", "aGk=", "\x1b]", "\x1b[6n") if sign in there.text]
    assert cli("stop", "--now", task).returncode == 0


def test_who_attaches_sees_no_more_than_the_last_screen(cli: Cli) -> None:
    task = started(cli, "seq 1000 2000; read -p 'end? ' x", "--terminal")
    asks(cli, task)
    assert "attach needs a terminal" in cli("attach", task).stderr
    with attached(cli, task) as there:
        there.until(lambda text: "end? " in text)
        assert ("1990\r\n" in there.text, "1970\r\n" in there.text) == (True, False)
        there.type("\r")
        assert there.wait() == 0
