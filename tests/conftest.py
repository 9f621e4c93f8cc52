"""Guards around every test, and the places and commands that many of them need."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commandline import Cli
from limpet.engine.blocking import wait
from limpet.tasks.store import Tasks
from limpet.tasks.verbs import TaskVerbs
from limpet.wiring import road
from living import Process, descendants

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVER = "limpet.process.server"
PATIENCE = 3.0
XDG = ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR", "CONFIG_DIRS", "DATA_DIRS")


@pytest.fixture(autouse=True)
def _own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the files of the person who runs it."""
    home = Path(tempfile.mkdtemp(prefix="home-", dir=tmp_path_factory.getbasetemp()))  # a number would be looked for
    for name in [name for name in os.environ if name.startswith("LIMPET_")]:
        monkeypatch.delenv(name)
    places = {f"XDG_{name}": home / f"xdg_{name.lower()}" for name in XDG}
    for variable, place in {"HOME": home, "LIMPET_STATE_DIR": home / "state", **places}.items():
        place.mkdir(mode=0o700, exist_ok=True)
        monkeypatch.setenv(variable, str(place))
    # Most tests are about how commands run, and run odd ones; those about the judge name their profile.
    monkeypatch.setenv("LIMPET_POLICY_PROFILE", "open")
    # And in folders of their own making, with files around them; those about the sandbox ask for it.
    monkeypatch.setenv("LIMPET_SANDBOX_MODE", "none")
    # Hooks judge by themselves; those about the process that stays start one.
    monkeypatch.setenv("LIMPET_HOOKS_HELPER", "0")


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """No process outlives the test that started it, but for limpet's own fork server and its keepers."""
    before = {(one.pid, one.started) for one in descendants(os.getpid())}
    yield
    end = time.monotonic() + PATIENCE
    while left := _strangers(before):
        road.ready_shells().rest()  # shells that only wait for a command are not left behind
        if time.monotonic() > end:
            pytest.fail("left behind:\n" + "\n".join(map(str, left)))
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def _no_task_left(_own_places: None) -> Iterator[None]:
    """Background tasks outlive whoever started them, but not their test."""
    state = os.environ["LIMPET_STATE_DIR"]
    yield
    if os.path.isdir(os.path.join(state, "tasks")):
        for task in TaskVerbs(Tasks(state), "").tasks(everywhere=True):
            if not task.status().over:
                wait(task.stop(now=True))


def _strangers(before: set[tuple[int, int]]) -> list[Process]:
    found = descendants(os.getpid())
    return [one for one in found if (one.pid, one.started) not in before and SERVER not in " ".join(one.argv)]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A small project, with a file name that has to be quoted and one that is hidden."""
    place = tmp_path / "workspace"
    (place / "src").mkdir(parents=True)
    (place / "README.md").write_text("# Sample\n\nA project to try commands on.\n")
    (place / "src" / "app.py").write_text('print("hello")\n')
    (place / "numbers.txt").write_text("".join(f"{n}\n" for n in range(1, 101)))
    (place / "with space.txt").write_text("spaced\n")
    (place / ".hidden").write_text("hidden\n")
    return place


@pytest.fixture
def cli(workspace: Path) -> Cli:
    """The command line, standing in the workspace."""
    return Cli(workspace)
