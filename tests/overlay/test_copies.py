"""Copies of the workspace, where there is no overlay: taken before, compared, kept or put back."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from limpet.errors import TransactionError
from limpet.overlay import copies
from limpet.overlay.commit import Wish
from limpet.overlay.copies import Scope
from limpet.overlay.diff import diff
from limpet.overlay.recover import recover
from overlay.conftest import Bench, elsewhere, short
from overlay.layered import facts

if TYPE_CHECKING:
    from pathlib import Path

    from limpet.overlay.place import Place

SCRIPT = """
echo more >> file; rm gone; rm -r folder; mkdir -p new/deep; echo x > new/deep/x; mv moved there; chmod 700 kept
echo y > kept/y; rm link; ln -s kept link; rm changed; mkdir changed; echo z > changed/z; rm -r was; echo f > was
"""
WISH = Wish(name="c1", at=1.0, durable=False)


@pytest.fixture
def scene(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    made.write(file="one\n", gone="g", folder__a="a", folder__b="b", moved="m", kept__x="x", changed="c", was__a="a")
    os.symlink("file", made.workspace / "link")
    os.link(made.workspace / "file", made.workspace / "kept" / "hard")
    with open(made.workspace / "sparse", "wb") as file:
        file.truncate(8 << 20)
    return made


def run(bench: Bench, scope: Scope | None = None, script: str = SCRIPT) -> Place:
    place = bench.open(copies=True)
    copies.snapshot(place, scope or Scope())
    subprocess.run(["bash", "-c", script], cwd=bench.workspace, check=True)
    return place


def test_put_back_everything_is_as_it_was_and_told(scene: Bench) -> None:
    before = facts(scene.workspace)
    place = run(scene)
    undone = copies.roll_back(str(scene.state), place, WISH)
    now = facts(scene.workspace)
    assert {name for name in before if before[name] != now.get(name)} <= {"/file", "/kept/hard"}
    assert sorted(now) == sorted(before)
    assert (scene.workspace / "sparse").stat().st_blocks == 0
    assert undone.deleted == ("changed/z", "kept/y", "new", "new/deep", "new/deep/x", "there")
    assert "folder/a" in undone.restored
    assert copies.changes(place).changes == ()


def test_a_second_name_of_a_changed_file_is_restored_with_it(scene: Bench) -> None:
    place = run(scene, script="echo more >> file")
    assert short(copies.changes(place)) == ["modified file content times", "modified kept/hard content times"]
    copies.roll_back(str(scene.state), place, WISH)
    assert scene.text("file") == scene.text("kept/hard") == "one\n"
    assert os.path.samefile(scene.workspace / "file", scene.workspace / "kept/hard")


def test_the_changes_are_told_as_with_an_overlay(scene: Bench) -> None:
    place = run(
        scene, script="echo more >> file; rm gone; mv moved there; echo new > new; rm kept/hard; chmod 600 changed"
    )
    assert short(copies.changes(place)) == [
        "modified changed mode",
        "modified file content times",
        "deleted gone",
        "deleted kept/hard",
        "added new",
        "renamed moved -> there",
    ]
    assert "+++ b/file\n@@ -1 +1,2 @@\n one\n+more\n" in diff(place, copies.changes(place))


def test_kept_the_changes_can_be_undone_like_any_commit(scene: Bench) -> None:
    before = facts(scene.workspace, times=False)
    place = run(scene, script=SCRIPT.replace("echo more >> file;", ""))
    committed = copies.keep(str(scene.state), place, WISH)
    place.drop()
    assert committed.id == "c1"
    assert scene.text("there") == "m"
    scene.undo(committed)
    assert facts(scene.workspace, times=False) == before


@pytest.mark.parametrize("way", ["roll back", "keep and undo"])
def test_also_with_the_copies_on_another_filesystem(scene: Bench, way: str) -> None:
    before = facts(scene.workspace, times=False)
    with elsewhere() as folder:
        scene.state = folder
        place = run(scene, script=SCRIPT.replace("echo more >> file;", ""))
        if way == "roll back":
            copies.roll_back(str(scene.state), place, WISH)
        else:
            scene.undo(copies.keep(str(scene.state), place, WISH))
        assert facts(scene.workspace, times=False) == before


def test_only_what_is_in_the_scope_is_copied_and_put_back(scene: Bench) -> None:
    scene.write(node_modules__p__i="i", a__py="x")
    place = run(scene, Scope(never=("node_modules",)), "echo more >> gone; echo more >> node_modules/p/i")
    assert not os.path.exists(os.path.join(place.upper, "node_modules"))
    assert short(copies.changes(place)) == ["modified gone content times"]
    copies.roll_back(str(scene.state), place, WISH)
    assert (scene.text("gone"), scene.text("node_modules/p/i")) == ("g", "imore\n")


def test_with_patterns_only_files_that_match_are_put_back(scene: Bench) -> None:
    scene.write(src__a="a\n", src__b="b\n")
    place = run(scene, Scope(only=("a",)), "echo more >> src/a; echo more >> src/b; rm -r folder; echo n > new")
    copies.roll_back(str(scene.state), place, WISH)
    assert (scene.text("src/a"), scene.text("src/b"), scene.text("folder/a")) == ("a\n", "b\nmore\n", "a")
    assert (scene.text("folder/b"), scene.text("new")) == (None, "n\n")


def test_more_than_may_be_copied_is_refused_before_anything_is(scene: Bench) -> None:
    scene.write(large="x" * 5000)
    place = scene.open(copies=True)
    with pytest.raises(TransactionError, match=r"would have to be copied first, more than 1,000"):
        copies.snapshot(place, Scope(most_bytes=1000))
    assert os.listdir(place.upper) == []
    place.drop()


def test_a_rollback_that_was_interrupted_is_finished_by_recovery(scene: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    before = facts(scene.workspace, times=False)
    place = run(scene, script=SCRIPT.replace("echo more >> file;", ""))
    pid = os.fork()
    if pid == 0:
        try:
            monkeypatch.setattr(copies, "take", lambda *given: os._exit(0))  # killed once the journal is written
            copies.roll_back(str(scene.state), place, WISH)
        finally:
            os._exit(1)
    os.waitpid(pid, 0)
    assert facts(scene.workspace, times=False) != before
    assert recover(str(scene.state)).rolled_back == ("c1",)
    assert facts(scene.workspace, times=False) == before


def test_an_open_transaction_with_copies_is_not_dropped_when_its_owner_is_gone(scene: Bench) -> None:
    """The workspace is half changed, and perhaps somebody went on working in it: a person decides."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(writing, run(scene, script="echo more >> gone").about.name.encode())
        os._exit(0)
    os.waitpid(pid, 0)
    name = os.read(reading, 99).decode()
    os.close(reading)
    os.close(writing)
    found = recover(str(scene.state))
    assert (found.dropped, len(found.left), name in found.left[0]) == ((), 1, True)
    assert scene.text("gone") == "gmore\n"


def test_chosen_paths_are_refused(scene: Bench) -> None:
    place = run(scene)
    with pytest.raises(TransactionError, match="everything is committed or nothing"):
        copies.keep(str(scene.state), place, Wish(name="c", at=0.0, paths=("file",)))
