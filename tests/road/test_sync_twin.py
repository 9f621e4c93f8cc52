"""The blocking twin has the same names, parameters and answers."""

from __future__ import annotations

import asyncio
import inspect
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import calls, opening, shell, sync
from living import marker, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path


def public(thing: object) -> dict[str, object]:
    return {name: getattr(thing, name) for name in dir(thing) if not name.startswith("_")}


def parameters(function: object) -> list[tuple[str, object, object]]:
    assert callable(function)
    return [(one.name, one.kind, one.default) for one in inspect.signature(function).parameters.values()]


@pytest.mark.req("TK-01")
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (sync.Shell, shell.Shell),
        (sync.Stream, limpet.Stream),
        (sync.Task, limpet.Task),
        (sync.Session, limpet.Session),
        (sync.Transaction, limpet.Transaction),
    ],
)
def test_both_shells_have_the_same_members_with_the_same_parameters(ours: type, theirs: type) -> None:
    assert public(ours).keys() == public(theirs).keys()
    for name, member in public(theirs).items():
        if callable(member):
            assert parameters(getattr(ours, name)) == parameters(member), name


@pytest.mark.parametrize("name", ["run", "sequence", "start", "stream"])
def test_both_have_the_same_single_calls(name: str) -> None:
    assert parameters(getattr(sync, name)) == parameters(getattr(calls, name))


def test_both_open_alike() -> None:
    assert parameters(sync.open) == parameters(opening.open)


def test_both_give_the_same_answer(workspace: Path) -> None:
    blocking = sync.run("echo out; echo err >&2; exit 3", workspace=workspace)
    awaited = asyncio.run(limpet.run("echo out; echo err >&2; exit 3", workspace=workspace))
    same = (
        "command",
        "outcome",
        "exit_code",
        "stdout",
        "stderr",
        "output",
        "cwd",
        "guarantees",
        "decision",
        "withheld_env",
    )
    assert [getattr(blocking, name) for name in same] == [getattr(awaited, name) for name in same]


def test_it_works_inside_a_running_event_loop(workspace: Path) -> None:
    async def inside() -> str:
        return sync.run("echo inside", workspace=workspace).stdout

    assert asyncio.run(inside()) == "inside\n"


def test_ctrl_c_ends_the_run_before_it_is_raised(workspace: Path) -> None:

    mark = marker()
    program = f"import limpet; limpet.sync.run('touch up; setsid -f sleep {mark}; sleep {mark}')"
    child = subprocess.Popen([sys.executable, "-c", program], cwd=workspace, stderr=subprocess.PIPE, text=True)
    wait_for((workspace / "up").exists, 20)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=30)
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    wait_gone(mark, 1)


def test_importing_limpet_and_deciding_load_nothing_heavy() -> None:

    program = (
        "import limpet, sys; limpet.check('ls'); print([m for m in ('asyncio', 'rich', 'click') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_every_public_name_is_there() -> None:
    assert [name for name in limpet.__all__ if not hasattr(limpet, name)] == []
    assert len(set(limpet.__all__)) == len(limpet.__all__)
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = limpet.nothing_of_the_kind
