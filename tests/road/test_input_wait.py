"""A command that waits for input is seen to wait, with what it asks; one that sleeps, works or serves is not."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from attack.hostile import somebody
from conversing import all_waits, talk
from questions import ASKING, BUSY, NAPPING

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60
A_WHILE = 2.5


def seen(workspace: Path, commands: dict[str, str], seconds: float, **options: Any) -> dict[str, str | None]:
    async def look() -> dict[str, str | None]:
        async with limpet.open(workspace) as shell:
            return await all_waits(shell, commands, seconds=seconds, **options)

    return asyncio.run(look())


@pytest.mark.req("MY-15")
def test_a_command_on_a_terminal_that_asks_is_seen_to_wait(workspace: Path) -> None:
    prompts = seen(workspace, {name: command for name, (command, _) in ASKING.items()}, PATIENCE, terminal=True)
    assert {name: prompts[name] for name in ASKING if prompts[name] is None} == {}
    assert prompts == {name: prompts[name] if asked is None else asked for name, (_, asked) in ASKING.items()}


@pytest.mark.req("MY-15")
@pytest.mark.parametrize("options", [{"terminal": True}, {"stdin": limpet.OPEN}], ids=["terminal", "pipe"])
def test_a_command_that_goes_on_by_itself_is_not(options: dict[str, Any], workspace: Path) -> None:
    assert seen(workspace, BUSY, A_WHILE, **options) == dict.fromkeys(BUSY)


@pytest.mark.parametrize("sandbox", ["none", "native", "landlock"])
def test_it_is_seen_through_a_pipe_and_behind_walls(sandbox: str, workspace: Path) -> None:
    commands = {
        "read": "echo 'name? '; read x",
        "python": "python3 -c 'input(\"py? \")'",
        "a pipeline": "cat | cat",
        "another": "cat numbers.txt | { sleep 0.1; cat <&0 >/dev/null; }; cat",
    }
    prompts = seen(workspace, commands, PATIENCE, stdin=limpet.OPEN, sandbox=sandbox)
    assert prompts == {"read": "name?", "python": "py?", "a pipeline": "", "another": ""}


@pytest.mark.skipif(shutil.which("vi") is None, reason="vi is not installed")
def test_a_full_screen_editor_is_answered(workspace: Path) -> None:
    async def edit() -> str:
        async with limpet.open(workspace) as shell:
            talked = await talk(
                shell, "vi -u NONE note.txt; cat note.txt", lambda run: run.send_keys("i", *"hello", "escape"), ":wq\r",
                terminal=True, timeout=PATIENCE,
            )  # fmt: skip
            return talked.result.stdout

    assert asyncio.run(edit()).endswith("hello\n")


def test_each_question_is_told(workspace: Path) -> None:
    async def answer() -> tuple[list[str], str]:
        async with limpet.open(workspace) as shell:
            command = "read -p 'a? ' a; read -p 'b? ' b; read -sp 'c? ' c; echo; echo $a $b $c"
            talked = await talk(shell, command, "1\n", "2\n", "3\n", terminal=True)
            return talked.prompts, talked.text

    assert asyncio.run(answer()) == (["a?", "b?", "c?"], "a? 1\nb? 2\nc? \n1 2 3\n")


def test_that_it_no_longer_waits_is_told(workspace: Path) -> None:
    async def follow() -> list[bool]:
        async with limpet.open(workspace) as shell, shell.stream("read x; sleep 0.3; read y", terminal=True) as run:
            told = []
            async for event in run:
                if isinstance(event, limpet.Waiting):
                    told.append(event.waiting)
                    if event.waiting:
                        run.send("x\n")
            return told

    assert asyncio.run(follow()) == [True, False, True, False]


@pytest.mark.req("MY-15")
def test_a_run_that_nobody_can_answer_is_ended_and_says_what_it_asked(workspace: Path) -> None:
    async def run() -> limpet.Result:
        async with limpet.open(workspace) as shell:
            return await shell.run("read -p 'Overwrite? [y/N] ' x", terminal=True, timeout=PATIENCE)

    result = asyncio.run(run())
    assert (result.outcome, result.output) == (limpet.Outcome.CANCELLED, "Overwrite? [y/N] ")
    assert result.error is not None
    assert result.error.startswith("it waited for input (its last line: 'Overwrite? [y/N]'), and nobody was there")


GOING_ON = {
    "a time limit": "read -t 1.5; echo went on",
    "another thread that sleeps": f"python3 -c '{NAPPING}'",
    "a lock": "script -qc 'flock numbers.txt true; echo went on' /dev/null & flock numbers.txt sleep 1.5; wait",
}


def test_one_that_goes_on_without_an_answer_is_not_ended(workspace: Path) -> None:
    async def run() -> list[limpet.Result]:
        async with limpet.open(workspace, terminal=True, timeout=PATIENCE) as shell:
            return await asyncio.gather(*map(shell.run, GOING_ON.values()))

    outputs = [result.output for result in asyncio.run(run())]
    assert dict(zip(GOING_ON, outputs, strict=True)) == dict.fromkeys(GOING_ON, "went on\n")


LIKE_SUDO = """
import ctypes, getpass
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # nobody may look into it
getpass.getpass("[sudo] password: ")
"""
AS_USER = """
import sys
from limpet import sync
print(sync.run(f"python3 -c '{sys.argv[1]}'", terminal=True, timeout=60).error)
"""


@pytest.mark.parametrize("name", ["self", "nobody"])
def test_a_program_that_may_not_be_looked_into_is_seen_to_ask_for_a_password(name: str, tmp_path: Path) -> None:
    with somebody(name, tmp_path) as user:
        done = subprocess.run(
            user.program(AS_USER, LIKE_SUDO), env=user.environment(), cwd=user.place, capture_output=True, text=True,
            timeout=PATIENCE,
        )  # fmt: skip
    assert (done.stderr, "its last line: '[sudo] password:'" in done.stdout) == ("", True)


def test_a_secret_in_a_question_is_not_told(workspace: Path) -> None:
    secret = "sk-ant-api03-" + "a1B2c3D4" * 12
    long = "x" * 150

    async def ask() -> tuple[str | None, limpet.Result]:
        async with limpet.open(workspace) as shell:
            command = f"read -p 'use {secret} {long} (y/n)? ' x"
            (prompt,) = (await all_waits(shell, {"it": command}, seconds=PATIENCE, terminal=True)).values()
            return prompt, await shell.run(command, terminal=True, timeout=PATIENCE)

    prompt, result = asyncio.run(ask())
    for told in (prompt, result.error):
        assert told is not None
        assert long in told
        assert "a1B2c3D4" not in told
