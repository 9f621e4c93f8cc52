"""Commands that are talked to while they run, through a pipe or a terminal of their own, bare and behind walls."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from attack.hostile import ended, somebody, wait_no_helpers
from conversing import Talk, talk
from limpet import OPEN, InvalidRequestError, Outcome, Output, Terminal, Waiting, sync
from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE = 60
behind_walls = pytest.mark.parametrize("sandbox", ["none", "native"])
everywhere = pytest.mark.parametrize("sandbox", ["none", "native", "landlock"])


def talked(workspace: Path, command: str, *answers: str | Callable[[limpet.Stream], object], **options: Any) -> Talk:
    async def converse() -> Talk:
        async with limpet.open(workspace) as shell:
            return await talk(shell, command, *answers, **{"timeout": PATIENCE, **options})

    return asyncio.run(converse())


def ran(workspace: Path, command: str, **options: Any) -> limpet.Result:
    with sync.open(workspace) as shell:
        return shell.run(command, **{"timeout": PATIENCE, "terminal": True, **options})


def keys(*names: str) -> Callable[[limpet.Stream], object]:
    return lambda run: run.send_keys(*names)


def close(run: limpet.Stream) -> None:
    run.close_input()


def send_and_close(text: str) -> Callable[[limpet.Stream], object]:
    def act(run: limpet.Stream) -> None:
        run.send(text)
        run.close_input()

    return act


@behind_walls
@pytest.mark.req("MY-15")
def test_a_command_reads_what_is_sent_until_it_is_closed(sandbox: str, workspace: Path) -> None:
    done = talked(workspace, "cat; echo over", "one\n", "two", close, stdin=OPEN, sandbox=sandbox)
    assert (done.result.exit_code, done.data) == (0, b"one\ntwoover\n")


@everywhere
@pytest.mark.req("MY-15")
def test_a_terminal_echoes_and_ends_at_its_key(sandbox: str, workspace: Path) -> None:
    command = "test -t 0 -a -t 1 -a -t 2 && cat; echo over >&2"
    done = talked(workspace, command, "one\n", send_and_close("two"), terminal=True, sandbox=sandbox)
    assert (done.result.exit_code, done.text) == (0, "one\none\ntwotwoover\n")


@behind_walls
def test_a_terminal_has_a_size_and_tells_of_another(sandbox: str, workspace: Path) -> None:
    command = "trap 'stty size; exit' WINCH; stty size; while :; do read -t 0.05 x; done"
    with sync.open(workspace) as shell:
        options: Any = {"terminal": Terminal(rows=40, columns=132), "timeout": PATIENCE, "sandbox": sandbox}
        with shell.stream(command, **options) as run:
            for event in run:
                if isinstance(event, Output) and "40 132" in event.text:
                    run.resize(50, 200)
            assert run.result().stdout == "40 132\n50 200\n"


@behind_walls
@pytest.mark.req("MY-15")
def test_keys_send_signals_to_what_runs_in_front(sandbox: str, workspace: Path) -> None:
    shell = "env PS1='> ' bash --norc --noprofile -i"
    done = talked(
        workspace, shell, "cat\n", keys("ctrl-c"), "cat; jobs\n", keys("ctrl-z"), "fg\n", keys("ctrl-d"), "exit 7\n",
        terminal=True, sandbox=sandbox,
    )  # fmt: skip
    assert done.result.exit_code == 7
    assert "^C" in done.text
    assert "Stopped" in done.text


@pytest.mark.parametrize(("key", "signalled"), [("ctrl-c", "SIGINT"), ("ctrl-\\", "SIGQUIT")])
def test_a_command_that_is_interrupted_says_by_what(key: str, signalled: str, workspace: Path) -> None:
    done = talked(workspace, "ulimit -c 0; exec cat", keys(key), terminal=True)
    assert (done.result.outcome, done.result.signal) == (Outcome.SIGNALLED, signalled)


def test_a_command_without_job_control_cannot_be_stopped_for_good(workspace: Path) -> None:
    done = talked(workspace, "cat", keys("ctrl-z"), "on\n", keys("ctrl-d"), terminal=True)
    assert (done.result.exit_code, done.text) == (0, "^Zon\non\n")


@behind_walls
def test_the_terminal_is_that_of_the_whole_session(sandbox: str, workspace: Path) -> None:
    command = "echo to it >/dev/tty; read x </dev/tty; echo got $x; setsid sh -c 'echo </dev/tty' 2>&1 | wc -l"
    done = talked(workspace, command, "this\n", terminal=True, sandbox=sandbox)
    assert done.text == "to it\nthis\ngot this\n1\n"


@everywhere
def test_a_command_finds_its_terminal_by_name(sandbox: str, workspace: Path) -> None:
    command = (
        'name=$(tty) && echo "$name"; test -c "$name" && echo written >"$name";'
        ' readlink /proc/self/fd/0 | grep -Fx "$name" >/dev/null && echo same'
    )
    name, *rest = ran(workspace, command, sandbox=sandbox).stdout.splitlines()
    assert name.startswith("/dev/")
    assert rest == ["written", "same"]


@pytest.mark.parametrize("sandbox", ["native", "landlock"])
def test_a_command_with_a_terminal_reaches_nobody_elses(sandbox: str, workspace: Path) -> None:
    ours, theirs = os.openpty()
    os.set_blocking(ours, False)
    try:
        each = f"for name in {os.ttyname(theirs)} /dev/pts/[0-9]*"
        said = ran(workspace, f"{each}; do test $name -ef $(tty) || echo x 2>&1 >$name; done", sandbox=sandbox).stdout
        with pytest.raises(BlockingIOError):
            os.read(ours, 1)
    finally:
        os.close(ours)
        os.close(theirs)
    refused = ("Permission denied", "No such file or directory", "Read-only file system")
    assert said
    assert all(line.endswith(refused) for line in said.splitlines())


def test_a_command_may_let_go_of_its_terminal_and_come_back(workspace: Path) -> None:
    command = "exec </dev/null >/dev/null 2>&1; sleep 0.3; read -p 'late? ' x </dev/tty 2>/dev/tty; echo $x >/dev/tty"
    assert talked(workspace, command, "yes\n", terminal=True).text == "late? yes\nyes\n"


def test_raw_mode_and_silence_are_what_they_are(workspace: Path) -> None:
    program = "import os, sys, tty; tty.setraw(0); os.write(1, b'go'); os.write(1, repr(os.read(0, 9)).encode())"
    done = talked(workspace, f'python3 -c "{program}"', keys("ctrl-c", "up"), terminal=True)
    assert done.text == r"gob'\x03\x1b[A'"
    assert talked(workspace, "stty -echo; read x; echo $x", "quiet\n", terminal=True).text == "quiet\n"


@behind_walls
def test_everything_printed_on_a_terminal_arrives_in_order(sandbox: str, workspace: Path) -> None:
    for _ in range(5):
        result = ran(workspace, "seq 1 3000; seq 3001 6000 >&2; printf end", sandbox=sandbox, max_output=1 << 20)
        assert result.output == "".join(f"{n}\n" for n in range(1, 6001)) + "end"


def test_a_flood_through_a_terminal_is_whole(workspace: Path) -> None:
    size = 100_000_000
    result = ran(workspace, f"head -c {size} /dev/zero | tr '\\0' x; echo", limits=limpet.Limits(output_disk=size * 2))
    assert result.output_file is not None
    assert (result.stdout_bytes, os.path.getsize(result.output_file)) == (size + 2, size + 2)


def test_much_can_be_typed_ahead(workspace: Path) -> None:
    lines = "".join(f"{n:<70}\n" for n in range(20_000))
    result = ran(workspace, "stty -echo; cat >all; wc -l <all", stdin=lines)
    assert result.exit_code == 0
    assert (workspace / "all").read_text() == lines


def test_stdin_for_a_terminal_is_typed_and_then_ends(workspace: Path) -> None:
    result = ran(workspace, "cat; echo over", stdin="typed\nand more")
    assert (result.exit_code, result.stdout.count("typed"), result.stdout[-5:]) == (0, 2, "over\n")


def test_what_is_sent_before_it_starts_or_after_it_has_ended_does_no_harm(workspace: Path) -> None:
    async def converse() -> str:
        async with limpet.open(workspace) as shell, shell.stream("read x; echo got $x", stdin=OPEN) as run:
            run.send("early\n")
            result = await run.result()
            run.send("late\n")
            run.send_keys("enter")
            run.resize(10, 10)
            run.close_input()
            return result.stdout

    assert asyncio.run(converse()) == "got early\n"


def test_a_command_that_reads_nothing_takes_nothing(workspace: Path) -> None:
    """However much is sent, nobody waits for it to be read."""

    async def converse() -> Outcome:
        async with limpet.open(workspace) as shell, shell.stream("exec sleep 1", stdin=OPEN) as run:
            run.send(b"x" * (8 << 20))
            return (await run.result()).outcome

    assert asyncio.run(converse()) is Outcome.EXITED


@everywhere
@pytest.mark.parametrize("how", ["timeout", "cancel"])
def test_nothing_is_left_of_a_command_on_a_terminal(how: str, sandbox: str, workspace: Path) -> None:
    mark = marker()
    command = f"trap '' TERM HUP INT; setsid -f sleep {mark}; sleep {mark} & echo up; read x; sleep {mark}"

    async def run() -> limpet.Result:
        cancel = limpet.CancelToken()
        timeout = 1 if how == "timeout" else PATIENCE
        options: Any = {"terminal": True, "sandbox": sandbox, "timeout": timeout, "cancel": cancel}
        async with limpet.open(workspace) as shell, shell.stream(command, **options) as it:
            async for event in it:
                if isinstance(event, Waiting) and how == "cancel":
                    cancel.cancel()
            return await it.result()

    result = asyncio.run(run())
    assert result.outcome is (Outcome.TIMED_OUT if how == "timeout" else Outcome.CANCELLED)
    assert result.stdout.startswith("up\n")
    assert wait_gone(mark, 0)


CLIENT = """
import sys
from limpet import sync
with sync.open('.') as shell, shell.stream(sys.argv[1], terminal=True, timeout=None) as run:
    for event in run: pass
"""


def test_a_killed_client_takes_its_terminal_with_it(tmp_path: Path) -> None:
    mark = marker()
    command = f"trap '' TERM HUP; setsid -f sleep {mark}; sleep {mark} & read x; sleep {mark}"
    with somebody("self", tmp_path) as user, ended(user.start(user.program(CLIENT, command))) as process:
        wait_for(lambda: len(sleeping(mark)) == 2, 30)
        process.send_signal(signal.SIGKILL)
        process.wait(30)
        assert wait_gone(mark, 5)
        assert wait_no_helpers(process.pid)


@everywhere
def test_limits_hold_on_a_terminal(sandbox: str, workspace: Path) -> None:
    limits = limpet.Limits(processes=40, open_files=20, file_size=10_000, memory=200 << 20)
    result = ran(workspace, "ulimit -n; head -c 20000 /dev/zero >f; echo $?", limits=limits, sandbox=sandbox)
    assert result.stdout.splitlines()[0] == "20"
    assert (workspace / "f").stat().st_size == 10_000


@pytest.mark.parametrize("size", [(0, 80), (24, 0), (-1, 80), (24, 1001), (True, 80), (24.5, 80), ("24", 80)])
def test_a_size_that_no_terminal_has_is_refused(size: tuple[Any, Any], workspace: Path) -> None:
    with sync.open(workspace) as shell, pytest.raises(InvalidRequestError, match="from 1 to 1000 rows and columns"):
        shell.run("touch ran", terminal=Terminal(rows=size[0], columns=size[1]))
    assert not (workspace / "ran").exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"terminal": "yes"}, "must be a Terminal, True or False"),
        ({"terminal": True, "stdin": limpet.INHERIT}, "cannot use the caller's stdin"),
        ({"terminal": True, "capture_output": False}, "cannot use the caller's stdin"),
        ({"stdin": OPEN}, "stdin=OPEN is for stream"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], why: str, workspace: Path) -> None:
    with sync.open(workspace) as shell, pytest.raises(InvalidRequestError, match=why):
        shell.run("touch ran", **options)
    assert not (workspace / "ran").exists()


@pytest.mark.parametrize("key", ["", "entr", "ctrl-", "ctrl-ä", "f13", "alt-"])
def test_a_key_that_there_is_not_is_refused(key: str, workspace: Path) -> None:
    with (
        sync.open(workspace) as shell,
        shell.stream("cat", stdin=OPEN) as run,
        pytest.raises(InvalidRequestError, match="is no key"),
    ):
        run.send_keys(key)


@pytest.mark.parametrize("rows", ["1", 1.5, None, True])
def test_resizing_to_what_is_no_size_is_refused(rows: Any, workspace: Path) -> None:
    with (
        sync.open(workspace) as shell,
        shell.stream("cat", terminal=True) as run,
        pytest.raises(InvalidRequestError, match="rows and columns"),
    ):
        run.resize(rows, 80)


def test_a_blocking_program_can_answer_too(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.stream("read -p 'x? ' x; echo $x; cat", terminal=True) as run:
        answers: list[Callable[[], object]] = [lambda: run.send("1\n"), run.close_input]
        for event in run:
            if isinstance(event, Waiting) and event.waiting:
                answers.pop(0)()
        assert run.result().stdout == "x? 1\n1\n"


def test_a_command_on_a_terminal_is_told_what_it_can_draw(workspace: Path) -> None:
    command = "echo $TERM ${NO_COLOR-none} ${GIT_TERMINAL_PROMPT-none}; stty -a | grep -o iutf8"
    assert ran(workspace, command).stdout == "xterm-256color none none\niutf8\n"
