"""What a transaction changed, told by kind, and what is not a change."""

from __future__ import annotations

import hashlib
import os
import sys
from typing import TYPE_CHECKING

import pytest

from limpet.model.change import Aspect, Kind, Sort
from limpet.overlay.changes import changes
from limpet.overlay.digest import Digests
from overlay.layered import facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from overlay.conftest import Bench


def test_each_kind_of_change_is_told(bench: Bench) -> None:
    bench.write(edited="one\n", gone="two\n", moved="three\n", same="four\n", mode="five\n", folder__inner="six\n")
    os.symlink("edited", bench.workspace / "link")
    before = facts(bench.workspace)
    place = bench.run(
        "echo more >> edited; rm gone; mv moved elsewhere; chmod 600 mode; ln -sfn same link; mkdir -p new/deep; "
        "echo x > new/deep/file; rm -r folder; mkfifo pipe; touch -d 2001-01-01 same"
    )
    assert bench.changes(place) == [
        "modified edited content times",
        "renamed moved -> elsewhere",
        "deleted folder",
        "deleted folder/inner",
        "deleted gone",
        "modified link target times",
        "modified mode mode",
        "added new",
        "added new/deep",
        "added new/deep/file",
        "added pipe",
        "modified same times",
    ]
    assert facts(bench.workspace) == before


def test_a_change_has_both_sides_with_size_mode_and_digest(bench: Bench) -> None:
    bench.write(file="old\n")
    place = bench.run("umask 022; printf 'newer\\n' > file; chmod 640 file")
    (change,) = changes(place).changes
    assert (change.kind, change.aspects) == (Kind.MODIFIED, (Aspect.CONTENT, Aspect.MODE, Aspect.TIMES))
    assert change.before is not None
    assert change.after is not None
    sides = [(side.sort, side.size, oct(side.mode), side.digest) for side in (change.before, change.after)]
    assert sides == [
        (Sort.FILE, 4, "0o644", hashlib.sha256(b"old\n").hexdigest()),
        (Sort.FILE, 6, "0o640", hashlib.sha256(b"newer\n").hexdigest()),
    ]


def test_a_file_that_was_only_opened_for_writing_is_no_change(bench: Bench) -> None:
    bench.write(file="text", other="text")
    place = bench.run(": >> file; exec 3<>other")
    assert sorted(os.listdir(place.upper)) == ["file", "other"]  # the kernel made copies
    assert bench.changes(place) == []
    assert bench.commit(place).id == ""


def test_a_folder_deleted_and_made_again_shows_what_differs_in_it(bench: Bench) -> None:
    bench.write(build__a="a", build__b="b", build__sub__c="c")
    place = bench.run(
        "touch -r build/b ../keep 2>/dev/null; rm -r build; mkdir build; echo B > build/b; echo d > build/d"
    )
    assert bench.changes(place) == [
        "deleted build/a",
        "modified build/b content times",
        "added build/d",
        "deleted build/sub",
        "deleted build/sub/c",
    ]


def test_something_else_in_the_place_of_a_folder_or_file(bench: Bench) -> None:
    bench.write(file="text", folder__inner="text")
    place = bench.run("rm file; mkdir file; echo x > file/x; rm -r folder; ln -s /etc/passwd folder")
    assert bench.changes(place) == [
        "modified file sort", "added file/x", "modified folder sort", "deleted folder/inner",
    ]  # fmt: skip


@pytest.mark.parametrize("name", [b"\xff\xfe", "naïve".encode(), b"two\nlines", b"-rf", b"with space", b"$(x)"])
def test_any_name_is_told_as_it_is(bench: Bench, name: bytes) -> None:
    (bench.workspace / os.fsdecode(name)).write_text("x")
    place = bench.run('for f in ./*; do echo more >> "$f"; done')
    assert [change.path for change in changes(place).changes] == [os.fsdecode(name)]


def test_extended_attributes_are_a_change(bench: Bench) -> None:
    bench.write(file="text")
    try:
        os.setxattr(bench.workspace / "file", "user.old", b"1")
    except OSError:
        pytest.skip("no extended attributes here")
    place = bench.run('python3 -c \'import os; os.setxattr("file", "user.new", b"2")\'')
    (change,) = changes(place).changes
    assert change.aspects == (Aspect.XATTRS,)
    assert change.after is not None
    assert change.after.xattrs == (("user.new", b"2"), ("user.old", b"1"))


def test_what_is_too_large_for_a_digest_is_compared_all_the_same(bench: Bench) -> None:
    bench.write(changed="x" * 100, same="x" * 100)
    place = bench.run("printf y | dd of=changed conv=notrunc bs=1 seek=50 status=none; exec 3<>same")
    found = changes(place, Digests(largest=10))
    assert [(change.path, change.after and change.after.digest) for change in found.changes] == [("changed", "")]
    assert found.notes == ("4 files are too large for a digest",)


def test_a_large_tree_that_is_gone_is_not_read(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limpet.overlay.digest.OF_DELETED", 100)
    bench.write(gone__a="a" * 90, gone__b="b" * 91, gone__c="c" * 92, kept="x")
    place = bench.run("mv gone/c there; rm -r gone")
    found = changes(place)
    assert [change.path for change in found.of(Kind.RENAMED)] == ["there"]
    digests = {change.path: bool(change.before and change.before.digest) for change in found.of(Kind.DELETED)}
    assert digests == {"gone": False, "gone/a": True, "gone/b": False}
    assert found.notes == ()


def test_other_names_of_a_changed_file_are_mentioned(bench: Bench) -> None:
    bench.write(one="text")
    os.link(bench.workspace / "one", bench.workspace / "two")
    place = bench.run("echo more >> one")
    (note,) = changes(place).notes
    assert ("one" in note, "hard links" in note) == (True, True)


def test_the_cost_is_that_of_the_changes_not_of_the_workspace(bench: Bench) -> None:
    """Counted in calls: in a workspace with 600 files more they are as many, but for a few of the interpreter's own."""
    script = "echo more >> d0/f0; rm d1/f1; echo new > d2/new; rm -r d3; mkdir d3; echo y > d3/y"
    counts = []
    for files in (70, 700):
        for folder in range(7):
            (bench.workspace / f"d{folder}").mkdir(exist_ok=True)
            for number in range(files // 7):
                if folder != 3 or number < 5:  # what is deleted is part of the change
                    (bench.workspace / f"d{folder}/f{number if folder != 1 else number + 1}").touch()
        place = bench.run(script)
        counts.append(_calls(lambda place=place: changes(place)))  # type: ignore[misc]
        assert len(changes(place).changes) == 9
        place.drop()
    assert abs(counts[0] - counts[1]) < 30


def _calls(action: Callable[[], object]) -> int:
    count = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "c_call"

    sys.setprofile(seen)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count
