"""Event loops that come and go under commands."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from typing import TYPE_CHECKING

import pytest

import limpet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def uncollected() -> Iterator[None]:
    """What is not given back is not found by Python, either."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def waited_on() -> int:
    """Descriptors that wait for others, or wake them."""
    kinds = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _is_open(fd)]
    return kinds.count("anon_inode:[eventpoll]") + kinds.count("anon_inode:[eventfd]")


def _is_open(fd: str) -> bool:
    return os.path.lexists(f"/proc/self/fd/{fd}")


@pytest.mark.usefixtures("uncollected")
def test_closed_event_loops_do_not_add_up(workspace: Path) -> None:
    counts = set()
    for _ in range(4):
        assert asyncio.run(limpet.run("echo on", workspace=workspace)).stdout == "on\n"
        counts.add(waited_on())
    assert len(counts) == 1


def test_forgotten_event_loops_do_not_add_up(workspace: Path) -> None:
    counts = set()
    for _ in range(4):
        loop = asyncio.new_event_loop()
        assert loop.run_until_complete(limpet.run("echo on", workspace=workspace)).stdout == "on\n"
        loop.close()
        del loop
        gc.collect()
        counts.add(waited_on())
    assert len(counts) == 1


def test_event_loops_of_several_threads_hear_their_own_commands(workspace: Path) -> None:
    heard: dict[int, list[str]] = {}

    async def talk(number: int) -> list[str]:
        async with limpet.open(workspace) as shell, shell.session() as bash:
            runs = [(await bash.run(f"echo {number}.{turn}")).stdout for turn in range(5)]
            return [*runs, (await shell.run(f"echo {number}")).stdout]

    def apart(number: int) -> None:
        heard[number] = asyncio.run(talk(number))

    threads = [threading.Thread(target=apart, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert heard == {number: [*(f"{number}.{turn}\n" for turn in range(5)), f"{number}\n"] for number in range(4)}


def test_one_loop_hears_many_commands_at_once(workspace: Path) -> None:
    async def many() -> list[str]:
        async with limpet.open(workspace) as shell:
            results = await asyncio.gather(*(shell.run(f"sleep 0.0{n % 3}; echo {n}; echo {n} >&2") for n in range(12)))
            return [result.stdout + result.stderr for result in results]

    assert asyncio.run(many()) == [f"{n}\n" * 2 for n in range(12)]
