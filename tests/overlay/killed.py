"""Commits and undos that are killed at any moment -> all old or all new, and nothing left behind.

For a program of its own, as whoever runs it; it prints what it saw.
"""

from __future__ import annotations

import collections
import os
import random
import signal
import time
from typing import TYPE_CHECKING

from limpet.overlay import place as places
from limpet.overlay.commit import Wish, commit
from limpet.overlay.recover import recover
from limpet.overlay.remove import remove_tree
from limpet.overlay.undo import undo
from overlay.layered import Facts, facts, in_layer
from overlay.operations import Doer, Operation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limpet.overlay.place import Place


def seeded(files: int) -> list[Operation]:
    """A workspace of so many files."""
    made: list[Operation] = [("folder", b"d%d" % number) for number in range(10)]
    made += [("write", b"d%d/f%d" % (number % 10, number), b"old %d" % number) for number in range(files)]
    made += [("folder", b"gone")]
    made += [("write", b"gone/g%d" % number, b"old") for number in range(5)]
    return [*made, *(("touch", b"d%d" % number) for number in range(10)), ("touch", b".")]


def changed(files: int) -> list[Operation]:
    """A third changed, a third deleted, as many added, alone and in a new folder; one folder closed."""
    done: list[Operation] = []
    for number in range(files):
        path = b"d%d/f%d" % (number % 10, number)
        ways: list[Operation] = [("append", path, b" new"), ("remove", path), ("write", path + b".added", b"new")]
        done.append(ways[number % 3])
    done += [
        ("folder", b"fresh/deep"),
        ("write", b"fresh/deep/file", b"new"),
        ("remove", b"gone"),
        ("mode", b"d3", 0o550),
    ]
    return [
        *done,
        *(("touch", b"d%d" % number) for number in range(10)),
        ("touch", b"fresh/deep"),
        ("touch", b"fresh"),
        ("touch", b"."),
    ]


class Round:
    """One transaction, killed."""

    def __init__(self, base: Path, state: Path, files: int) -> None:
        self.workspace, self.state, self.files = base / "workspace", state, files
        self.workspace.mkdir()
        self._at(lambda: Doer().do(seeded(files)))
        self.old = facts(self.workspace)
        self.place: Place = places.create(str(state), "t", str(self.workspace))
        assert in_layer(self.place, lambda: Doer().do(changed(files))) == 0

    def commit(self) -> None:
        commit(str(self.state), self.place, Wish(name="c", at=0.0, durable=self.files < 100))

    def undo(self) -> None:
        undo(str(self.state), "c", durable=False)

    def new(self) -> Facts:
        """What it looks like when nobody kills it."""
        self.commit()
        return facts(self.workspace)

    def end(self) -> None:
        self.place.drop()
        remove_tree(str(self.workspace))
        remove_tree(str(self.state / "commits"))

    def _at(self, action: Callable[[], None]) -> None:
        here = os.getcwd()
        os.chdir(self.workspace)
        action()
        os.chdir(here)


def killed(action: Callable[[], object], after: float) -> bool:
    """Do it in a child, and kill that after a time; whether it came to its end."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
        finally:
            os._exit(0)
    time.sleep(after)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1] == 0


def check(one: Round, old: Facts, new: Facts, chance: random.Random, took: float) -> str:
    """After a crash: recover, perhaps killed as well, then look."""
    if chance.random() < 0.5:
        killed(lambda: recover(str(one.state)), chance.uniform(0, took))
    found = recover(str(one.state))
    assert found.left == (), found
    now = facts(one.workspace)
    assert now in (old, new), sorted({str(item) for item in now.items() if item not in {**old, **new}.items()})[:5]
    folder = one.state / "commits"
    hidden = [path.name for path in folder.iterdir() if not path.name.startswith(".lock")] if folder.exists() else []
    assert hidden in ([], ["c"]), hidden
    assert (hidden == ["c"]) is (now == new), "what can be undone and what is there differ"
    return "new" if now == new else "old"


def main(base: Path, state: Path, files: int, rounds: int) -> None:
    """All of them."""
    chance = random.Random(rounds)
    clean = Round(base, state, files)
    started = time.monotonic()
    new = clean.new()
    took = time.monotonic() - started
    clean.undo()
    undone = facts(clean.workspace)
    assert undone == clean.old, [
        (name, clean.old.get(name), undone.get(name))
        for name in {**undone, **clean.old}
        if undone.get(name) != clean.old.get(name)
    ][:5]
    clean.end()
    seen: collections.Counter[str] = collections.Counter()
    for number in range(rounds):
        one = Round(base, state, files)
        what = "undo" if number % 3 == 2 else "commit"
        if what == "undo":
            one.commit()
        ended = killed(getattr(one, what), chance.uniform(0, took * 1.8))
        seen[f"{what}{'' if ended else ' killed'}: {check(one, one.old, new, chance, took)}"] += 1
        one.end()
    print(dict(sorted(seen.items())), f"a commit took {took:.3f} s")
