"""What a transaction costs in a large workspace, against copying it, stashing it and syncing it, in one run.

python bench/transaction.py [files] [rounds] [folder]

Ten files are changed. `open` makes the transaction and mounts its layer in new namespaces; the others are the library's
calls, the commit once as it is by default, safe from a power loss, and once from a crash of limpet only.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from limpet.kernel import namespaces
from limpet.kernel.mounts import carry_out
from limpet.overlay import place as places
from limpet.overlay.changes import changes
from limpet.overlay.commit import Wish, commit
from limpet.overlay.mount import layer
from limpet.overlay.undo import undo
from limpet.process.ids import enter_user_namespace

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.overlay.place import Place

Times = dict[str, list[float]]
CHANGED = 10
TEXT = b"a line of text that stands for many\n" * 20


def make(folder: Path, files: int) -> None:
    """So many small files, a hundred to a folder."""
    for number in range(files):
        if number % 100 == 0:
            (folder / f"d{number // 100}").mkdir(parents=True)
        (folder / f"d{number // 100}/f{number}").write_bytes(TEXT)
    git = ["git", "-c", "core.fsync=none", "-c", "user.name=x", "-c", "user.email=x@y", "-C", str(folder)]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *command], check=True)


def in_layer(place: Place, files: int) -> None:
    """The change, in a child that sees the layer."""
    pid = os.fork()
    if pid == 0:
        try:
            enter_user_namespace(namespaces.MOUNT)
            workspace = place.about.workspace
            carry_out((("private",), *layer(place), ("put", workspace, workspace)))
            if files:
                change(Path(workspace), files)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


def change(folder: Path, files: int) -> None:
    for number in range(0, files, files // CHANGED):
        with open(folder / f"d{number // 100}/f{number}", "ab") as file:
            file.write(b"changed\n")


class Ways:
    """Each way, timed step by step."""

    def __init__(self, base: Path, files: int) -> None:
        self.base, self.files, self.workspace = base, files, base / f"workspace{files}"
        self.times: Times = {}
        self._count = 0
        make(self.workspace, files)

    def timed(self, name: str, action: Callable[[], object]) -> None:
        began = time.perf_counter()
        action()
        self.times.setdefault(name, []).append(time.perf_counter() - began)

    def transaction(self, *, durable: bool) -> None:
        self._count += 1
        state, name = str(self.base / "state"), f"c{self._count:04}"
        found: list[Place] = []

        def open_() -> None:
            found.append(places.create(state, f"t{self._count:04}", str(self.workspace)))
            in_layer(found[0], 0)

        suffix = "" if durable else " (not safe from power loss)"
        self.timed("open", open_)
        in_layer(found[0], self.files)
        self.timed("diff", lambda: changes(found[0]))
        self.timed("commit" + suffix, lambda: commit(state, found[0], Wish(name=name, at=0.0, durable=durable)))
        self.timed("undo" + suffix, lambda: undo(state, name, durable=durable))
        self.timed("drop", found[0].drop)

    def copy(self) -> None:
        target = self.base / "copy"
        self.timed("cp -a", lambda: run("cp", "-a", str(self.workspace), str(target)))
        self.timed("rm -rf of the copy", lambda: run("rm", "-rf", str(target)))

    def sync(self) -> None:
        target = self.base / "synced"
        self.timed("rsync -a", lambda: run("rsync", "-a", f"{self.workspace}/", str(target)))
        shutil.rmtree(target)

    def stash(self) -> None:
        change(self.workspace, self.files)
        git = ("git", "-c", "user.name=x", "-c", "user.email=x@y", "-C", str(self.workspace), "stash")
        self.timed("git stash -u", lambda: run(*git, "-q", "-u"))
        self.timed("git stash drop", lambda: run(*git, "drop", "-q"))

    def round(self) -> None:
        self.transaction(durable=True)
        self.transaction(durable=False)
        self.copy()
        if shutil.which("rsync"):
            self.sync()
        self.stash()


def run(*argv: str) -> None:
    subprocess.run(argv, check=True)


def main() -> None:
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as folder:
        small, large = (Ways(Path(folder), count) for count in (1000, files))
        for _ in range(rounds):
            small.round()
            large.round()
    print_table(small, large)


def print_table(small: Ways, large: Ways) -> None:
    whole = statistics.median(large.times["cp -a"])
    print(f"{f'{CHANGED} of {large.files:,} files changed':36} {'ms':>10} {'of cp -a':>12} {'growth from 1,000':>18}")
    for name, values in large.times.items():
        median = statistics.median(values)
        growth = median / statistics.median(small.times[name])
        print(f"{name:36} {median * 1000:10.1f} {f'1/{whole / median:.0f}':>12} {growth:17.2f}x")
    both = sum(statistics.median(large.times[name]) for name in ("open", "drop"))
    grown = both / sum(statistics.median(small.times[name]) for name in ("open", "drop"))
    print(f"open and drop together: 1/{whole / both:.0f} of cp -a, {grown:.2f}x that of 1,000 files")


if __name__ == "__main__":
    main()
