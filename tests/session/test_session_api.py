"""What a session is for the program that opens one."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec
import pytest

import limpet
from limpet import InvalidRequestError, Limits, Outcome, SessionState, sync
from limpet.config import audit_path
from limpet.history import History
from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("MY-10")
def test_folder_variables_functions_and_options_are_there_for_the_next_command(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        bash.run("cd src; x=1; export E=2; f() { echo f; }; shopt -s nullglob; set -o pipefail; alias a=b; umask 077")
        told = bash.run(
            "pwd -P; echo $x; printenv E; f; shopt nullglob; echo $SHELLOPTS | grep -o pipefail; alias; umask"
        )
        assert told.stdout.splitlines() == [
            f"{workspace}/src", "1", "2", "f", "nullglob       \ton", "pipefail", "alias a='b'", "0077",
        ]  # fmt: skip
        assert bash.cwd == f"{workspace}/src"


def test_error_messages_read_as_those_of_bash(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        for _ in range(2):
            assert bash.run("nothing-there").stderr == "bash: line 1: nothing-there: command not found\n"
            assert bash.run("true\n\necho $LINENO").stdout == "3\n"


def test_the_status_of_a_command_is_there_for_the_next(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        assert bash.run("(exit 42)").exit_code == 42
        assert bash.run("echo $?").stdout == "42\n"
        assert bash.run("echo $?").stdout == "0\n"


def test_each_command_reads_what_it_was_given_and_nothing_else(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        assert bash.run("read a; cat", stdin="one\ntwo\n").stdout == "two\n"
        assert bash.run("wc -c", stdin=bytes(range(256)) * 400).stdout == "102400\n"
        assert bash.run("cat; echo $a").stdout == "one\n"
        with pytest.raises(InvalidRequestError, match="text or bytes"):
            bash.run("cat", stdin=limpet.INHERIT)  # type: ignore[arg-type]


def test_a_long_command_runs_as_a_short_one(workspace: Path) -> None:
    words = "x" * 1_000_000
    with sync.open(workspace) as shell, shell.session() as bash:
        assert bash.run(f"y={words}\necho ${{#y}}; nothing-there").stderr.startswith("bash: line 2: nothing-there")
        assert bash.run(f"z={words[:20000]}; cat; echo ${{#y}} ${{#z}}", stdin="in\n").stdout == "in\n1000000 20000\n"


def test_what_is_settled_for_a_session_is_refused_for_one_command(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session(env={"A": "1"}, cwd="src") as bash:
        with pytest.raises(InvalidRequestError, match="env is settled for a whole session"):
            bash.run("true", env={"A": "2"})  # type: ignore[call-arg]
        assert bash.run("echo $A; pwd -P").stdout == f"1\n{workspace}/src\n"


def test_too_few_descriptors_are_told_before_anything_runs(workspace: Path) -> None:
    with (
        sync.open(workspace) as shell,
        shell.session(limits=Limits(open_files=32)) as bash,
        pytest.raises(limpet.LaunchError, match="64 descriptors"),
    ):
        bash.run("touch made")
    assert not (workspace / "made").exists()


def test_calls_at_the_same_time_are_served_in_order(workspace: Path) -> None:
    async def all_at_once() -> list[str]:
        async with limpet.open(workspace) as shell, shell.session() as bash:
            calls = [bash.run(f"n=${{n}}{number}; sleep 0.0{9 - number}; echo $n") for number in range(8)]
            return [result.stdout for result in await asyncio.gather(*calls)]

    assert asyncio.run(all_at_once()) == [f"{'01234567'[: number + 1]}\n" for number in range(8)]


def test_a_session_outlives_the_event_loop_it_began_in(workspace: Path) -> None:
    shell = limpet.open(workspace)
    bash = shell.session()
    assert asyncio.run(bash.run("x=1; cd src")).ok
    assert asyncio.run(bash.run("echo $x")).stdout == "1\n"
    asyncio.run(bash.close())


def test_output_is_streamed_while_a_command_runs(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        with bash.stream("echo one; read x < fifo; echo two >&2", timeout=30) as run:
            os.mkfifo(workspace / "fifo")
            seen = []
            for event in run:
                if isinstance(event, limpet.Output):
                    seen.append((event.stream, event.text))
                    if len(seen) == 1:
                        (workspace / "fifo").write_text("go\n")
            assert seen == [("stdout", "one\n"), ("stderr", "two\n")]
        assert bash.run("echo $x").stdout == "go\n"


def test_a_cancelled_command_leaves_the_state_before_it(workspace: Path) -> None:
    mark = marker()

    async def cancelled() -> str:
        async with limpet.open(workspace) as shell, shell.session() as bash:
            await bash.run("x=before")
            task = asyncio.ensure_future(bash.run(f"x=after; sleep {mark}"))
            assert await asyncio.to_thread(wait_for, lambda: sleeping(mark), 20)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return (await bash.run("echo $x")).stdout

    assert asyncio.run(cancelled()) == "before\n"
    assert wait_gone(mark, 5)


def test_a_snapshot_can_be_stored_and_gone_on_from(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        with shell.session() as bash:
            assert bash.snapshot() is None
            bash.run(
                "cd src; s=$'a\\nb \"c\" $d `e` \\\\'; export E=é; a=(1 '2 3'); declare -A m=([k]=v); declare -i n=4;"
                "readonly r=5; f() { echo \"f $1\"; }; export -f f; alias ll='ls -l'; set -- p 'q r'; umask 027;"
                "set -u;"
                "shopt -s extglob; trap 'echo usr' USR1; pushd / >/dev/null; popd >/dev/null; pushd .. >/dev/null"
            )
            stored = msgspec.json.encode(bash.snapshot())
        with shell.session(state=msgspec.json.decode(stored, type=SessionState)) as bash:
            told = bash.run(
                'pwd -P; echo "$s"; printenv E; echo "${a[1]} ${m[k]}"; n+=1; echo $n; f x; bash -c \'f y\'; alias ll;'
                'echo $# "$2"; umask; echo $-; shopt extglob; kill -USR1 $$; dirs -l'
            )
            assert told.stderr == ""
            assert told.stdout.splitlines() == [
                str(workspace), "a", 'b "c" $d `e` \\', "é", "2 3 v", "5", "f x", "f y", "alias ll='ls -l'", "2 q r",
                "0027", "huBs", "extglob        \ton", "usr", f"{workspace} {workspace}/src",
            ]  # fmt: skip
            assert bash.run("r=6").stderr == "bash: line 1: r: readonly variable\n"


def test_every_command_has_its_row_in_the_record(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        ids = [bash.run(command).operation_id for command in ("cd src", "false", "pwd")]
    history = History(audit_path(os.environ))
    rows = [history.find(each) for each in ids]
    assert [[row.command for row in pair] for pair in rows] == [["cd src"] * 2, ["false"] * 2, ["pwd"] * 2]
    assert rows[2][0].cwd == f"{workspace}/src"


def test_a_killed_keeper_is_told_and_the_session_goes_on(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        bash.run("x=1")
        result = bash.run("kill -9 $PPID; sleep 30", timeout=20)
        assert result.outcome is Outcome.SIGNALLED
        assert bash.run("echo $x").stdout == "1\n"


def test_nothing_is_left_of_a_session_whose_program_is_killed(workspace: Path) -> None:
    mark = marker()
    program = (
        "import sys, time; from limpet import sync\n"
        f"bash = sync.open({str(workspace)!r}).session(); bash.run('sleep {mark} &')\n"
        "print('up', flush=True); time.sleep(99)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert wait_gone(mark, 10)


def test_leaving_the_shell_ends_its_sessions(workspace: Path) -> None:
    mark = marker()
    with sync.open(workspace) as shell:
        bash = shell.session()
        bash.run(f"sleep {mark} &")
    assert wait_gone(mark, 5)
    assert not bash.alive
    with pytest.raises(limpet.SessionEndedError, match="closed"):
        bash.run("true")


def test_the_state_is_plain_json(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.session() as bash:
        bash.run("x=1")
        assert 'declare -- x="1"' in json.loads(msgspec.json.encode(bash.snapshot()))["variables"]
