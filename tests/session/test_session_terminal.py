"""A session with a terminal: one for all its commands, each with its own boundaries, status and output."""

from __future__ import annotations

import asyncio
import os
import threading
from typing import TYPE_CHECKING

import pytest

import limpet
from conversing import all_waits, talk
from limpet import InvalidRequestError, Outcome, Terminal, sync
from living import marker, sleeping, wait_for, wait_gone
from questions import ASKING, BUSY, MOST_QUIET, MOST_USUAL

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE = 60
A_WHILE = 2.5
SANDBOXES = pytest.mark.parametrize("sandbox", ["none", "native", "landlock"])


def pressed(bash: sync.Session, command: str, ready: Callable[[], object], *keys: str) -> limpet.Result:
    """What becomes of a command when keys are pressed once it is ready for them."""
    with bash.stream(command, timeout=PATIENCE) as run:
        wait_for(ready, PATIENCE)
        run.send_keys(*keys)
        return run.result()


@pytest.mark.req("MY-15")
@SANDBOXES
def test_every_command_has_the_terminal_and_what_it_prints_comes_together(sandbox: str, workspace: Path) -> None:
    asks = "for fd in 0 1 2; do test -t $fd && echo $fd; done; stty size; echo $TERM; (echo deep >&2; exit 4)"
    with sync.open(workspace, sandbox=sandbox) as shell, shell.session(terminal=Terminal(rows=7, columns=99)) as bash:
        first = bash.run(asks)
        bash.run("cd src; x=kept")
        second = bash.run("pwd -P; echo $x; : </dev/tty; ls -l /proc/self/fd | wc -l")
        plain = shell.run("ls -l /proc/self/fd | wc -l", terminal=True).stdout
    assert (first.stdout, first.stderr) == ("0\n1\n2\n7 99\nxterm-256color\ndeep\n", "")
    assert (first.exit_code, bash.cwd) == (4, f"{workspace}/src")
    assert second.stdout == f"{workspace}/src\nkept\n{plain}"


def test_nothing_of_the_shell_itself_is_seen(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=True, env={"PS1": "P>", "PS2": "P>"}) as bash:
        commands = ("true", "printf x", "echo 'two\nlines'", "PROMPT_COMMAND='echo P'")
        assert [bash.run(text).stdout for text in commands] == ["", "x", "two\nlines\n", ""]
        assert bash.run(f"echo {'long ' * 5000}").stdout == f"{' '.join(['long'] * 5000)}\n"


@SANDBOXES
def test_a_question_is_seen_and_answered(sandbox: str, workspace: Path) -> None:
    async def ask() -> tuple[list[str], str, str]:
        async with (
            limpet.open(workspace, sandbox=sandbox) as shell,
            shell.session(terminal=True) as bash,
        ):
            await bash.run("x=1")
            talked = await talk(
                bash, "read -p 'a? ' a; read -sp 'b? ' b; echo", "1\n", lambda run: run.send_keys("2", "enter")
            )
            return talked.prompts, talked.text, (await bash.run("echo $x $a $b")).stdout

    assert asyncio.run(ask()) == (["a?", "b?"], "a? 1\nb? \n", "1 1 2\n")


@pytest.mark.req("MY-15")
def test_who_waits_is_seen_in_a_session_as_in_a_run(workspace: Path) -> None:
    commands = {name: ASKING[name][0] for name in MOST_USUAL}

    async def look() -> dict[str, str | None]:
        async with limpet.open(workspace, terminal=True) as shell:
            return await all_waits(shell, commands, seconds=PATIENCE, in_sessions=True)

    prompts = asyncio.run(look())
    assert {name: prompt for name, prompt in prompts.items() if prompt is None} == {}
    assert prompts == {name: ASKING[name][1] or prompts[name] for name in MOST_USUAL}


@pytest.mark.req("MY-15")
def test_who_goes_on_by_itself_is_not(workspace: Path) -> None:
    commands = {name: BUSY[name] for name in MOST_QUIET}

    async def look() -> dict[str, str | None]:
        async with limpet.open(workspace, terminal=True) as shell:
            return await all_waits(shell, commands, seconds=A_WHILE, in_sessions=True)

    assert asyncio.run(look()) == dict.fromkeys(MOST_QUIET)


def test_a_command_that_nobody_can_answer_is_ended_and_the_session_goes_on(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        bash.run("x=kept")
        result = bash.run("x=lost; read -p 'Overwrite? ' y", timeout=PATIENCE)
        assert (result.outcome, result.stdout) == (Outcome.CANCELLED, "Overwrite? ")
        assert result.error is not None
        assert result.error.startswith("it waited for input (its last line: 'Overwrite?'), and nobody was there")
        assert bash.run("echo $x").stdout == "kept\n"


def test_how_one_command_left_the_terminal_is_not_how_the_next_finds_it(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        usual = bash.run("stty -a").stdout
        bash.run("stty raw -echo -onlcr intr q eof z")
        assert bash.run("stty -a").stdout == usual
        with bash.stream("echo begun; sleep 0.3", timeout=PATIENCE) as run:
            next(event for event in run if isinstance(event, limpet.Output))
            run.send("read by nobody\n\x13")  # the last is the key that holds up whatever is printed
            run.result()
        assert bash.run("read -t 0.2 x; echo got $? $x").stdout.endswith("got 142\n")


def test_stdin_is_typed_and_ends(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        bash.run('stty() { command stty "$@"; }; stty -echo')
        assert bash.run("read x; cat >rest", stdin="one\ntwo\nthree").exit_code == 0
        assert bash.run("echo $x; cat rest").stdout == "one\ntwo\nthree"


def test_ctrl_c_ends_a_command_and_not_the_session(workspace: Path) -> None:
    awake = marker()
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        bash.run("cd src; f() { echo f $x; }")
        result = pressed(bash, f"x=1; exit_later=1; sleep {awake}; echo never", lambda: sleeping(awake), "ctrl-c")
        assert (result.outcome, result.signal, result.stdout) == (Outcome.SIGNALLED, "SIGINT", "^C")
        assert bash.run("f; pwd -P").stdout == f"f 1\n{workspace}/src\n"
        result = pressed(bash, f"trap 'echo mine' INT; sleep {awake}; echo on", lambda: sleeping(awake), "ctrl-c")
        assert (result.exit_code, result.stdout) == (0, "^Cmine\non\n")
        result = pressed(bash, f"sleep {awake}; exit", lambda: sleeping(awake), "ctrl-\\")
        assert ("Quit" in result.stdout, bash.alive) == (True, False)


def test_the_end_of_input_is_a_key(workspace: Path) -> None:
    async def end() -> tuple[str, str]:
        async with limpet.open(workspace) as shell, shell.session(terminal=True) as bash:
            talked = await talk(bash, "cat; echo over $?", lambda run: run.close_input())
            return talked.text, (await bash.run("echo alive")).stdout

    assert asyncio.run(end()) == ("over 0\n", "alive\n")


def test_its_size_changes_and_stays_changed_in_another_shell(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        assert bash.run("stty size").stdout == "24 80\n"
        bash.resize(33, 111)
        assert bash.run("stty size; kill -9 $$").stdout == "33 111\n"
        assert bash.run("stty size").stdout == "33 111\n"
        with bash.stream(
            "trap 'stty size; exit' WINCH; echo set; while :; do sleep 0.01; done", timeout=PATIENCE
        ) as run:
            next(event for event in run if isinstance(event, limpet.Output))
            run.resize(20, 40)
            assert run.result().stdout == "set\n20 40\n"


def test_the_screen_is_read_as_text(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=Terminal(rows=4, columns=20)) as bash:
        bash.run(r"printf '\033[2J\033[1;1Hone\033]52;c;ZXZpbA==\a\ntwo\033[1;1HO'")
        assert bash.screen().lines()[:2] == ["One", "two"]
        assert "52;c" not in bash.run("(until [ -e go ]; do sleep 0.01; done; printf later) & true").output
        (workspace / "go").touch()
        wait_for(lambda: "later" in bash.screen().text(), PATIENCE)


def test_looking_at_the_screen_takes_nothing_from_the_command_that_runs(workspace: Path) -> None:
    async def look() -> tuple[str, str]:
        async with limpet.open(workspace) as shell, shell.session(terminal=True) as bash:
            async with bash.stream("seq 2000; read -p 'more? '; seq 3", timeout=PATIENCE) as run:
                async for event in run:
                    bash.screen()
                    if isinstance(event, limpet.Waiting) and event.waiting:
                        assert bash.screen().lines()[-2:] == ["2000", "more?"]
                        run.send("y\n")
                first = await run.result()
            return first.stdout, (await bash.run("echo next")).stdout

    numbers = "".join(f"{number}\n" for number in range(1, 2001))
    assert asyncio.run(look()) == (f"{numbers}more? y\n1\n2\n3\n", "next\n")


def test_who_runs_in_the_background_writes_to_the_terminal_and_waits_for_nobody(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        commands = ["seq 100000 & echo begun", "echo front", "wait; echo over"]
        shown = "".join(bash.run(text, timeout=PATIENCE, max_output=10_000_000).stdout for text in commands)
        lines = shown.replace("begun\n", "").replace("front\n", "").removesuffix("over\n").split()
        assert lines == [str(number) for number in range(1, 100_001)]
        assert bash.run("echo $?").stdout == "0\n"


def test_a_flood_in_the_background_does_not_keep_a_command_from_ending(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        bash.run("yes & sleep 0.1")
        assert bash.run("true", timeout=PATIENCE).exit_code == 0
        assert bash.run("kill $!; wait", timeout=PATIENCE).outcome is Outcome.EXITED


@SANDBOXES
def test_ten_megabytes_are_whole(sandbox: str, workspace: Path) -> None:
    with sync.open(workspace, sandbox=sandbox) as shell, shell.session(terminal=True) as bash:
        result = bash.run("head -c 10000000 /dev/zero | tr '\\0' x; echo end", timeout=PATIENCE)
        assert (result.stdout_bytes, result.stdout[-5:]) == (10_000_005, "xend\n")
        assert bash.run("echo next").stdout == "next\n"


@pytest.mark.parametrize(
    ("command", "ended", "after"),
    [
        ("set -e; x=new; false; echo never", (Outcome.EXITED, 1), "new\n"),
        ("x=new; sleep 100", (Outcome.TIMED_OUT, None), "old\n"),
        ("x=new; kill -9 $$", (Outcome.SIGNALLED, None), "old\n"),
        ("echo 'unterminated", (Outcome.EXITED, 2), "old\n"),
        ("exec 59<&- 58>&-", (Outcome.EXITED, 0), "old\n"),
        ("x=new; set -m; bash -ic 'set -m; kill -9 $$'", (Outcome.EXITED, 137), "new\n"),
    ],
    ids=["set -e", "its time", "killed", "a quote", "descriptors", "taken"],
)  # fmt: skip
def test_whatever_ends_or_breaks_a_shell_the_next_command_has_a_terminal(
    command: str, ended: tuple[Outcome, int | None], after: str, workspace: Path
) -> None:
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        bash.run("x=old")
        result = bash.run(command, timeout=0.5 if "100" in command else PATIENCE)
        next_one = bash.run("echo $x; read -t 1 y; test -t 0 && echo $y", stdin="typed\n")
    if "58" not in command:
        assert (result.outcome, result.exit_code) == ended
    assert next_one.stdout.replace("typed\n", "", 1).replace("^D\b\b", "") == f"{after}typed\n"


def test_exit_ends_the_session_and_restart_goes_on(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        with shell.session(terminal=True) as bash:
            assert (bash.run("exit 3").exit_code, bash.alive) == (3, False)
        with shell.session(terminal=True, restart=True) as bash:
            bash.run("x=1; exit 3")
            assert bash.run("echo $x; test -t 1").stdout == "1\n"


def test_nothing_is_left_when_it_is_closed(workspace: Path) -> None:
    awake = marker()
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        bash.run(f"sleep {awake} & setsid -f sleep {awake}")
        wait_for(lambda: len(sleeping(awake)) == 2)
        other = threading.Timer(0.3, bash.close)
        other.start()
        bash.run(f"sleep {awake}", timeout=PATIENCE)
        other.join()
    assert wait_gone(awake)


@pytest.mark.parametrize("sandbox", ["native", "landlock"])
def test_its_commands_reach_nobody_elses_terminal(sandbox: str, workspace: Path) -> None:
    ours, theirs = os.openpty()
    os.set_blocking(ours, False)
    try:
        each = f"for name in {os.ttyname(theirs)} /dev/pts/[0-9]*"
        with sync.open(workspace, sandbox=sandbox) as shell, shell.session(terminal=True) as bash:
            said = bash.run(f"{each}; do test $name -ef $(tty) || echo x 2>&1 >$name; done").stdout
        with pytest.raises(BlockingIOError):
            os.read(ours, 1)
    finally:
        os.close(ours)
        os.close(theirs)
    assert said
    refused = ("Permission denied", "No such file or directory", "Read-only file system")
    assert all(line.endswith(refused) for line in said.splitlines())


def test_a_session_without_a_terminal_has_neither_size_nor_screen(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        for call in (lambda: bash.resize(10, 10), bash.screen):
            with pytest.raises(InvalidRequestError, match="this session has no terminal"):
                call()
    with sync.open(workspace) as shell, shell.session(terminal=True) as bash:
        with pytest.raises(InvalidRequestError, match="from 1 to 1000 rows"):
            bash.resize(0, 80)
        with pytest.raises(InvalidRequestError, match="settled for a whole session"):
            bash.run("true", terminal=False)  # type: ignore[call-arg]  # what it says
