"""Somebody else changes the workspace while a transaction is open: nothing of theirs is lost."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import msgspec
import pytest

from limpet.errors import ConflictError, TransactionError
from limpet.overlay.changes import changes
from overlay.layered import bash, facts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from overlay.conftest import Bench

MINE = "echo mine >> file; echo mine > new; rm gone; rm -r folder; chmod 700 kept; echo mine > kept/mine; rm -r made; mkdir made; echo m > made/m"  # noqa: E501 - one of each


def _scene(bench: Bench) -> None:
    bench.write(
        file="base\n", gone="base\n", folder__a="a", folder__deep__b="b", kept__x="x", made__old="o", other="other\n"
    )


def _replace(path: Path) -> None:
    beside = path.with_name("beside")
    beside.write_text("theirs\n")
    beside.rename(path)


def _file_for_folder(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("theirs")


def _folder_for_file(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("theirs", "where"),
    [
        (lambda folder: (folder / "file").write_text("theirs\n"), "file changed"),
        (lambda folder: _replace(folder / "file"), "file changed"),
        (lambda folder: (folder / "file").chmod(0o600), "file changed"),
        (lambda folder: (folder / "new").write_text("theirs\n"), "new changed"),
        (lambda folder: (folder / "new").mkdir(), "new changed"),
        (lambda folder: (folder / "gone").write_text("theirs\n"), "gone changed"),
        (lambda folder: (folder / "folder/deep/b").write_text("theirs"), "folder/deep/b changed"),
        (lambda folder: (folder / "folder/deep/new").write_text("theirs"), "folder/deep/new changed"),
        (lambda folder: (folder / "folder").chmod(0o700), "folder changed"),
        (lambda folder: (folder / "kept").chmod(0o711), "kept changed"),
        (lambda folder: (folder / "made/old").write_text("theirs"), "made/old changed"),
        (lambda folder: (folder / "made/m").write_text("theirs"), "made/m changed"),
        (lambda folder: (folder / "made/extra").write_text("theirs"), "made/extra changed"),
        (lambda folder: shutil.rmtree(folder / "kept"), "kept removed"),
        (lambda folder: os.unlink(folder / "file"), "file removed"),
        (lambda folder: _file_for_folder(folder / "kept"), "kept changed"),
        (lambda folder: _folder_for_file(folder / "file"), "file changed"),
    ],
)
def test_a_change_on_the_same_path_is_a_conflict_and_nothing_is_touched(
    bench: Bench, theirs: Callable[[Path], object], where: str
) -> None:
    _scene(bench)
    place = bench.run(MINE)
    theirs(bench.workspace)
    before = facts(bench.workspace)
    with pytest.raises(ConflictError) as caught:
        bench.commit(place)
    assert [f"{one.path} {one.clash}" for one in caught.value.conflicts] == [where]
    assert facts(bench.workspace) == before
    assert where.split(maxsplit=1)[0] in str(caught.value)


@pytest.mark.parametrize(
    ("theirs", "name"),
    [
        (lambda folder: (folder / "other").write_text("theirs\n"), "other"),
        (lambda folder: (folder / "kept/x").write_text("theirs\n"), "kept/x"),
        (lambda folder: (folder / "kept/new").write_text("theirs\n"), "kept/new"),
        (lambda folder: (folder / "fresh").write_text("theirs\n"), "fresh"),
    ],
)
def test_a_change_on_another_path_is_kept(bench: Bench, theirs: Callable[[Path], object], name: str) -> None:
    _scene(bench)
    place = bench.run(MINE.replace("chmod 700 kept;", ""))
    theirs(bench.workspace)
    committed = bench.commit(place)
    assert (bench.text(name), bench.text("file")) == ("theirs\n", "base\nmine\n")
    bench.undo(committed)
    assert (bench.text(name), bench.text("file")) == ("theirs\n", "base\n")


def test_what_somebody_else_deleted_as_well_is_no_conflict(bench: Bench) -> None:
    _scene(bench)
    place = bench.run("rm gone; rm -r folder")
    os.unlink(bench.workspace / "gone")
    os.unlink(bench.workspace / "folder/a")
    bench.commit(place)
    assert (bench.text("gone"), (bench.workspace / "folder").exists()) == (None, False)


def test_the_same_change_by_both_is_no_conflict(bench: Bench) -> None:
    bench.write(file="base\n")
    place = bench.run("echo same > file; touch -d 2001-01-01 file")
    bench.write(file="same\n")
    os.utime(bench.workspace / "file", ns=(978307200 * 10**9,) * 2)
    assert bench.commit(place).id == ""


def test_a_conflict_has_both_sides(bench: Bench) -> None:
    bench.write(file="base")
    place = bench.run("printf longer > file")
    bench.write(file="t")
    with pytest.raises(ConflictError) as caught:
        bench.commit(place)
    (conflict,) = caught.value.conflicts
    assert conflict.ours is not None
    assert conflict.theirs is not None
    assert (conflict.ours.size, conflict.theirs.size) == (6, 1)


@pytest.mark.parametrize("overwrite", [True, ("file",)])
def test_told_to_overwrite_it_does_and_undo_brings_theirs_back(bench: Bench, overwrite: object) -> None:
    bench.write(file="base\n")
    place = bench.run("echo mine > file")
    bench.write(file="theirs\n")
    committed = bench.commit(place, overwrite=overwrite)
    assert (bench.text("file"), [one.path for one in committed.overwritten]) == ("mine\n", ["file"])
    bench.undo(committed)
    assert bench.text("file") == "theirs\n"


def test_told_to_overwrite_one_path_it_still_refuses_for_another(bench: Bench) -> None:
    bench.write(file="base\n", more="base\n")
    place = bench.run("echo mine | tee file more")
    bench.write(file="theirs\n", more="theirs\n")
    with pytest.raises(ConflictError) as caught:
        bench.commit(place, overwrite=("file",))
    assert [one.path for one in caught.value.conflicts] == ["more"]
    assert (bench.text("file"), bench.text("more")) == ("theirs\n", "theirs\n")


def test_a_folder_that_became_a_link_to_elsewhere_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    bench.write(folder__file="base\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("safe\n")
    place = bench.run("echo mine > folder/file; echo mine > folder/new")
    shutil.rmtree(bench.workspace / "folder")
    os.symlink(outside, bench.workspace / "folder")
    with pytest.raises(ConflictError):
        bench.commit(place)
    bench.commit(place, overwrite=True)
    assert sorted(path.name for path in outside.iterdir()) == ["file"]
    assert ((outside / "file").read_text(), bench.text("folder/new")) == ("safe\n", "mine\n")


def test_of_two_transactions_the_second_sees_the_first_one_as_somebody_else(bench: Bench) -> None:
    bench.write(file="base\n", other="base\n")
    first, second = bench.run("echo first > file"), bench.run("echo second | tee file other")
    bench.commit(first)
    with pytest.raises(ConflictError) as caught:
        bench.commit(second)
    assert [one.path for one in caught.value.conflicts] == ["file"]
    bench.commit(second, paths=("other",))
    assert (bench.text("file"), bench.text("other")) == ("first\n", "second\n")


def test_a_file_changed_just_before_the_transaction_is_no_conflict(bench: Bench) -> None:
    for number in range(8):
        bench.write(file=f"{number}\n")
        place = bench.run("echo mine >> file")
        bench.commit(place)
        place.drop()
        assert bench.text("file") == f"{number}\nmine\n"


def test_a_file_changed_just_after_it_was_opened_is_one(bench: Bench) -> None:
    for number in range(8):
        place = bench.open()
        bench.write(file=f"{number}\n")
        assert bash(place, "echo mine > file") == 0
        with pytest.raises(ConflictError):
            bench.commit(place)
        place.drop()


def test_what_changed_before_the_first_command_is_no_conflict(bench: Bench) -> None:
    bench.write(file="base\n")
    place = bench.open()
    bench.write(file="theirs\n")
    place.begin()
    assert bash(place, "echo mine >> file") == 0
    bench.write(other="theirs\n")
    place.begin()
    assert bash(place, "echo mine >> other") == 0
    with pytest.raises(ConflictError) as caught:
        bench.commit(place)
    assert [one.path for one in caught.value.conflicts] == ["other"]
    bench.commit(place, paths=("file",))
    assert bench.text("file") == "theirs\nmine\n"


def test_another_folder_in_the_place_of_the_workspace_is_refused(bench: Bench) -> None:
    bench.write(file="base\n")
    place = bench.run("echo mine > file")
    bench.workspace.rename(bench.workspace.with_name("before"))
    bench.workspace.mkdir()
    with pytest.raises(TransactionError, match="another folder"):
        bench.commit(place)
    assert bench.names() == []


def test_nothing_is_committed_while_a_command_runs(bench: Bench) -> None:
    place = bench.run("echo mine > file")
    with place.in_use(), place.in_use(), pytest.raises(TransactionError, match="in use"):
        bench.commit(place)
    assert bench.names() == []
    assert changes(place).summary == "1 added"
    bench.commit(place)
    assert bench.names() == ["file"]


def test_where_the_clock_was_set_back_meanwhile_a_change_is_a_conflict_rather_than_lost(bench: Bench) -> None:
    bench.write(file="base")
    place = bench.run("echo mine > file")
    hour = 3600 * 10**9  # the file was changed within it, as far as can be told
    place.about = msgspec.structs.replace(place.about, ahead_ns=place.about.ahead_ns + hour)
    with pytest.raises(ConflictError):
        bench.commit(place)
    assert bench.text("file") == "base"
