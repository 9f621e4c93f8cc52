"""Commands that print more than anybody wants to hold, and readers that are slower than they print."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from limpet import sync
from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from commandline import Cli

MIB = 1 << 20
STREAMS = ("stdout", "stderr")

# A process of its own, since the highest mark of memory never falls again.
MEASURED = """
import asyncio, json, sys
import limpet

def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))

async def main():
    async with limpet.open(".") as shell:
        await shell.run("echo warm; echo warm >&2")
        before = peak()
        result = await shell.run(sys.argv[1], timeout=100)
        grown = peak() - before
        sizes = result.stdout_bytes, result.stderr_bytes
        print(json.dumps([sizes, result.exit_code, result.truncated, result.error, grown]))

asyncio.run(main())
"""


def measured(cli: Cli, command: str, **settings: str) -> tuple[list[Any], int]:
    """What a run in a fresh process gave, and by how many bytes that process grew meanwhile."""
    argv = [sys.executable, "-c", MEASURED, command]
    done = subprocess.run(argv, capture_output=True, cwd=cli.cwd, env=cli.environment(settings), timeout=110)
    assert done.stderr == b""
    *facts, grown = json.loads(done.stdout)
    return facts, grown


def shown(cli: Cli, *args: str, **options: Any) -> dict[str, Any]:
    """The one JSON object of `run --json`."""
    done = cli("run", "--json", *args, **options)
    assert done.stderr == ""
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.req("TK-11")
@pytest.mark.parametrize("redact", ["true", "false"])
def test_300_mb_are_counted_exactly_in_bounded_memory(cli: Cli, redact: str) -> None:
    facts, grown = measured(cli, "head -c 300000000 /dev/zero; exit 3", LIMPET_OUTPUT_REDACT=redact)
    told = "only the first 67,108,864 bytes of output were stored (limit output.disk)"
    assert facts == [[300_000_000, 0], 3, True, told]
    assert grown < 48 * MIB


def test_300_mb_that_nobody_reads_are_no_more_than_a_megabyte_in_the_feed(cli: Cli) -> None:
    script = MEASURED.replace("await shell.run(sys.argv[1], timeout=100)", "await unread(shell)").replace(
        "async def main",
        """async def unread(shell):
    async with shell.stream(sys.argv[1], timeout=100) as run:
        return await run.result()

async def main""",
    )
    argv = [sys.executable, "-c", script, "head -c 300000000 /dev/zero"]
    env = cli.environment({"LIMPET_OUTPUT_REDACT": "false"})
    done = subprocess.run(argv, capture_output=True, cwd=cli.cwd, env=env, timeout=110)
    *facts, grown = json.loads(done.stdout)
    assert (facts[0], grown < 48 * MIB) == ([300_000_000, 0], True)


@pytest.mark.req("CH-13")
def test_20_mb_without_a_line_end_are_stored_whole_and_shown_by_both_ends(workspace: Path) -> None:
    result = sync.run("printf A; head -c 19999998 /dev/zero | tr '\\0' x; printf Z", workspace=workspace)
    assert result.output_file is not None
    with open(result.output_file, "rb") as file:
        stored = file.read()
    assert (result.ok, result.truncated, result.stdout_bytes, result.error) == (True, True, 20_000_000, None)
    assert stored == b"A" + b"x" * 19_999_998 + b"Z"
    middle = f"[... 19,970,000 of 20,000,000 characters left out; all of it: {result.output_file} ...]"
    assert result.stdout == f"A{'x' * 14_999}\n{middle}\n{'x' * 14_999}Z"


def test_60_kb_sixty_times_on_both_streams_in_turn_arrive_whole(workspace: Path) -> None:
    code = "import os\nfor n in range(60):\n    for fd in 1, 2: os.write(fd, b'%d' % fd * 61440)\n"
    result = sync.run(f"python3 -c {limpet.quote(code)}", workspace=workspace, timeout=60)
    assert result.output_file is not None
    with open(result.output_file, "rb") as file:
        stored = file.read()
    assert (result.ok, result.stdout_bytes, result.stderr_bytes) == (True, 3_686_400, 3_686_400)
    assert (stored.count(b"1"), stored.count(b"2"), len(stored)) == (3_686_400, 3_686_400, 7_372_800)
    assert ({*result.stdout.splitlines()[0]}, {*result.stdout.splitlines()[-1]}) == ({"1"}, {"1"})
    assert ({*result.stderr.splitlines()[0]}, {*result.stderr.splitlines()[-1]}) == ({"2"}, {"2"})


@pytest.mark.parametrize(
    ("command", "code", "out", "err"),
    [
        ("head -c 4000000 /dev/zero >&2; echo done", 0, 5, 4_000_000),
        ("head -c 4000000 /dev/zero; echo done >&2; exit 3", 3, 4_000_000, 5),
        ("exec >&-; echo lost; exit 7", 7, 0, 53),
        ("exec >&- 2>&-; exit 8", 8, 0, 0),
        ("exec 0<&- 1>&- 2>&-; exit 9", 9, 0, 0),
        ("echo before; exec 1>&-; echo after >&2; exit 4", 4, 7, 6),
        ("(exec 1>&- 2>&-; exit 5); rc=$?; echo on; exit $rc", 5, 3, 0),
        ("yes | head -c 2000000 >/dev/null; head -1 numbers.txt; exit 6", 6, 2, 0),
    ],
)
def test_streams_that_close_early_or_come_one_after_the_other_do_not_disturb_the_exit_status(
    command: str, code: int, out: int, err: int, workspace: Path
) -> None:
    result = sync.run(command, workspace=workspace, timeout=30)
    assert (result.outcome, result.exit_code) == ("exited", code)
    assert (result.stdout_bytes, result.stderr_bytes) == (out, err)


@pytest.mark.req("MY-06", "ZE-15")
@pytest.mark.parametrize(
    "command",
    [
        "head -c 5000000 /dev/zero",
        "head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero; echo end >&2; echo end",
        "echo early >&2; head -c 5000000 /dev/zero",
        "echo early; head -c 5000000 /dev/zero >&2",
    ],
)
def test_a_reader_that_lags_is_told_of_every_byte_that_it_missed(command: str, workspace: Path) -> None:
    async def lag() -> tuple[dict[str, int], limpet.Result]:
        told = dict.fromkeys(STREAMS, 0)
        async with limpet.open(workspace) as shell, shell.stream(command) as run:
            result = await run.result()  # nothing is read before it is over
            async for event in run:
                if isinstance(event, limpet.Output):
                    told[event.stream] += len(event.data) + event.skipped_bytes
        return told, result

    told, result = asyncio.run(lag())
    assert told == {"stdout": result.stdout_bytes, "stderr": result.stderr_bytes}
    assert result.output_file is not None
    assert sum(told.values()) == os.path.getsize(result.output_file)


def test_a_lossless_reader_gets_every_byte_however_slow_it_is(workspace: Path) -> None:
    async def crawl() -> tuple[list[limpet.Output], limpet.Result]:
        pieces = []
        command = "seq 1 400000; seq 1 400000 >&2"
        async with limpet.open(workspace) as shell, shell.stream(command, lossless=True) as run:
            async for event in run:
                if isinstance(event, limpet.Output):
                    pieces.append(event)
                    await asyncio.sleep(0.01)
            return pieces, await run.result()

    pieces, result = asyncio.run(crawl())
    wanted = "".join(f"{n}\n" for n in range(1, 400_001)).encode()
    whole = {name: b"".join(piece.data for piece in pieces if piece.stream == name) for name in STREAMS}
    assert (result.ok, sum(piece.skipped_bytes for piece in pieces)) == (True, 0)
    assert whole == {"stdout": wanted, "stderr": wanted}


def test_what_is_printed_is_delivered_while_the_command_still_runs(workspace: Path) -> None:
    command = "for n in 1 2 3 4 5; do echo $n; until [ -e seen$n ]; do sleep 0.01; done; done"

    async def answer() -> tuple[str, bool]:
        heard = ""
        async with limpet.open(workspace) as shell, shell.stream(command, timeout=30) as run:
            async for event in run:
                if isinstance(event, limpet.Output):
                    heard += event.text
                    (workspace / f"seen{heard.split()[-1]}").touch()
            return heard, (await run.result()).ok

    assert asyncio.run(answer()) == ("1\n2\n3\n4\n5\n", True)


def test_a_consumer_that_leaves_ends_the_command(workspace: Path) -> None:
    mark = marker()

    async def leave() -> None:
        async with limpet.open(workspace) as shell, shell.stream(f"yes & sleep {mark}") as run:
            async for event in run:
                if isinstance(event, limpet.Output) and sleeping(mark):
                    break

    asyncio.run(leave())
    assert wait_gone(mark)


@pytest.mark.parametrize("stream", ["1", "2"])
def test_a_reader_that_closes_the_pipe_ends_the_command_without_a_word(stream: str, cli: Cli) -> None:
    mark = marker()
    line = f'"$@" {"2>&1 >/dev/null" if stream == "2" else ""} | head -1; exit "${{PIPESTATUS[0]}}"'
    argv = ["bash", "-c", line, "-", *cli.argv("run", "--", f"(sleep {mark} &) ; yes >&{stream}")]
    done = subprocess.run(argv, capture_output=True, cwd=cli.cwd, env=cli.environment(), timeout=60)
    assert wait_gone(mark)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGPIPE, b"y\n", b"")


@pytest.mark.parametrize("ended_by", ["signal", "timeout"])
def test_a_reader_that_never_reads_keeps_neither_the_command_nor_an_interrupted_limpet_alive(
    ended_by: str, cli: Cli
) -> None:
    mark = marker()
    limit = "2" if ended_by == "timeout" else "60"
    argv = cli.argv("run", "--timeout", limit, "--", f"sleep {mark} & yes")
    reading, writing = os.pipe()
    with subprocess.Popen(
        argv, stdout=writing, stderr=subprocess.DEVNULL, cwd=cli.cwd, env=cli.environment()
    ) as process:
        os.close(writing)
        try:
            wait_for(lambda: sleeping(mark))
            if ended_by == "signal":
                process.send_signal(signal.SIGTERM)
            assert wait_for(lambda: not sleeping(mark), 20)
            if ended_by == "timeout":  # whoever reads late still gets everything
                with open(reading, "rb", closefd=False) as late:
                    assert {*late.read().splitlines()} == {b"y"}
            assert process.wait(20) == {"signal": 128 + signal.SIGTERM, "timeout": 124}[ended_by]
        finally:
            os.close(reading)
            process.kill()


@pytest.mark.req("MY-07", "ZE-23")
@pytest.mark.parametrize(
    ("printed", "most", "text", "truncated"),
    [
        (0, 0, "", False),
        (1, 0, "[... 1 of 1 characters left out; all of it: {file} ...]", True),
        (9, 10, "x" * 9, False),
        (10, 10, "x" * 10, False),
        (11, 10, "xxxxx\n[... 1 of 11 characters left out; all of it: {file} ...]\nxxxxx", True),
    ],
)
def test_output_is_truncated_only_when_something_is_missing(
    printed: int, most: int, text: str, truncated: bool, cli: Cli
) -> None:
    answer = shown(cli, "--max-output", str(most), "--", f"printf '%.{printed}s' xxxxxxxxxxxxxxxxxxxx")
    assert (answer["stdout"], answer["truncated"]) == (text.format(file=answer["output_file"]), truncated)


def test_who_stops_its_keeper_is_read_all_the_same(workspace: Path) -> None:
    """The keeper cannot say then that there is something to read."""
    command = "kill -STOP $PPID; yes | head -c 1000000"
    result = sync.run(command, workspace=workspace, sandbox="none", profile="open", timeout=20)
    assert (result.outcome, result.stdout_bytes) == (limpet.Outcome.EXITED, 1_000_000)


def test_what_is_printed_before_it_was_called_off_and_after_is_read(workspace: Path) -> None:
    """More than pipes hold, twice: whoever waits again for a command that ends listens again, too."""

    async def scene() -> None:
        command = "trap 'yes | head -c 5000000; exit' TERM; yes | head -c 300000; echo; while :; do sleep 0.01; done"
        async with limpet.open(workspace) as shell:
            task = asyncio.ensure_future(shell.run(command, timeout=20))
            await asyncio.sleep(1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(scene())
    files = (Path(os.environ["LIMPET_STATE_DIR"]) / "outputs").rglob("r*")
    assert max(file.stat().st_size for file in files) >= 5_300_001
