"""A command means to limpet what it means to `bash -c`, in a shell that is new and in one that waited for it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from limpet.wiring import road
from living import wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from limpet import Result

PROBES = [
    'echo "$0 $# $@ $-"',
    "echo $LINENO\necho $LINENO",
    "echo $BASH_EXECUTION_STRING",
    "echo $SECONDS $BASH_SUBSHELL $SHLVL",
    "exit 7",
    "return 3; echo still here",
    "set -e; false; echo never",
    "set -u; echo $nothing; echo never",
    "set -o pipefail; false | true; echo $?",
    "trap 'echo bye' EXIT; echo hi; exit 4",
    "trap 'echo err' ERR; false; true",
    "f() { echo f $1; return 5; }; f x; echo $?",
    "false",
    "true && false || echo or",
    "x=1; (x=2; echo $x); echo $x",
    "cat <<E\nhere $((1 + 1))\nE",
    "cat <<'E'\nhere $((1 + 1))\nE\n",
    "cat <<< word",
    "echo a \\\nb",
    "echo trailing \\\n",
    "echo 'single \\ quotes' \"double \\\\ quotes\" $'ansi \\t c'",
    "read x < numbers.txt; echo $x",
    "while read -r l; do echo $l; done < <(head -2 numbers.txt)",
    "shopt -s extglob\necho @(numbers).txt",
    "alias ll='echo aliased'\nll 2>/dev/null || echo no aliases",
    "ls /dev/fd | wc -l",
    "exec 9>&1; echo nine >&9",
    "exec echo replaced",
    "echo $(echo sub; exit 3) $?",
    "kill -9 $$",
    "kill -TERM $$; echo survived",
    "printf 'é\\n'; echo 🐚",
    "echo one; echo two >&2; echo three",
    "# only a comment",
    "echo a # comment",
    "TIMEFORMAT=timed; time true",
    "[[ a == a ]] && (( 3 > 2 )) && echo both",
    "arr=(a 'b c'); printf '<%s>' \"${arr[@]}\"",
    "echo ${BASH_SOURCE[0]-unset} ${FUNCNAME[0]-unset}",
    "umask; ulimit -c",
    "compgen -v | grep -c LIMPET",
    "jobs; set +m; echo $-",
    'eval "exit 6"',
    "echo unterminated | cat",
    "-x 2>/dev/null; echo $?",
]


def plain(command: str, folder: Path) -> tuple[int, str, str]:
    """What bash itself makes of it, under the conditions that limpet makes."""
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PWD": str(folder)}
    done = subprocess.run(
        ["bash", "-c", "--", command], cwd=folder, env=env, capture_output=True, stdin=subprocess.DEVNULL
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture(autouse=True, params=["none", "native"])
def _contained_or_not(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_SANDBOX_MODE", request.param)


def seen(result: Result) -> tuple[int, str, str]:
    numbers = {"SIGKILL": -9, "SIGTERM": -15}
    code = numbers[result.signal or ""] if result.exit_code is None else result.exit_code
    return code, result.stdout, result.stderr


def options() -> dict[str, object]:
    return {"empty_env": True, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, "timeout": 60}


@pytest.mark.parametrize("command", PROBES)
def test_it_does_what_bash_does(workspace: Path, command: str) -> None:
    expected = plain(command, workspace)
    fresh = sync.run(command, workspace=workspace, stdin="", **options())  # type: ignore[arg-type]  # as given
    wait_for(lambda: waiting(workspace), 20)
    waited = sync.run(command, workspace=workspace, **options())  # type: ignore[arg-type]  # as given
    assert (seen(fresh), seen(waited)) == (expected, expected)


def waiting(workspace: Path) -> bool:
    """Whether a shell waits for this folder's next command; one is started after each that could have used it."""
    shells = road.ready_shells()._shells
    if not any(key.cwd == str(workspace) for key, ready in shells.items() if ready):
        sync.run("true", workspace=workspace, **options())  # type: ignore[arg-type]  # as given
        return False
    return kids() != []


def test_a_syntax_error_is_reported_and_nothing_runs(workspace: Path) -> None:
    result = sync.run("touch ran; if then", workspace=workspace)
    assert (result.exit_code, "syntax error" in result.stderr) == (2, True)
    assert (workspace / "ran").exists() is (plain("touch also; if then", workspace)[0] != 2)


@pytest.mark.parametrize("size", [16_000, 16_384, 16_385, 100_000, 3_000_000])
def test_a_command_may_be_long(workspace: Path, size: int) -> None:
    filler = "é" * ((size - 40) // 2)
    result = sync.run(f"echo '{filler}' | wc -m; echo end", workspace=workspace, timeout=60)
    assert result.stdout == f"{len(filler) + 1}\nend\n"


def test_bytes_that_are_not_text_reach_the_shell_as_they_are(workspace: Path) -> None:
    for command in ("printf '\udcff\udcc3x' | od -An -tx1", "printf '\udcff\udcc3x' | od -An -tx1 #" + "x" * 20_000):
        assert sync.run(command, workspace=workspace).stdout == " ff c3 78\n"


def test_a_waiting_shell_is_not_used_once_its_folder_was_replaced(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        for _ in range(3):
            assert shell.run("ls numbers.txt").ok
        wait_for(lambda: road.ready_shells().waiting() and kids(), 20)
        workspace.rename(workspace.with_name("moved"))
        workspace.mkdir()
        (workspace / "new").touch()
        assert shell.run("ls").stdout == "new\n"


def test_a_waiting_shell_that_was_killed_is_not_used(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        for _ in range(3):
            assert shell.run("true").ok
        wait_for(lambda: len(kids()) > 0, 20)
        killed: set[int] = set()
        wait_for(lambda: all_killed(killed), 20)
        assert shell.run("echo alive").stdout == "alive\n"


def all_killed(killed: set[int]) -> bool:
    """And dead: one that is dying may still be written to."""
    for pid in kids():
        killed.add(pid)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 9)
    return kids() == [] and all(map(is_dead, killed))


def is_dead(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in b"ZX"
    except OSError:
        return True


def kids() -> list[int]:
    """Shells that wait for a command."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file, open(f"/proc/{entry}/stat", "rb") as stat:
                    text, state = file.read(), stat.read().rpartition(b")")[2].split()
            except OSError:
                continue
            if (
                text.startswith(b"bash\0--norc\0-c\0--\0read")
                and state[0] != b"Z"
                and os.getpid() in ancestors(int(state[1]))
            ):
                found.append(int(entry))
    return found


def kids_in(workspace: Path) -> list[int]:
    """Those that wait for one in this folder: others may have been left by other shells."""
    found = []
    for pid in kids():
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{pid}/cwd") == str(workspace):
                found.append(pid)
    return found


def ancestors(pid: int) -> list[int]:
    found = []
    while pid > 1:
        pid = parent(pid)
        found.append(pid)
    return found


def parent(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def test_a_forked_child_that_holds_copies_does_not_hold_a_command(workspace: Path) -> None:
    async def with_fork() -> str:
        async with limpet.open(workspace) as shell:
            for _ in range(3):
                await shell.run("true")
            await asyncio.sleep(0)
            child = os.fork()
            if child == 0:
                os.read(reading, 1)
                os._exit(0)
            try:
                return (await shell.run("echo on", timeout=20)).stdout
            finally:
                os.write(writing, b"x")
                os.waitpid(child, 0)

    reading, writing = os.pipe()
    assert asyncio.run(with_fork()) == "on\n"
    os.close(reading)
    os.close(writing)


def test_a_word_to_stop_that_comes_too_late_stops_nothing_else(workspace: Path) -> None:
    async def late() -> list[str]:
        async with limpet.open(workspace) as shell:
            printed = []
            for number in range(40):
                token = limpet.CancelToken()
                run = asyncio.ensure_future(shell.run(f"echo {number}", cancel=token))
                await asyncio.sleep(number / 10_000)
                token.cancel()
                await run
                printed.append((await shell.run(f"echo {number} again")).stdout)
            return printed

    assert asyncio.run(late()) == [f"{number} again\n" for number in range(40)]


def test_a_command_that_cannot_start_does_not_use_up_the_shells_started_ahead(workspace: Path) -> None:
    with sync.open(workspace, settings={"run.ready": 1}) as shell:
        for _ in range(3):
            with pytest.raises(limpet.LaunchError):
                shell.run("true", env={f"V{number}": "x" * 100_000 for number in range(30)})
        shell.run("true")
        wait_for(lambda: road.ready_shells().waiting(), 20)
        assert road.ready_shells()._promised == {}


def test_one_shell_started_ahead_is_enough_for_one_command_after_the_other(workspace: Path) -> None:
    with sync.open(workspace, settings={"run.ready": 1}) as shell:
        for number in range(6):
            if number:
                wait_for(lambda: kids_in(workspace), 20)
            pids = kids_in(workspace)
            shell.run("true")
            assert not number or not set(pids) <= set(kids())  # it was used: each is used once


def test_a_large_environment_and_a_limit_go_together(workspace: Path) -> None:
    env = {f"V{number}": "x" * 9_000 for number in range(10)}
    result = sync.run("echo ${#V9}", workspace=workspace, env=env, limits=limpet.Limits(cpu=30, open_files=64))
    assert (result.outcome, result.stdout) == (limpet.Outcome.EXITED, "9000\n")


def test_a_command_never_runs_twice_when_its_keeper_was_killed(workspace: Path) -> None:
    told = []
    with sync.open(workspace) as shell:
        for number in range(12):
            wait_for(lambda: shell.run("true").ok and road.ready_shells().waiting(), 20)
            for pid in kids():
                os.kill(parent(pid), 9)
            if shell.run(f"echo {number} >>ran", timeout=20).ok:
                told.append(str(number))
    ran = (workspace / "ran").read_text().split() if told else []
    assert sorted(set(ran)) == sorted(ran)
    assert set(told) <= set(ran)
