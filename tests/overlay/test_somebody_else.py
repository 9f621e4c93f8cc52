"""A person goes on working in the workspace while transactions come and go: not a letter of theirs is lost.

LIMPET_TORTURE=20 makes twenty times as many rounds.
"""

from __future__ import annotations

import os
import random
import shlex
import shutil
from typing import TYPE_CHECKING

import pytest

from limpet.errors import ConflictError
from overlay.layered import bash, facts

if TYPE_CHECKING:
    from pathlib import Path

    from overlay.conftest import Bench

ROUNDS = 12 * int(os.environ.get("LIMPET_TORTURE", "1"))
PLACES = [f"{folder}{name}" for folder in ("", "d/", "d/e/", "n/") for name in "abc"]


class Person:
    """Writes what nobody else writes, and knows what it wrote last."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._folder, self._chance = folder, chance
        self.wrote: dict[str, str] = {}
        self._count = 0

    def work(self) -> None:
        for _ in range(self._chance.randrange(4)):
            self._act(self._chance.choice(PLACES))

    def _act(self, name: str) -> None:
        path = self._folder / name
        self._count += 1
        kind = self._chance.randrange(6)
        try:
            if kind == 0:
                path.unlink()
                self.wrote.pop(name, None)
            elif kind == 1 and path.parent != self._folder:
                shutil.rmtree(path.parent)
                around = os.path.dirname(name)
                self.wrote = {one: text for one, text in self.wrote.items() if not one.startswith(around + "/")}
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                text = f"theirs {self._count}\n"
                self._write(path, text, in_place=kind < 4)
                self.wrote[name] = text
        except OSError:
            pass

    def _write(self, path: Path, text: str, *, in_place: bool) -> None:
        if in_place:
            path.write_text(text)
        else:
            (self._folder / "draft").write_text(text)
            (self._folder / "draft").rename(path)


def _script(chance: random.Random) -> str:
    ways = (
        "mkdir -p $(dirname {0}); echo mine >> {0}", "rm -f {0}", "rm -rf $(dirname {0}/..); mkdir -p $(dirname {0})",
        "sed -i s/theirs/changed/ {0}", "mv {0} {1}", "chmod 600 {0}", "ln -sf {1} {0}",
        "rm -rf {0}; mkdir -p {0}; echo m > {0}/m",
    )  # fmt: skip
    steps = [
        chance.choice(ways).format(*(shlex.quote(place) for place in chance.sample(PLACES, 2)))
        for _ in range(chance.randrange(1, 6))
    ]
    return "; ".join(f"({step}) 2>/dev/null" for step in steps) + "; true"


@pytest.mark.timeout(60 + 5 * ROUNDS)
def test_what_a_person_writes_while_a_transaction_is_open_is_never_lost(bench: Bench) -> None:
    seed = random.randrange(10**9)
    chance = random.Random(seed)
    seen = {"committed": 0, "refused": 0}
    for number in range(ROUNDS):
        shutil.rmtree(bench.workspace)
        bench.workspace.mkdir()
        for name in chance.sample(PLACES, 7):
            bench.write(**{name.replace("/", "__"): f"base {name}\n"})
        place = bench.open()
        person = Person(bench.workspace, chance)
        for _ in range(2):
            person.work()
            assert bash(place, _script(chance)) == 0
        person.work()
        before = facts(bench.workspace)
        try:
            bench.undo(committed) if (committed := bench.commit(place)).id and chance.random() < 0.3 else None
            seen["committed"] += 1
        except ConflictError:
            assert facts(bench.workspace) == before, (seed, number)
            seen["refused"] += 1
        there = {name: bench.text(name) for name in person.wrote}
        assert there == person.wrote, (seed, number)
        place.drop()
    print(seed, seen)
