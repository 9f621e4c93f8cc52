"""Commands that are talked to while they run, through a pipe or a terminal of their own, bare and behind walls."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from attack.hostile import ended, somebody, wait_no_helpers
from conversing import Talk, talk
from limpet import OPEN, InvalidRequestError, Outcome, Output, Terminal, Waiting, sync
from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60
SANDBOXES = ("none", "native", "landlock")
everywhere = pytest.mark.parametrize("sandbox", SANDBOXES)
Act = str | Callable[[limpet.Stream], object]


async def several(workspace: Path, talks: list[tuple[str, tuple[Act, ...], dict[str, Any]]]) -> list[Talk]:
    """All at once: they spend their time waiting."""
    async with limpet.open(workspace, timeout=PATIENCE) as shell:
        return await asyncio.gather(*(talk(shell, command, *acts, **options) for command, acts, options in talks))


def talked(workspace: Path, command: str, *acts: Act, **options: Any) -> Talk:
    return asyncio.run(several(workspace, [(command, acts, options)]))[0]


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


RAW = "import os, tty; tty.setraw(0); os.write(1, b'go'); os.write(1, repr(os.read(0, 9)).encode())"
ON_TERMINALS: dict[str, tuple[str, tuple[Act, ...], tuple[object, str]]] = {
    "echoes, and ends at its key": (
        "test -t 0 -a -t 1 -a -t 2 && cat; echo over >&2", ("one\n", send_and_close("two")),
        (0, "one\none\ntwotwoover\n"),
    ),
    "is that of the whole session": (
        "echo to it >/dev/tty; read x </dev/tty; echo got $x; setsid sh -c 'echo </dev/tty' 2>&1 | wc -l", ("this\n",),
        (0, "to it\nthis\ngot this\n1\n"),
    ),
    "interrupts": ("exec cat", (keys("ctrl-c"),), ("SIGINT", "^C")),
    "quits": ("ulimit -c 0; exec cat", (keys("ctrl-\\"),), ("SIGQUIT", "^\\")),
    "stops nothing that nobody could wake": ("cat", (keys("ctrl-z"), "on\n", keys("ctrl-d")), (0, "^Zon\non\n")),
    "may be let go of and taken up again": (
        "exec </dev/null >/dev/null 2>&1; read -p 'late? ' x </dev/tty 2>/dev/tty; echo $x >/dev/tty", ("yes\n",),
        (0, "late? yes\nyes\n"),
    ),
    "is raw when it is made so": (
        f'/usr/bin/env python3 -c "{RAW}"', (keys("ctrl-c", "up"),), (0, r"gob'\x03\x1b[A'"),
    ),
    "is silent when it is made so": ("stty -echo; read x; echo $x", ("quiet\n",), (0, "quiet\n")),
}  # fmt: skip


@everywhere
@pytest.mark.req("MY-15")
def test_a_terminal_is_one_in_every_respect(sandbox: str, workspace: Path) -> None:
    options = {"terminal": True, "sandbox": sandbox}
    done = asyncio.run(several(workspace, [(command, acts, options) for command, acts, _ in ON_TERMINALS.values()]))
    ends = [(one.result.signal if one.result.exit_code is None else one.result.exit_code, one.text) for one in done]
    assert dict(zip(ON_TERMINALS, ends, strict=True)) == {name: end for name, (_, _, end) in ON_TERMINALS.items()}


@pytest.mark.req("MY-15")
def test_a_command_reads_what_is_sent_until_it_is_closed(workspace: Path) -> None:
    options: list[dict[str, Any]] = [{"stdin": OPEN, "sandbox": sandbox} for sandbox in SANDBOXES]
    done = asyncio.run(several(workspace, [("cat; echo over", ("one\n", "two", close), one) for one in options]))
    assert [(one.result.exit_code, one.data) for one in done] == [(0, b"one\ntwoover\n")] * 3


@pytest.mark.req("MY-15")
def test_jobs_are_controlled_by_keys(workspace: Path) -> None:
    shell = "env PS1='> ' bash --norc --noprofile -i"
    acts = ("cat\n", keys("ctrl-c"), "cat; jobs\n", keys("ctrl-z"), "fg\n", keys("ctrl-d"), "exit 7\n")
    talks: list[Any] = [(shell, acts, {"terminal": True, "sandbox": sandbox}) for sandbox in SANDBOXES]
    for done in asyncio.run(several(workspace, talks)):
        assert (done.result.exit_code, "^C" in done.text, "Stopped" in done.text) == (7, True, True)


@pytest.mark.parametrize("sandbox", ["none", "native"])
def test_a_terminal_has_a_size_and_tells_of_another(sandbox: str, workspace: Path) -> None:
    command = "trap 'stty size; exit' WINCH; stty size; while :; do read -t 0.05 x; done"
    with sync.open(workspace) as shell:
        options: Any = {"terminal": Terminal(rows=40, columns=132), "timeout": PATIENCE, "sandbox": sandbox}
        with shell.stream(command, **options) as run:
            for event in run:
                if isinstance(event, Output) and "40 132" in event.text:
                    run.resize(50, 200)
            assert run.result().stdout == "40 132\n50 200\n"


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


@pytest.mark.parametrize("sandbox", ["none", "native"])
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


@pytest.mark.parametrize("how", ["timeout", "cancel"])
def test_nothing_is_left_of_a_command_on_a_terminal(how: str, workspace: Path) -> None:
    mark = marker()
    command = f"trap '' TERM HUP INT; setsid -f sleep {mark}; sleep {mark} & echo up; read x; sleep {mark}"

    async def one(shell: limpet.Shell, sandbox: str) -> limpet.Result:
        cancel = limpet.CancelToken()
        timeout = 1 if how == "timeout" else PATIENCE
        options: Any = {"terminal": True, "sandbox": sandbox, "timeout": timeout, "cancel": cancel}
        async with shell.stream(command, **options) as run:
            async for event in run:
                if isinstance(event, Waiting) and how == "cancel":
                    cancel.cancel()
            return await run.result()

    async def each() -> list[limpet.Result]:
        async with limpet.open(workspace) as shell:
            return await asyncio.gather(*(one(shell, sandbox) for sandbox in SANDBOXES))

    ended_as = Outcome.TIMED_OUT if how == "timeout" else Outcome.CANCELLED
    assert [(result.outcome, result.stdout[:3]) for result in asyncio.run(each())] == [(ended_as, "up\n")] * 3
    assert wait_gone(mark, 0)


def test_a_size_that_no_terminal_has_is_refused(workspace: Path) -> None:
    sizes: list[Any] = [(0, 80), (24, 0), (-1, 80), (24, 1001), (True, 80), (24.5, 80), ("24", 80), (None, 80)]
    with sync.open(workspace) as shell, shell.stream("cat", terminal=True) as run:
        for rows, columns in sizes:
            with pytest.raises(InvalidRequestError, match="from 1 to 1000 rows and columns"):
                shell.run("touch ran", terminal=Terminal(rows=rows, columns=columns))
            with pytest.raises(InvalidRequestError, match="from 1 to 1000 rows and columns"):
                run.resize(rows, columns)
    assert not (workspace / "ran").exists()


def test_what_is_neither_text_nor_bytes_nor_a_key_is_refused(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.stream("cat", stdin=OPEN) as run:
        wrong: list[Any] = [5, None, ["x"], "\ud800"]
        for text in wrong:
            with pytest.raises(InvalidRequestError, match="what is sent"):
                run.send(text)
        with pytest.raises(InvalidRequestError, match="a key is named by a string"):
            run.send_keys(*wrong[:1])
        run.send(b"a\xff")
        run.send("\udcfe")
        run.close_input()
        assert b"".join(event.data for event in run if isinstance(event, Output)) == b"a\xff\xfe"


def test_a_key_that_there_is_not_is_refused(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.stream("cat", stdin=OPEN) as run:
        for key in ("", "entr", "ctrl-", "ctrl-ä", "f13", "alt-"):
            with pytest.raises(InvalidRequestError, match="is no key"):
                run.send_keys(key)
