"""Trees that are large, deep, sparse or closed: committed and undone like any other, at a cost one can bear."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from limpet.model.change import Aspect
from limpet.overlay.changes import changes
from limpet.overlay.diff import diff
from overlay.conftest import elsewhere
from overlay.layered import in_layer

if TYPE_CHECKING:
    from pathlib import Path

    from overlay.conftest import Bench

GIB = 1 << 30
NAME = "a name of many letters"


def _sparse(path: Path, size: int) -> None:
    with open(path, "wb") as file:
        file.truncate(size)
        file.seek(size // 2)
        file.write(b"data")


@pytest.mark.parametrize("where", ["same filesystem", "another"])
def test_a_huge_file_with_holes_keeps_them(bench: Bench, where: str) -> None:
    _sparse(bench.workspace / "old", 2 * GIB)
    with elsewhere() as folder:
        if where == "another":
            bench.state = folder
        place = bench.run("truncate -s 3G new; printf x | dd of=old conv=notrunc bs=1 seek=1M status=none")
        found = changes(place)
        assert [(change.path, change.aspects) for change in found.changes] == [
            ("new", ()), ("old", (Aspect.CONTENT, Aspect.TIMES)),
        ]  # fmt: skip
        assert "2,147,483,648 -> 2,147,483,648 bytes" in diff(place, found)
        committed = bench.commit(place)
        sizes = {name: (bench.workspace / name).stat() for name in ("new", "old")}
        assert {name: status.st_size for name, status in sizes.items()} == {"new": 3 * GIB, "old": 2 * GIB}
        assert all(status.st_blocks * 512 < 8 << 20 for status in sizes.values())  # the kernel copies a MiB at a time
        bench.undo(committed)
        place.drop()
    assert bench.names() == ["old"]
    assert (bench.workspace / "old").stat().st_blocks < 100


def test_a_tree_deeper_than_a_path_can_be_long(bench: Bench) -> None:
    def dig() -> None:
        for _ in range(300):
            os.mkdir(NAME)
            os.chdir(NAME)
        with open("bottom", "w") as file:
            file.write("deep")

    place = bench.open()
    assert in_layer(place, dig) == 0
    assert len(changes(place).changes) == 301
    committed = bench.commit(place)
    assert _bottom(bench.workspace) == "deep"
    bench.undo(committed)
    assert bench.names() == []
    place.drop()
    assert os.listdir(bench.state / "transactions") == []


def _bottom(folder: Path) -> str:
    here = os.getcwd()
    os.chdir(folder)
    try:
        for _ in range(300):
            os.chdir(NAME)
        with open("bottom") as file:
            return file.read()
    finally:
        os.chdir(here)


def test_many_new_files_in_one_folder_are_put_in_place_at_once(bench: Bench) -> None:
    """As an installer makes them: one step, whatever their number."""
    bench.write(package="{}")
    place = bench.run("mkdir -p node_modules/p{1..20}; for n in node_modules/p*; do touch $n/{1..20}; done")
    committed = bench.commit(place)
    assert len(committed.changes) == 421
    assert os.listdir(bench.state / "commits" / committed.id / "slots") == []  # nothing was replaced
    bench.undo(committed)
    assert bench.names() == ["package"]


def test_hard_links_made_in_a_transaction_are_links_afterwards(bench: Bench) -> None:
    bench.write(lower="x\n")
    with elsewhere() as folder:
        for state in (bench.state, folder):
            bench.state = state
            committed = bench.done("ln lower link; mkdir d; echo n > d/one; ln d/one d/two; ln d/one three")
            assert os.path.samefile(bench.workspace / "lower", bench.workspace / "link")
            assert len({os.stat(bench.workspace / name).st_ino for name in ("d/one", "d/two", "three")}) == 1
            bench.undo(committed)
            assert bench.names() == ["lower"]
            assert os.stat(bench.workspace / "lower").st_nlink == 1


def test_a_file_of_several_names_that_changes_is_one_of_its_own_and_the_others_stay(bench: Bench) -> None:
    bench.write(one="old\n")
    for name in ("two", "three"):
        os.link(bench.workspace / "one", bench.workspace / name)
    committed = bench.done("echo new > one; rm three")
    assert (bench.text("one"), bench.text("two"), bench.text("three")) == ("new\n", "old\n", None)
    bench.undo(committed)
    assert len({os.stat(bench.workspace / name).st_ino for name in ("one", "two", "three")}) == 1


def test_names_that_differ_only_in_case_are_two(bench: Bench) -> None:
    bench.write(Read="upper\n")
    bench.done("mv Read read; echo both > READ")
    assert (bench.names(), bench.text("read")) == (["READ", "read"], "upper\n")


def test_a_file_with_attributes_that_look_like_the_overlays_own(bench: Bench) -> None:
    bench.write(file="x")
    try:
        os.setxattr(bench.workspace / "file", "user.mine", b"1")
    except OSError:
        pytest.skip("no extended attributes here")
    bench.done("echo more >> file; mkdir -p d; mv file d; rm -r d; mkdir d; echo y > d/y")
    for path in (bench.workspace, bench.workspace / "d", bench.workspace / "d/y"):
        assert os.listxattr(path) == []
