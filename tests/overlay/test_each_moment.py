"""A commit and an undo that end, or are refused something, at one moment after another: all old or all new.

LIMPET_TORTURE=1 tries every moment; else some of them, others each day.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from limpet.errors import TransactionError
from limpet.kernel import files
from limpet.overlay import clone, commit, commits, journal, left, stage, staging, steps, undo
from limpet.overlay.kept import kept
from limpet.overlay.recover import recover
from overlay.conftest import elsewhere
from overlay.layered import facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from overlay.conftest import Bench

FEW = 10**6 if os.environ.get("LIMPET_TORTURE") else 4
SCRIPT = """
echo more >> a; rm b; mv c there; mkdir -p n/e; echo x > n/e/x; rm -r d; mkdir d; echo y > d/y; chmod 700 kept
echo z > kept/z; ln -s a link; rm -r gone; touch -d @5 a n/e/x d/y kept/z there kept d n/e n .
touch -h -d @5 link; touch -d @5 .
"""
EFFECTS: list[tuple[Any, str]] = [
    (files, "_rename"), (journal.Journal, "add"), (clone.Cloner, "_leaf"), (clone.Cloner, "_dress"),
    (steps, "write_meta"),
    (staging, "make"), (staging, "remove"), (staging, "remove_tree"), (commits, "remove_tree"), (stage, "clean"),
    (left, "_own"), (os, "mkdir"), (os, "rename"), (commit, "flush"), (commit, "flush_taken"),
    (undo, "flush_taken"), (staging, "_finish"), (os, "link"),
]  # fmt: skip


class Moments:
    """Counts what is done to files, and at one moment does something else, before or after it."""

    def __init__(self, patch: pytest.MonkeyPatch, at: int, then: Callable[[], None]) -> None:
        self.count = 0
        for place, name in EFFECTS:
            patch.setattr(place, name, self._wrapped(getattr(place, name), at, then))

    def _wrapped(self, function: Callable[..., object], at: int, then: Callable[[], None]) -> Callable[..., object]:
        def call(*given: object, **named: object) -> object:
            self._tick(at, then)
            result = function(*given, **named)
            self._tick(at, then)
            return result

        return call

    def _tick(self, at: int, then: Callable[[], None]) -> None:
        self.count += 1
        if self.count == at:
            then()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _refuse() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _some(count: int) -> list[int]:
    """A few moments of all: first, last and in between."""
    stride = max(1, -(-count // FEW))
    return list(range(1 + int(time.time()) % stride, count + 1, stride))


class Scene:
    """A transaction whose commit, or whose undo, is tried again and again."""

    def __init__(self, bench: Bench, what: str) -> None:
        self.bench, self.what = bench, what
        bench.write(a="a", b="b", c="c", d__x="x", d__y="y", kept__k="k", gone__g="g", gone__h__i="i")
        for place, _, names in os.walk(bench.workspace):
            for path in (place, *(os.path.join(place, name) for name in names)):
                os.utime(path, (1, 1))
        self.old = facts(bench.workspace)
        self.place = bench.run(SCRIPT)
        bench.undo(bench.commit(self.place, name="c000"))
        assert facts(bench.workspace) == self.old
        self.renew()
        bench.commit(self.place, name="c000")
        self.new = facts(bench.workspace)
        bench.undo(kept(str(bench.state))[0])
        self.renew()
        if what == "undo":
            bench.commit(self.place, name="c000")

    def renew(self) -> None:
        """The same changes again."""
        self.place.drop()
        self.place = self.bench.run(SCRIPT)

    def act(self) -> None:
        if self.what == "commit":
            self.bench.commit(self.place, name="c000", durable=True)
        else:
            undo.undo(str(self.bench.state), "c000")

    def reset(self) -> None:
        """As before the act."""
        there = [one.id for one in kept(str(self.bench.state))]
        if self.what == "commit" and there:
            undo.undo(str(self.bench.state), "c000", durable=False)
            self.renew()
        if self.what == "undo" and not there:
            self.renew()
            self.bench.commit(self.place, name="c000")

    def check(self) -> None:
        now = facts(self.bench.workspace)
        there = [one.id for one in kept(str(self.bench.state))]
        assert (now, there) in ((self.old, []), (self.new, ["c000"])), now.items() ^ self.old.items()
        assert [name for name in os.listdir(self.bench.workspace) if name.startswith(".limpet")] == []

    def moments(self) -> int:
        """How many there are."""
        with pytest.MonkeyPatch.context() as patch:
            seen = Moments(patch, -1, _die)
            self.act()
        self.reset()
        return seen.count


@pytest.mark.timeout(60 if FEW < 100 else 1800)
@pytest.mark.parametrize("what", ["commit", "undo"])
@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_killed_at_any_moment_it_is_all_old_or_all_new(bench: Bench, what: str, where: str) -> None:
    with elsewhere() as folder:
        bench.state = folder if where == "elsewhere" else bench.state
        scene = Scene(bench, what)
        for at in _some(scene.moments()):
            pid = os.fork()
            if pid == 0:
                try:
                    Moments(pytest.MonkeyPatch(), at, _die)
                    scene.act()
                finally:
                    os._exit(0)
            os.waitpid(pid, 0)  # killed, mostly: the last moments do not come every time
            assert recover(str(bench.state)).left == ()
            scene.check()
            scene.reset()


@pytest.mark.timeout(60 if FEW < 100 else 1800)
@pytest.mark.parametrize("what", ["commit", "undo"])
@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_refused_at_any_moment_it_is_all_old_or_all_new_and_can_be_tried_again(
    bench: Bench, what: str, where: str
) -> None:
    with elsewhere() as folder:
        bench.state = folder if where == "elsewhere" else bench.state
        scene = Scene(bench, what)
        for at in _some(scene.moments()):
            with pytest.MonkeyPatch.context() as patch:
                Moments(patch, at, _refuse)
                with contextlib.suppress(TransactionError, OSError):
                    scene.act()
            assert recover(str(bench.state)).left == ()
            scene.check()
            if scene.what == "commit" and not kept(str(bench.state)):
                scene.act()
                scene.check()
            scene.reset()


@pytest.mark.parametrize("noted", [False, True], ids=["not written", "written"])
@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_an_undo_whose_end_cannot_be_noted_is_undone_or_was_never_begun(bench: Bench, where: str, noted: bool) -> None:
    add = journal.Journal.add

    def refused(self: journal.Journal, record: journal.Record) -> None:
        if noted or not isinstance(record, journal.Undone):
            add(self, record)
        if isinstance(record, journal.Undone):
            _refuse()

    with elsewhere() as folder, pytest.MonkeyPatch.context() as patch:
        bench.state = folder if where == "elsewhere" else bench.state
        scene = Scene(bench, "undo")
        patch.setattr(journal.Journal, "add", refused)
        with contextlib.suppress(TransactionError):
            scene.act()
        scene.check()
        assert recover(str(bench.state)).left == ()
        scene.check()
        assert [one.id for one in kept(str(bench.state))] == ([] if noted else ["c000"])
