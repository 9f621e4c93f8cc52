"""The terminal of a named session, seen and typed at from another shell than the one that runs the command."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from commandline import SOURCE
from limpet import CancelToken
from limpet.named.client import Named, Visitor
from limpet.named.talk import Run
from living import wait_for
from terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commandline import Cli

PATIENCE = 30


pytestmark = pytest.mark.usefixtures("no_session_left")


@contextlib.contextmanager
def running(cli: Cli, *args: str) -> Iterator[subprocess.Popen[str]]:
    """`limpet session run` in a shell of its own, where nobody is at a terminal."""
    with subprocess.Popen(
        cli.argv("session", "run", *args), cwd=cli.cwd, env=cli.environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.terminate()


def asked(cli: Cli, prompt: str | None = None) -> dict[str, Any]:
    """How a session stands once it asks this, or anything."""

    def standing() -> list[dict[str, Any]]:
        listed = json.loads(cli("session", "list", "--json").stdout)
        return [each for each in listed if each["waiting"] and prompt in (None, each["prompt"])]

    return wait_for(standing, PATIENCE)[0]


@pytest.mark.req("MY-15")
def test_a_question_is_listed_and_answered_from_another_shell(cli: Cli) -> None:
    command = "read -p 'name? ' a; read -p 'sure? ' b; cat; echo $a $b over"
    with running(cli, "work", "--terminal", "--attended", "--", command) as process:
        assert asked(cli, "name?")["busy"] == command
        listed = cli("session", "list").stdout
        assert listed.split() == ["work", "waits", "for", "input:", "name?", str(cli.cwd)]
        assert "now        waits for input: name?\n" in cli("session", "show", "work").stdout
        assert cli("session", "send", "work", "joe", "--keys", "enter").returncode == 0
        asked(cli, "sure?")
        assert cli("session", "send", "work", "--keys", "y e", "--keys", "s enter").returncode == 0
        asked(cli, "sure? yes")
        assert cli("session", "send", "work", "--eof").returncode == 0
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "name? joe\nsure? yes\njoe yes over\n", "")
    assert "idle for" in cli("session", "list").stdout


def test_text_keys_and_the_end_come_in_this_order(cli: Cli) -> None:
    with running(cli, "work", "--terminal", "--attended", "--", "read -p '? ' a; cat >rest; echo $a") as process:
        asked(cli, "?")
        assert cli("session", "send", "work", "--keys", "enter x", "--eof", "one").returncode == 0
        assert process.communicate(timeout=PATIENCE)[0].endswith("one\n")
    assert (cli.cwd / "rest").read_text() == "x"


def test_who_sits_at_the_terminal_of_the_call_sees_what_somebody_else_types(cli: Cli) -> None:
    argv = cli.argv("session", "run", "work", "--terminal", "--", "read -p 'name? ' n; echo you are $n")
    with Terminal(argv, cwd=cli.cwd, env=cli.environment({"NO_COLOR": "1", "TERM": "xterm"})) as terminal:
        terminal.until(lambda text: text.endswith("name? "))
        assert cli("session", "send", "work", "Ada", "--keys", "enter").returncode == 0
        terminal.until(lambda text: "you are Ada\r\n" in text)
        assert terminal.wait() == 0


def test_the_screen_is_shown_as_text(cli: Cli) -> None:
    draw = r"printf '\033[2J\033[1;1Hone\033]52;c;ZXZpbA==\a\033[2;3Htwo'; read -sn1"
    with running(cli, "work", "--terminal", "--rows", "4", "--columns", "20", "--attended", "--", draw) as process:
        asked(cli)
        assert cli("session", "screen", "work").stdout == "one\n  two\n"
        told = json.loads(cli("session", "screen", "work", "--json").stdout)
        assert told == {"lines": ["one", "  two", "", ""], "cursor": [1, 5], "rows": 4, "columns": 20}
        cli("session", "send", "work", "x")
        assert process.wait(PATIENCE) == 0
    assert cli("session", "screen", "work").stdout == "one\n  two\n"


def test_without_pyte_the_screen_says_what_to_install(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "pyte.py").write_text("raise ImportError\n")
    cli("session", "run", "work", "--terminal", "--", "echo drawn")
    done = cli("session", "screen", "work", env={"PYTHONPATH": f"{tmp_path}:{SOURCE}"})
    said = "limpet: the screen as text needs pyte, which is not installed: pip install 'limpet[screen]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (125, "", said)


def test_what_cannot_be_sent_or_shown_says_what_to_do(cli: Cli) -> None:
    cli("session", "run", "plain", "--", "true")
    cli("session", "run", "drawn", "--terminal", "--", "true")
    wrong = {
        ("send", "nothing", "x"): "there is no session nothing; `limpet session list` shows all",
        ("screen", "nothing"): "there is no session nothing",
        ("send", "plain", "x"): "has no terminal: `limpet session close plain`, and start it with `limpet session run ",
        ("screen", "plain"): "the session plain has no terminal",
        ("send", "drawn", "x"): "nothing runs in the session drawn that could read this; `limpet session run ",
        ("send", "drawn"): "nothing to send: give TEXT, --keys or --eof",
        ("send", "drawn", "--keys", "any"): "'any' is no key",
        ("run", "plain", "--attended", "--", "true"): "the session plain has no terminal to answer at",
        ("run", "new", "--attended", "--", "true"): "the session new has no terminal to answer at",
        ("run", "drawn", "--attended", "--stdin", "--", "true"): "leave out --attended",
    }
    for args, said in wrong.items():
        done = cli("session", *args)
        assert (done.returncode, said in done.stderr, done.stdout) == (2, True, ""), done
    assert [each["name"] for each in json.loads(cli("session", "list", "--json").stdout)] == ["drawn", "plain"]


def test_what_is_not_attended_takes_nothing_from_others(cli: Cli) -> None:
    with running(cli, "work", "--terminal", "--", "read -t 60 -p 'still? '") as process:
        asked(cli, "still?")
        done = cli("session", "send", "work", "x")
        assert (done.returncode, "it was not run with --attended" in done.stderr) == (2, True)
        process.terminate()
        process.wait(PATIENCE)


def test_those_who_wait_for_their_turn_are_neither_typed_into_nor_ended_for_idleness(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def both() -> tuple[str, str]:
        named, begun = Named(os.environ), asyncio.Event()
        await named.ensure("work", workspace=str(cli.cwd), options={"terminal": {"rows": 9, "columns": 40}})
        visitor = Visitor(opened=lambda *_: begun.set())
        command = Run(command=b"read -p 'first? ' a; echo $a", options={}, attended=True)
        first = asyncio.ensure_future(named.run("work", command, cancel=CancelToken(), visitor=visitor))
        await begun.wait()
        later = Run(command=b"read -t 1.5 -p 'second? ' b; echo \"<$b>\"", options={}, attended=True)
        second = asyncio.ensure_future(named.run("work", later, cancel=CancelToken()))
        async with asyncio.timeout(PATIENCE):
            while not (standing := await named.look("work")).waiting:
                pass
        assert (standing.busy, standing.prompt) == ("read -p 'first? ' a; echo $a", "first?")
        await named.send("work", b"one\n")
        return (await first).stdout, (await second).stdout

    monkeypatch.setenv("LIMPET_SESSION_IDLE", "1")
    assert asyncio.run(both()) == ("first? one\none\n", "second? <>\n")


def test_nobody_else_reaches_the_terminal(cli: Cli) -> None:
    cli("session", "run", "work", "--terminal", "--", "true")
    place = Path(os.environ["LIMPET_STATE_DIR"], "sessions", "work")
    cli("session", "screen", "work")
    modes = {each.name: oct(each.stat().st_mode & 0o777) for each in (place, *place.iterdir())}
    assert modes == {"work": "0o700", "socket": "0o600", "facts.json": "0o600", "lock": "0o600"}
