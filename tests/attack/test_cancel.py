"""Callers that change their mind, at any moment and more than once: nothing stays, and they are told the truth."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING

import pytest

import limpet
from attack.hostile import somebody
from limpet import CancelToken, Outcome
from living import alive, marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path

STORM = """
import asyncio, gc, sys, limpet
from attack.hostile import census

async def cancelled(delay, times):
    run = asyncio.ensure_future(limpet.run(f"setsid sleep {sys.argv[1]} & sleep {sys.argv[1]}"))
    for _ in range(times):
        await asyncio.sleep(delay)
        run.cancel()
    try:
        await run
    except asyncio.CancelledError:
        return "cancelled"

async def main():
    told = [await cancelled(n / 1000, times) for times in (1, 2) for n in range(0, 61, 2)]
    return told + await asyncio.gather(*(cancelled(n / 1000, 1 + n % 3) for n in range(60)))

asyncio.run(limpet.run("true"))
before = census()
told = asyncio.run(main())
gc.collect()
after = census()
print({*told}, len(told), before == after or (before, after))
"""


@pytest.mark.req("TK-09")
@pytest.mark.parametrize("name", ["self", "nobody"])
def test_a_caller_cancelled_at_any_moment_leaves_nothing_open_or_alive(name: str, tmp_path: Path) -> None:
    mark = marker()
    with somebody(name, tmp_path) as user:
        assert user.run(user.program(STORM, mark)) == (0, "{'cancelled'} 122 True\n", "")
    assert wait_gone(mark)


@pytest.mark.req("TK-09")
def test_a_second_cancel_does_not_wait_for_a_deaf_command(workspace: Path) -> None:
    async def twice() -> None:
        mark = marker()
        async with limpet.open(workspace, settings={"run.grace": 60.0}) as shell:
            run = asyncio.ensure_future(shell.run(f"trap '' TERM; while :; do sleep {mark}; done"))
            await seen(mark)
            run.cancel()
            await asyncio.sleep(0.1)
            assert sleeping(mark)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(run, 20)
            assert alive(mark) == []

    asyncio.run(twice())


async def seen(mark: str) -> None:
    """The command has really begun."""
    await asyncio.to_thread(wait_for, lambda: sleeping(mark), 20)


def test_leaving_a_stream_ends_what_it_showed(workspace: Path) -> None:
    async def leave() -> None:
        mark = marker()
        async with limpet.stream(f"setsid sleep {mark} & echo on; sleep {mark}", workspace=workspace) as run:
            async for event in run:
                if isinstance(event, limpet.Output):
                    break
        assert alive(mark) == []

    asyncio.run(leave())


def test_leaving_a_stream_at_once_ends_it_too(workspace: Path) -> None:
    async def leave() -> None:
        for delay in (None, 0, 0, 0.001, 0.003, 0.01):
            mark = marker()
            async with limpet.stream(f"sleep {mark}", workspace=workspace):
                if delay is not None:
                    await asyncio.sleep(delay)
            assert alive(mark) == []

    asyncio.run(leave())


def test_a_cancel_that_comes_while_a_stream_is_left_is_not_lost(workspace: Path) -> None:
    async def leave(mark: str, leaving: asyncio.Event) -> str:
        async with limpet.stream(f"trap '' TERM; echo on; sleep {mark}", workspace=workspace) as run:
            async for event in run:
                if isinstance(event, limpet.Output):
                    leaving.set()
                    break
        return "went on as if nobody had called"

    async def both() -> None:
        mark, leaving = marker(), asyncio.Event()
        task = asyncio.ensure_future(leave(mark, leaving))
        await leaving.wait()
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            print(await task)
        assert alive(mark) == []

    asyncio.run(both())


@pytest.mark.req("ZE-16")
def test_a_token_in_another_thread_ends_the_run_with_a_result(workspace: Path) -> None:
    async def called_off() -> limpet.Result:
        mark, token = marker(), CancelToken()
        run = asyncio.ensure_future(limpet.run(f"echo on; sleep {mark}", workspace=workspace, cancel=token))
        await seen(mark)
        thread = threading.Thread(target=token.cancel)
        thread.start()
        result = await run
        thread.join()
        assert alive(mark) == []
        return result

    result = asyncio.run(called_off())
    assert (result.outcome, result.cancelled, result.stdout) == (Outcome.CANCELLED, True, "on\n")


def test_two_calls_of_a_token_do_not_wait_for_a_deaf_command(workspace: Path) -> None:
    async def called_off() -> limpet.Result:
        mark, token = marker(), CancelToken()
        async with limpet.open(workspace, settings={"run.grace": 60.0}) as shell:
            run = asyncio.ensure_future(shell.run(f"trap '' TERM; while :; do sleep {mark}; done", cancel=token))
            await seen(mark)
            token.cancel()
            token.cancel()
            result = await asyncio.wait_for(run, 20)
        assert alive(mark) == []
        return result

    assert asyncio.run(called_off()).outcome is Outcome.CANCELLED


@pytest.mark.parametrize("warm", [False, True])
def test_a_token_that_was_used_before_lets_nothing_begin(warm: bool, workspace: Path) -> None:
    async def called_off() -> list[tuple[Outcome, str]]:
        token = CancelToken()
        token.cancel()
        told = []
        async with limpet.open(workspace) as shell:
            if warm:
                await shell.run("true")
            for n in range(5):
                result = await shell.run(f"touch begun-{n}; echo on; sleep 5", cancel=token)
                told.append((result.outcome, result.stdout))
        return told

    assert asyncio.run(called_off()) == [(Outcome.CANCELLED, "")] * 5
    assert sorted(path.name for path in workspace.glob("begun-*")) == []


def test_a_token_calls_off_what_still_waits_in_line(workspace: Path) -> None:
    async def called_off() -> list[limpet.Result]:
        mark, token, other = marker(), CancelToken(), CancelToken()
        async with limpet.open(workspace, settings={"run.parallel": 1}) as shell:
            first = asyncio.ensure_future(shell.run(f"sleep {mark}", cancel=other))
            await seen(mark)
            waiting = [asyncio.ensure_future(shell.run(f"touch begun-{n}", cancel=token)) for n in range(5)]
            await asyncio.sleep(0.05)
            token.cancel()
            results = [await asyncio.wait_for(one, 20) for one in waiting]
            assert sleeping(mark)
            other.cancel()
            return [*results, await first, await shell.run("echo next")]

    told = [(one.outcome, one.stdout) for one in asyncio.run(called_off())]
    assert told == [(Outcome.CANCELLED, "")] * 6 + [(Outcome.EXITED, "next\n")]
    assert list(workspace.glob("begun-*")) == []


def test_a_token_does_not_strike_its_caller_after_the_answer(workspace: Path) -> None:
    async def refused() -> str:
        token = CancelToken()
        token.cancel()
        with contextlib.suppress(limpet.SandboxUnavailableError):  # whichever is looked at first
            await limpet.run("true", workspace=workspace, sandbox="no-such-thing", cancel=token)
        await asyncio.sleep(0.05)
        return "unharmed"

    assert asyncio.run(refused()) == "unharmed"


def test_closing_a_shell_ends_everything_in_it(workspace: Path) -> None:
    async def close() -> list[Outcome]:
        mark = marker()
        async with limpet.open(workspace) as shell:
            runs = [asyncio.ensure_future(shell.run(f"trap '' TERM; sleep {mark}")) for _ in range(5)]
            await asyncio.to_thread(wait_for, lambda: len(sleeping(mark)) == 5, 20)
        assert alive(mark) == []
        return [(await run).outcome for run in runs]

    assert asyncio.run(close()) == [Outcome.CANCELLED] * 5


ABANDONED = """
import asyncio, sys, limpet
from living import sleeping, wait_for
loop = asyncio.new_event_loop()
run = loop.create_task(limpet.run(f"sleep {sys.argv[1]}"))
loop.run_until_complete(asyncio.wait([run], timeout=0.5))
wait_for(lambda: len(sleeping(sys.argv[1])) == 2, 20)  # this process has it as an argument, too
loop.close()
print("closed", flush=True)
"""


def test_a_loop_closed_in_the_middle_of_a_run_leaves_nothing_when_the_program_ends(tmp_path: Path) -> None:
    mark = marker()
    with somebody("self", tmp_path) as user:
        status, out, _ = user.run(user.program(ABANDONED, mark))
        assert (status, out) == (0, "closed\n")
    assert wait_gone(mark)
