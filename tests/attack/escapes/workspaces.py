"""A scene and a command -> run in its workspace, behind walls or without, and what git thinks of it afterwards."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any, TypeVar

from attack.escapes.stage import Scene, scene

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

ALL = """
import json, sys
from limpet import sync
for workspace, command in json.load(sys.stdin):
    result = sync.run(command, workspace=workspace, sandbox="native")
    assert result.guarantees.level == "native", result
"""


def each(
    who: str, texts: dict[str, str], *, contained: bool, before: Callable[[Scene], T], after: Callable[[Scene, T], bool]
) -> dict[str, bool]:
    """Every attempt in a workspace of its own: what is to be said afterwards, given what was seen before."""
    with scene(who, contained=contained) as here:
        scenes = {name: here.part(number) for number, name in enumerate(texts)}
        seen = {name: before(one) for name, one in scenes.items()}
        if contained:
            run_all(here, [(scenes[name], text) for name, text in texts.items()])
        else:
            for name, text in texts.items():
                run(scenes[name], text)
        return {name: after(one, seen[name]) for name, one in scenes.items()}


def run_all(here: Scene, attempts: list[tuple[Scene, str]]) -> None:
    """One after the other by one program that uses limpet: starting it anew for each would take most of the time."""
    jobs = [(str(one.workspace), written(one, text)) for one, text in attempts]
    argv = here.user.program(ALL)
    subprocess.run(
        argv, cwd=here.workspace, env=here.environment(), input=json.dumps(jobs), text=True, timeout=90, check=True
    )


def written(here: Scene, text: str) -> str:
    """The command for an attempt, which is in a file, so that nobody judges its words."""
    return f"bash {here.file(here.place / 'attempt.sh', text)}"


def run(here: Scene, text: str, **environ: str) -> None:
    """One attempt, by the command line or by a shell."""
    command = written(here, text)
    if here.contained:
        argv = here.user.limpet("run", "--sandbox", "native", "--json", "--", command)
    else:
        argv = [*here.prefix, "bash", "-c", f"{command}; wait"]
    env = {**here.environment(), **environ}
    done = subprocess.run(argv, cwd=here.workspace, env=env, capture_output=True, timeout=60)
    if here.contained:
        assert json.loads(done.stdout)["guarantees"]["level"] == "native"


def answer(here: Scene, command: str, *options: str, seconds: float = 60) -> dict[str, Any]:
    """What `limpet run --json` says; that it was contained is a part of it."""
    argv = here.user.limpet("run", "--sandbox", "native", "--json", *options, "--", command)
    env = {**here.environment(), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    done = subprocess.run(argv, cwd=here.workspace, env=env, capture_output=True, text=True, timeout=seconds)
    result: dict[str, Any] = json.loads(done.stdout)
    assert result["guarantees"] is not None, result
    assert result["guarantees"]["level"] == "native"
    return result


def git(here: Scene, *args: str) -> str:
    """What it says, as the user; nothing when it fails."""
    argv = [*here.prefix, "git", *args]
    done = subprocess.run(argv, cwd=here.workspace, env=here.environment(), capture_output=True, text=True, timeout=20)
    return done.stdout
