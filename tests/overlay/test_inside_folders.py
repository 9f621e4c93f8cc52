"""What somebody puts into a folder, or changes in it, while that is committed, undone or recovered: never lost."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from limpet.errors import ConflictError
from limpet.overlay import commit as committing
from limpet.overlay import steps
from limpet.overlay import undo as undoing
from limpet.overlay.kept import kept
from limpet.overlay.recover import recover
from overlay.layered import facts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from overlay.conftest import Bench


def _add(folder: Path) -> None:
    (folder / "deep/theirs").write_text("theirs")


def _edit(folder: Path) -> None:
    (folder / "deep/one").write_text("theirs, and longer")


def _replace(folder: Path) -> None:
    (folder / "deep/other").write_text("one")
    (folder / "deep/other").rename(folder / "deep/one")


def _remove(folder: Path) -> None:
    (folder / "deep/one").unlink()


MEDDLING = pytest.mark.parametrize("meddle", [_add, _edit, _replace, _remove])


def _meanwhile(monkeypatch: pytest.MonkeyPatch, module: object, action: Callable[[], object]) -> None:
    """Just before the first step is taken: everything was looked at by then."""

    def take(*given: object) -> None:
        action()
        steps.take(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "take", take)


@MEDDLING
@pytest.mark.parametrize("script", ["rm -r old", "rm -r old; echo > old", "rm -r old; mkdir old; echo > old/new"])
def test_a_folder_that_somebody_changes_while_it_is_replaced_is_a_conflict(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, meddle: Callable[[Path], None], script: str
) -> None:
    bench.write(old__deep__one="one", other="other")
    place = bench.run(f"{script}; echo more >> other")
    _meanwhile(monkeypatch, committing, lambda: meddle(bench.workspace / "old"))
    with pytest.raises(ConflictError, match="at this very moment"):
        bench.commit(place)
    after = {name: bench.text(f"old/deep/{name}") for name in ("one", "theirs")}
    meddle_alone = bench.workspace / "alone"
    (meddle_alone / "deep").mkdir(parents=True)
    (meddle_alone / "deep/one").write_text("one")
    meddle(meddle_alone)
    assert after == {name: bench.text(f"alone/deep/{name}") for name in ("one", "theirs")}
    assert (bench.text("other"), kept(str(bench.state))) == ("other", ())
    monkeypatch.undo()
    if meddle is not _remove:  # what both have removed is no conflict
        with pytest.raises(ConflictError, match="meanwhile"):
            bench.commit(place)
    bench.commit(place, overwrite=True)
    assert (bench.text("other"), (bench.workspace / "old/deep").exists()) == ("othermore\n", False)


@MEDDLING
def test_a_folder_that_somebody_changes_while_it_is_undone_is_a_conflict(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, meddle: Callable[[Path], None]
) -> None:
    bench.write(other="other")
    made = bench.done("mkdir -p made/deep; echo one > made/deep/one; echo more >> other")
    _meanwhile(monkeypatch, undoing, lambda: meddle(bench.workspace / "made"))
    with pytest.raises(ConflictError, match="at this very moment"):
        bench.undo(made)
    monkeypatch.undo()
    left = facts(bench.workspace)
    assert (bench.text("other"), "/made/deep" in left) == ("othermore\n", True)
    assert recover(str(bench.state)).left == ()
    assert facts(bench.workspace) == left
    with pytest.raises(ConflictError, match="changed since"):
        bench.undo(made)


def _half(bench: Bench, monkeypatch: pytest.MonkeyPatch, module: object, action: Callable[[], object]) -> None:
    """Do it in a child that is killed when all steps were taken, but before that is written down."""

    def take(*given: object) -> None:
        steps.take(*given)  # type: ignore[arg-type]
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(module, "take", take)
    pid = os.fork()
    if pid == 0:
        try:
            action()
        finally:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL
    monkeypatch.undo()


@pytest.mark.parametrize("meddle", [_add, _edit, _replace])
def test_what_somebody_put_into_a_new_folder_after_a_crash_is_left_to_them_and_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, meddle: Callable[[Path], None]
) -> None:
    bench.write(other="other")
    place = bench.run("mkdir -p made/deep; echo one > made/deep/one; echo more >> other")
    _half(bench, monkeypatch, committing, lambda: bench.commit(place))
    meddle(bench.workspace / "made")
    there = facts(bench.workspace / "made")
    (told,) = recover(str(bench.state)).left
    assert ("made" in told, "not touched" in told) == (True, True)
    assert (facts(bench.workspace / "made"), bench.text("other")) == (there, "other")


def test_the_same_of_a_folder_that_an_undo_was_bringing_back(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(old__deep__one="one", other="other")
    gone = bench.done("rm -r old; echo more >> other")
    _half(bench, monkeypatch, undoing, lambda: bench.undo(gone))
    _add(bench.workspace / "old")
    (told,) = recover(str(bench.state)).left
    assert ("old" in told, bench.text("old/deep/theirs")) == (True, "theirs")
