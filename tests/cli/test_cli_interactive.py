"""`limpet run --terminal`: a person talks to the command; their own terminal stays theirs."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

from living import marker, sleeping, wait_for, wait_gone
from terminal import Terminal

if TYPE_CHECKING:
    from commandline import Cli

LEAVE = "\x1d"
REACHING_OUT = r"\033]0;evil\007\033]52;c;aGk=\007\033[6n\033[c\033[>1u\033Ptmux;\033\033]52;c;aGk=\007\033\\"
HINT = "every key goes to the command; ctrl-] ends it"


def person(cli: Cli, *args: str, columns: int = 80) -> Terminal:
    env = cli.environment({"TERM": "xterm"})
    return Terminal(cli.argv("run", "--terminal", *args), cwd=cli.cwd, env=env, columns=columns)


@pytest.mark.req("MY-15")
def test_a_person_talks_to_the_command_and_gets_its_status(cli: Cli) -> None:
    with person(cli, "--", "read -p 'name? ' x; echo hello $x; stty size; exit 3", columns=100) as there:
        before = there.modes
        there.until(lambda text: f"{HINT}\nname? " in text)
        assert there.modes != before
        there.type("joe\r")
        assert there.wait() == 3
        assert "name? joe\r\nhello joe\r\n24 100\r\n" in there.text
        assert "exit 3" in there.shown
        assert there.modes == before


def test_every_key_but_one_goes_to_the_command(cli: Cli) -> None:
    mark = marker()
    with person(cli, "--", f"trap 'echo heard' INT; echo up; while :; do sleep {mark}; done") as there:
        before = there.modes
        there.until(lambda text: f"{HINT}\nup" in text and sleeping(mark))
        there.type("\x03")
        there.until(lambda text: "heard" in text)
        there.type(LEAVE)
        assert there.wait() == 130
        assert "cancelled" in there.shown
        assert there.modes == before
        assert wait_gone(mark, 0)


@pytest.mark.req("MY-15")
def test_nothing_that_reaches_out_gets_to_the_persons_terminal(cli: Cli) -> None:
    with person(cli, "--", rf"printf '{REACHING_OUT}\033[31mred\033[?1049h\033[?1000h\033[?25lpainted'") as there:
        assert there.wait() == 0
        drawn = there.raw.split(b"ends it\n", 1)[1]
        assert drawn.startswith(
            b"\x1b[31mred\x1b[?1049h\x1b[?1000h\x1b[?25lpainted\x1b[?1049l\x1b[?1000l\x1b[?25h\x1b[0m"
        )
        assert not [sign for sign in (b"\x1b]", b"evil", b"aGk=", b"\x1bP", b"\x1b[6n", b"\x1b[c") if sign in drawn]


def test_the_commands_terminal_grows_with_the_persons(cli: Cli) -> None:
    with person(cli, "--", "trap 'stty size; exit 0' WINCH; echo up; while :; do read -t 0.05 x; done") as there:
        there.until(lambda text: f"{HINT}\nup" in text)
        there.resize(111, 33)
        assert there.wait() == 0
        assert "33 111" in there.text


def test_a_struck_limpet_gives_the_terminal_back(cli: Cli) -> None:
    mark = marker()
    with person(cli, "--", f"printf '\\033[?1049h'; sleep {mark}") as there:
        before = there.modes
        wait_for(lambda: (sleeping(mark) and b"\x1b[?1049h" in there.raw) or not there._read(0.05), 30)
        os.kill(there.pid, signal.SIGTERM)
        assert there.wait() == 128 + signal.SIGTERM
        assert b"\x1b[?1049l" in there.raw
        assert there.modes == before
        assert wait_gone(mark, 0)


def test_in_a_pipe_the_output_is_what_the_terminal_gave(cli: Cli) -> None:
    done = cli.raw("run", "--terminal", "--rows", "30", "--columns", "99", "--", "stty size; test -t 0 && echo tty")
    assert (done.returncode, done.stdout) == (0, b"30 99\r\ntty\r\n")


def test_what_comes_on_stdin_is_typed(cli: Cli) -> None:
    command = "read -p 'a? ' a; read -p 'b? ' b; echo $a-$b; cat"
    done = cli("run", "--terminal", "--stdin", "--", command, stdin="1\n2\n")
    assert (done.returncode, done.stdout.endswith("1-2\r\n")) == (0, True)
    told = json.loads(cli("run", "--terminal", "--stdin", "--json", "--", command, stdin="1\n2\n").stdout)
    assert (told["exit_code"], told["stdout"].endswith("1-2\n")) == (0, True)


def test_where_nobody_can_answer_a_question_ends_it(cli: Cli) -> None:
    done = cli("run", "--terminal", "--", "read -p 'sure? ' x")
    assert (done.returncode, done.stdout) == (130, "sure? ")
    assert "it waited for input (its last line: 'sure?'), and nobody was there" in done.stderr


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--rows", "10"], "--rows and --columns are for a command with --terminal"),
        (["--terminal", "--rows", "0"], "0 is not in the range"),
        (["--terminal", "--columns", "1001"], "1001 is not in the range"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(args: list[str], why: str, cli: Cli) -> None:
    done = cli("run", *args, "--", "touch ran")
    assert (done.returncode, why in done.stderr) == (2, True)
    assert not (cli.cwd / "ran").exists()


def test_that_it_waits_is_shown_to_who_looks_on(cli: Cli) -> None:
    (cli.cwd / "run.sh").write_text('sleep 2 | "$@" run --terminal --stdin -- "echo Which one; read x"')
    env = cli.environment({"TERM": "xterm"})
    with Terminal(["sh", "run.sh", *cli.argv()], cwd=cli.cwd, env=env) as there:
        there.until(lambda text: "waits for input: Which one" in text)
        assert there.wait() == 1
