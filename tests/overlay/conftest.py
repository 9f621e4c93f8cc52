"""A workspace, a state directory beside it, and transactions on it."""

from __future__ import annotations

import itertools
import os
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limpet.overlay import place as places
from limpet.overlay.changes import changes
from limpet.overlay.commit import Wish, commit
from limpet.overlay.undo import undo
from overlay.layered import bash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.model.change import Changes, Committed, Undone
    from limpet.overlay.place import Place


class Bench:
    """Short names for what tests do."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "workspace"
        self.state = folder / "state"
        self.workspace.mkdir()
        self._numbers = itertools.count(1)

    def write(self, **files: str) -> None:
        """Files by name; `__` stands for a slash."""
        for name, text in files.items():
            path = self.workspace / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def open(self, *, copies: bool = False) -> Place:
        return places.create(str(self.state), f"t{next(self._numbers):03}", str(self.workspace), copies=copies)

    def run(self, script: str) -> Place:
        """A transaction in which a script has run."""
        place = self.open()
        assert bash(place, script) == 0
        return place

    def commit(self, place: Place, **wishes: object) -> Committed:
        name = f"c{next(self._numbers):03}"
        return commit(str(self.state), place, Wish(**{"name": name, "at": 1.0, "durable": False, **wishes}))  # type: ignore[arg-type]

    def done(self, script: str) -> Committed:
        """A script, committed, and its transaction closed."""
        place = self.run(script)
        committed = self.commit(place)
        place.drop()
        return committed

    def undo(self, committed: Committed, *, overwrite: bool = False) -> Undone:
        return undo(str(self.state), committed.id, overwrite=overwrite, durable=False)

    def changes(self, place: Place) -> list[str]:
        """In short."""
        return short(changes(place))

    def text(self, name: str) -> str | None:
        path = self.workspace / name
        return path.read_text() if path.is_file() else None

    def names(self) -> list[str]:
        """Everything in the workspace."""
        return sorted(str(path.relative_to(self.workspace)) for path in self.workspace.rglob("*"))


def short(found: Changes) -> list[str]:
    return [
        " ".join([change.kind, *([change.source, "->"] if change.source else []), change.path, *change.aspects])
        for change in found.changes
    ]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """On a filesystem that can keep a layer, in namespaces that can be had."""
    needs_namespaces()
    return Bench(tmp_path)


def needs_namespaces() -> None:
    """Skip where an ordinary user cannot have them."""
    if subprocess.run(["unshare", "--map-root-user", "--mount", "true"], capture_output=True).returncode != 0:
        pytest.skip("no mount namespace to be had")


@contextmanager
def elsewhere() -> Iterator[Path]:
    """A folder on another filesystem than the tests', or a skip."""
    for folder in ("/dev/shm", "/run", "/var/tmp"):
        if os.access(folder, os.W_OK) and os.stat(folder).st_dev != os.stat(tempfile.gettempdir()).st_dev:
            with tempfile.TemporaryDirectory(prefix="limpet-elsewhere-", dir=folder) as made:
                yield Path(made)
            return
    pytest.skip("no other filesystem to write to")
