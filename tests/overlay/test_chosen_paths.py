"""Only some of the changes are committed; the transaction goes on with the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limpet.errors import TransactionError
from overlay.layered import bash, facts

if TYPE_CHECKING:
    from overlay.conftest import Bench

ALL = "echo new >> file; rm gone; mv moved there; mkdir -p made/deep; echo a > made/a; echo b > made/deep/b; rm -r folder; rm -r again; mkdir again; echo n > again/x; echo y > again/y"  # noqa: E501 - one of each


def _scene(bench: Bench) -> None:
    bench.write(file="old\n", gone="g", moved="m", folder__a="a", folder__b="b", again__x="x", again__z="z")


@pytest.mark.parametrize(
    ("paths", "left"),
    [
        (("file", "gone"), 11), (("made",), 9), (("made/deep/b", "file"), 9), (("folder/a",), 12), (("folder",), 10),
        (("again/x",), 12), (("again/z",), 12), (("moved",), 12), ((".",), 0), (("./made//deep/",), 10),
    ],
)  # fmt: skip
def test_what_was_chosen_is_committed_and_the_rest_stays_in_the_transaction(
    bench: Bench, paths: tuple[str, ...], left: int
) -> None:
    _scene(bench)
    start = facts(bench.workspace, times=False)
    place = bench.run(ALL)
    assert len(bench.changes(place)) == 13
    first = bench.commit(place, paths=paths)
    assert len(bench.changes(place)) == left, bench.changes(place)
    assert bash(place, "[ $(tail -n 1 file) = new ] && [ ! -e gone ] && [ $(cat made/deep/b) = b ] && [ ! -e folder ] && [ $(cat again/x) = n ] && [ ! -e again/z ] && [ -e there ]") == 0  # noqa: E501 - looks the same from inside  # fmt: skip
    second = bench.commit(place)
    assert bench.changes(place) == []
    assert bench.names() == [
        "again",
        "again/x",
        "again/y",
        "file",
        "made",
        "made/a",
        "made/deep",
        "made/deep/b",
        "there",
    ]
    if second.id:
        bench.undo(second)
    bench.undo(first)
    assert facts(bench.workspace, times=False) == start


def test_a_file_changed_again_after_it_was_committed_is_no_conflict_with_oneself(bench: Bench) -> None:
    bench.write(file="old\n", folder__x="x")
    place = bench.run("echo one > file; echo one > folder/new; chmod 700 folder")
    bench.commit(place)
    assert bash(place, "echo two >> file; echo two >> folder/new; rm folder/x; chmod 755 folder") == 0
    bench.commit(place)
    assert (bench.text("file"), bench.text("folder/new"), bench.text("folder/x")) == ("one\ntwo\n", "one\ntwo\n", None)


@pytest.mark.parametrize("path", ["missing", "folder/missing", "/etc/passwd", "../outside"])
def test_a_path_at_which_nothing_changed_is_refused(bench: Bench, path: str) -> None:
    _scene(bench)
    place = bench.run("echo new > file")
    before = facts(bench.workspace)
    with pytest.raises(TransactionError, match="nothing has changed at"):
        bench.commit(place, paths=(path,))
    assert facts(bench.workspace) == before


def test_what_is_committed_is_an_own_file_that_the_transaction_no_longer_touches(bench: Bench) -> None:
    bench.write(file="old\n")
    place = bench.run("echo one > file; mkdir new; echo a > new/a; echo b > new/b")
    bench.commit(place, paths=("file", "new/a"))
    assert bash(place, "echo two > file; echo two > new/a") == 0
    assert (bench.text("file"), bench.text("new/a"), bench.text("new/b")) == ("one\n", "a\n", None)
