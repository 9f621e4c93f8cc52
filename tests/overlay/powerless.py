"""Commits, undos and recoveries whose machine loses its power -> all old or all new.

A disk is a file that the kernel writes to; what stands in it at some moment is what a power loss would leave. For a
program of its own, in a mount namespace of its own, as root: it prints what it saw.
"""

from __future__ import annotations

import collections
import contextlib
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from limpet.overlay import place as places
from limpet.overlay.commit import Wish, commit
from limpet.overlay.recover import recover
from limpet.overlay.undo import undo
from overlay.killed import changed, seeded
from overlay.layered import Facts, facts, in_layer
from overlay.operations import Doer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.overlay.place import Place

FILES = 30
SIZE = 16 << 20
QUIET = 0.005


class Disks:
    """The workspace's, and perhaps another one for the state directory."""

    def __init__(self, folder: Path, *, apart: bool) -> None:
        self._folder = folder
        self._names = ("workspace", "state") if apart else ("both",)
        for name in self._names:
            (folder / name).mkdir(exist_ok=True)
            self._image(name).unlink(missing_ok=True)
            with open(self._image(name), "wb") as file:
                file.truncate(SIZE)
            subprocess.run(["mkfs.ext4", "-q", "-F", str(self._image(name))], check=True)
        first, last = self._names[0], self._names[-1]
        self.workspace, self.state = folder / first / "work", folder / last / "limpet"

    def _image(self, name: str) -> Path:
        return self._folder / f"{name}.disk"

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """While the machine is on."""
        for name in self._names:
            subprocess.run(["mount", "-o", "loop", self._image(name), self._folder / name], check=True)
        try:
            yield
        finally:
            for name in self._names:
                subprocess.run(["umount", self._folder / name], check=True)
                if self._saved(name).exists():
                    os.replace(self._saved(name), self._image(name))

    def lose_power(self) -> None:
        """What is on the disks now is all that will be there next time."""
        while True:
            before = self._written()
            for name in self._names:
                shutil.copyfile(self._image(name), self._saved(name))
            time.sleep(QUIET)
            if self._written() == before:
                return

    def _saved(self, name: str) -> Path:
        return self._folder / f"{name}.saved"

    def _written(self) -> list[int]:
        return [os.stat(self._image(name)).st_mtime_ns for name in self._names]


def cut(disks: Disks, action: Callable[[], object], after: float) -> bool:
    """Do it in a child, and lose the power after a time; whether it came to its end before."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
        finally:
            os._exit(0)
    time.sleep(after)
    os.kill(pid, signal.SIGSTOP)
    disks.lose_power()
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1] == 0


class Round:
    """One transaction on fresh disks."""

    def __init__(self, folder: Path, *, apart: bool) -> None:
        self.disks = Disks(folder, apart=apart)
        self.workspace, self.state = self.disks.workspace, str(self.disks.state)
        self.old: Facts = {}
        self.new: Facts = {}

    def prepare(self) -> Place:
        self.workspace.mkdir()
        here = os.getcwd()
        os.chdir(self.workspace)
        Doer().do(seeded(FILES))
        os.chdir(here)
        os.sync()
        self.old = facts(self.workspace)
        place = places.create(self.state, "t", str(self.workspace))
        assert in_layer(place, lambda: Doer().do(changed(FILES))) == 0
        return place

    def commit(self, place: Place) -> None:
        commit(self.state, place, Wish(name="c", at=0.0))

    def look(self, new: Facts) -> str:
        """After the power is back."""
        found = recover(self.state)
        assert found.left == (), found
        now = facts(self.workspace)
        assert now in (self.old, new), sorted(str(one) for one in now.items() ^ self.old.items())[:5]
        there = [path.name for path in (Path(self.state) / "commits").glob("[!.]*")]
        assert there == (["c"] if now == new else []), there
        return "new" if now == new else "old"


def clean(folder: Path, *, apart: bool) -> tuple[Facts, float]:
    """What it looks like when the power stays, and how long it takes."""
    one = Round(folder, apart=apart)
    with one.disks.running():
        place = one.prepare()
        started = time.monotonic()
        one.commit(place)
        return facts(one.workspace), time.monotonic() - started


def play(one: Round, what: str, chance: random.Random, known: tuple[Facts, float]) -> str:
    """One power loss, and perhaps another one during the recovery."""
    new, took = known
    with one.disks.running():
        place = one.prepare()
        if what == "undo":
            one.commit(place)
            os.sync()
        action = (lambda: undo(one.state, "c")) if what == "undo" else (lambda: one.commit(place))
        ended = cut(one.disks, action, chance.uniform(0, took * 1.2))
    again = chance.random() < 0.5
    if again:
        with one.disks.running():
            cut(one.disks, lambda: recover(one.state), chance.uniform(0, took))
    with one.disks.running():
        return f"{what}{'' if ended else ' cut'}{' and its recovery' if again else ''}: {one.look(new)}"


def main(folder: Path, rounds: int) -> None:
    """All of them, with one disk and with two."""
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
    seen: collections.Counter[str] = collections.Counter()
    chance = random.Random(rounds)
    for apart in (False, True):
        known = clean(folder, apart=apart)
        for number in range(rounds):
            one = Round(folder, apart=apart)
            seen[play(one, "undo" if number % 2 else "commit", chance, known)] += 1
    print(dict(sorted(seen.items())))
