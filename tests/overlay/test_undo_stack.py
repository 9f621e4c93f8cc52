"""Commits taken back: the last one, one in the middle, and not where others build on it."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from limpet.errors import ConflictError, TransactionError
from overlay.layered import facts

if TYPE_CHECKING:
    from overlay.conftest import Bench


def test_one_in_the_middle_is_taken_back_when_the_others_do_not_build_on_it(bench: Bench) -> None:
    bench.write(shared="base\n")
    commits = [bench.done(f"echo {number} > f{number}; mkdir d{number}; echo x > d{number}/x") for number in range(12)]
    undone = bench.undo(commits[6])
    assert (undone.id, undone.restored, undone.deleted) == (commits[6].id, (), ("d6", "d6/x", "f6"))
    expected = sorted(f"{kind}{number}" for number in range(12) if number != 6 for kind in "df")
    assert [name for name in bench.names() if "/" not in name] == sorted([*expected, "shared"])


def test_one_that_a_later_one_builds_on_is_not_and_that_one_is_named(bench: Bench) -> None:
    bench.write(file="base\n")
    first = bench.done("echo one >> file; mkdir folder; echo x > folder/x")
    second = bench.done("echo two >> file; echo y > folder/y")
    before = facts(bench.workspace)
    with pytest.raises(ConflictError) as caught:
        bench.undo(first)
    assert [(one.path, one.clash, one.by) for one in caught.value.conflicts] == [
        ("file", "changed", second.id), ("folder/y", "appeared", second.id),
    ]  # fmt: skip
    assert facts(bench.workspace) == before
    bench.undo(second)
    bench.undo(first)
    assert (bench.text("file"), bench.names()) == ("base\n", ["file"])


def test_what_a_person_changed_since_is_not_taken_from_them(bench: Bench) -> None:
    bench.write(file="base\n", gone="g\n", folder__x="x")
    committed = bench.done("echo one >> file; rm gone; rm -r folder; mkdir new; echo n > new/n")
    bench.write(file="theirs\n", gone="theirs\n", new__more="theirs\n")
    os.unlink(bench.workspace / "new/n")
    before = facts(bench.workspace)
    with pytest.raises(ConflictError) as caught:
        bench.undo(committed)
    assert [f"{one.path} {one.clash} {one.by}" for one in caught.value.conflicts] == [
        "file changed ", "gone appeared ", "new/more appeared ", "new/n removed ",
    ]  # fmt: skip
    assert facts(bench.workspace) == before
    undone = bench.undo(committed, overwrite=True)
    assert len(undone.overwritten) == 4
    assert (bench.text("file"), bench.text("gone"), bench.names()) == (
        "base\n", "g\n", ["file", "folder", "folder/x", "gone"],
    )  # fmt: skip


def test_the_same_bytes_written_again_are_no_change(bench: Bench) -> None:
    bench.write(file="base\n")
    committed = bench.done("echo one >> file")
    text = (bench.workspace / "file").read_bytes()
    os.unlink(bench.workspace / "file")
    (bench.workspace / "file").write_bytes(text)
    bench.undo(committed)
    assert bench.text("file") == "base\n"


def test_a_folder_around_it_that_is_gone_is_told(bench: Bench) -> None:
    bench.write(folder__x="x", folder__y="y")
    committed = bench.done("rm folder/x")
    shutil.rmtree(bench.workspace / "folder")
    with pytest.raises(ConflictError) as caught:
        bench.undo(committed)
    assert [f"{one.path} {one.clash}" for one in caught.value.conflicts] == ["folder removed"]


@pytest.mark.parametrize("again", [False, True])
def test_what_is_not_there_to_be_undone_is_told(bench: Bench, *, again: bool) -> None:
    committed = bench.done("echo one > file")
    if again:
        bench.undo(committed)
        with pytest.raises(TransactionError, match="no commit"):
            bench.undo(committed)
    else:
        from limpet.overlay.undo import undo  # noqa: PLC0415 - by a name of its own

        with pytest.raises(TransactionError, match="no commit 'c999'"):
            undo(str(bench.state), "c999")


def test_nothing_is_kept_of_what_was_undone(bench: Bench) -> None:
    committed = bench.done("echo one > file")
    assert os.listdir(bench.state / "commits" / committed.id) != []
    bench.undo(committed)
    assert [name for name in os.listdir(bench.state / "commits") if not name.startswith(".lock")] == []


def test_modes_of_folders_come_back_unless_somebody_set_them_since(bench: Bench) -> None:
    bench.write(one__x="x", two__x="x")
    committed = bench.done("chmod 700 one two")
    (bench.workspace / "two").chmod(0o711)
    with pytest.raises(ConflictError) as caught:
        bench.undo(committed)
    assert [one.path for one in caught.value.conflicts] == ["two"]
    (bench.workspace / "two").chmod(0o700)
    bench.undo(committed)
    assert [oct((bench.workspace / name).stat().st_mode & 0o777) for name in ("one", "two")] == ["0o755", "0o755"]


def test_in_a_workspace_that_was_moved_nothing_is_undone_until_it_is_back(bench: Bench) -> None:
    bench.write(a="old\n")
    done = bench.done("echo new > a; echo > made")
    moved = bench.workspace.with_name("moved")
    bench.workspace.rename(moved)
    with pytest.raises(TransactionError, match="has to be moved back first"):
        bench.undo(done)
    bench.workspace.mkdir()
    bench.write(a="another\n")
    with pytest.raises(ConflictError, match="a was changed, made was removed"):
        bench.undo(done)
    (bench.workspace / "a").unlink()
    bench.workspace.rmdir()
    moved.rename(bench.workspace)
    bench.undo(done)
    assert (bench.text("a"), bench.names()) == ("old\n", ["a"])
