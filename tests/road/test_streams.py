"""Events as they happen, sequences, and the blocks of a model's answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import Decided, Finished, Outcome, Output, Prepared, Started, sync
from living import marker, wait_gone

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.req("MY-06", "ZE-15")
def test_a_stream_tells_everything_in_order_and_ends_in_the_exit(workspace: Path) -> None:
    with sync.open(workspace) as shell, shell.stream("echo one; sleep 0.05; echo two >&2; sleep 0.05; exit 3") as run:
        events = list(run)
        result = run.result()
    assert [type(event) for event in events] == [Decided, Prepared, Started, Output, Output, Finished]
    assert [(e.stream, e.text, e.data) for e in events if isinstance(e, Output)] == [
        ("stdout", "one\n", b"one\n"),
        ("stderr", "two\n", b"two\n"),
    ]
    assert events[-1] == Finished(request=events[-1].request, result=result)  # type: ignore[union-attr]  # it is the last
    assert (result.exit_code, result.output) == (3, "one\nstderr: two\n")


@pytest.mark.req("MY-06")
def test_output_comes_while_the_command_runs(workspace: Path) -> None:
    async def converse() -> str:
        async with (
            limpet.open(workspace) as shell,
            shell.stream("echo ready; until [ -e go ]; do sleep 0.01; done; echo went") as run,
        ):
            async for event in run:
                if isinstance(event, Output) and event.text == "ready\n":
                    (workspace / "go").touch()
            return (await run.result()).stdout

    assert asyncio.run(converse()) == "ready\nwent\n"


def test_leaving_a_stream_ends_the_run(workspace: Path) -> None:
    mark = marker()
    with sync.open(workspace) as shell, shell.stream(f"echo up; setsid -f sleep {mark}; sleep {mark}") as run:
        for event in run:
            if isinstance(event, Output):
                break
    wait_gone(mark, 1)


def test_a_character_split_between_two_writes_is_whole(workspace: Path) -> None:
    command = r"printf '\303'; sleep 0.2; printf '\251t\303\251'; sleep 0.2; printf '\377'"
    with sync.open(workspace) as shell, shell.stream(command) as run:
        text = "".join(event.text for event in run if isinstance(event, Output))
        assert (text, run.result().stdout) == ("été�", "été�")


@pytest.mark.req("TK-14")
def test_a_sequence_stops_at_the_first_failure(workspace: Path) -> None:
    results = sync.sequence(["echo 1", "echo 2; exit 5", "touch never"], workspace=workspace)
    assert [(result.stdout, result.exit_code) for result in results] == [("1\n", 0), ("2\n", 5)]
    assert not (workspace / "never").exists()
    assert sync.sequence([], workspace=workspace) == []


ANSWER = """\
First look:

```bash
echo one
```

Then, in another language:

```python
print("never")
```

```sh
true
```

```bash
echo two >&2; exit 4
```

```bash
touch never
```
"""


@pytest.mark.req("ZE-01", "ZE-24")
def test_the_bash_blocks_of_an_answer_run_in_order(workspace: Path) -> None:
    with sync.open(workspace) as shell:
        blocks = shell.run_blocks(ANSWER)
    assert blocks.found == 4
    assert [result.exit_code for result in blocks.results] == [0, 0, 4]
    assert blocks.summary.startswith("$ echo one\none\n")
    assert "$ true\n(no output)" in blocks.summary
    assert "two" in blocks.summary
    assert not (workspace / "never").exists()


@pytest.mark.req("ZE-16", "TK-09")
def test_a_cancel_token_gives_a_cancelled_result(workspace: Path) -> None:
    mark = marker()

    async def cancel() -> limpet.Result:
        token = limpet.CancelToken()
        command = f"echo up; setsid -f sleep {mark}; sleep {mark}"
        async with limpet.open(workspace) as shell, shell.stream(command, cancel=token) as run:
            async for event in run:
                if isinstance(event, Output):
                    token.cancel()
            return await run.result()

    result = asyncio.run(cancel())
    assert (result.outcome, result.cancelled, result.ok, result.stdout) == (Outcome.CANCELLED, True, False, "up\n")
    wait_gone(mark, 1)


@pytest.mark.req("TK-09", "ZE-22")
def test_cancelling_the_caller_ends_the_whole_tree(workspace: Path) -> None:
    mark = marker()
    command = f"(setsid -f sleep {mark}); sleep {mark} & (trap '' TERM; sleep {mark}; sleep {mark}) & touch up; wait"

    async def cancel() -> None:
        task = asyncio.ensure_future(limpet.run(command, workspace=workspace))
        while not (workspace / "up").exists():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        wait_gone(mark, 0)

    asyncio.run(cancel())
