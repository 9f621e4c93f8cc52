"""What a crash leaves: found, put right or told; and commits that are forgotten in time."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limpet.errors import TransactionError
from limpet.kernel import files
from limpet.overlay import commit as committing
from limpet.overlay import place as places
from limpet.overlay import steps
from limpet.overlay.commit import Wish, commit
from limpet.overlay.kept import kept, prune
from limpet.overlay.recover import recover
from limpet.overlay.undo import undo
from overlay.layered import facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from overlay.conftest import Bench

DAY = 86_400.0


def _dies(action: Callable[[], object]) -> None:
    """Do it in a child, which ends as `kill -9` would end it where somebody has put that."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
        finally:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _after(count: int) -> Callable[..., None]:
    """The kernel's exchange, which ends the process after so many."""
    left = [count]

    def exchange(one: files.Entry, other: files.Entry) -> None:
        if not left[0]:
            _die()
        left[0] -= 1
        files.exchange(one, other)

    return exchange


def test_a_commit_that_ended_half_way_never_was(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(**{f"f{number}": "old" for number in range(6)})
    before = facts(bench.workspace)
    place = bench.run("for f in *; do echo new > $f; done; mkdir made")
    monkeypatch.setattr(steps, "_exchange", _after(3))
    _dies(lambda: bench.commit(place))
    monkeypatch.undo()
    assert facts(bench.workspace) != before
    found = recover(str(bench.state))
    assert (len(found.rolled_back), found.left) == (1, ())
    assert facts(bench.workspace) == before
    assert bench.changes(place)[-1] == "added made"  # the transaction is what it was, and can be committed
    bench.commit(place)
    assert bench.text("f5") == "new\n"


def test_what_somebody_changed_after_the_crash_is_left_to_them_and_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(a="old", b="old", c="old")
    place = bench.run("for f in *; do echo new > $f; done")
    monkeypatch.setattr(steps, "_exchange", _after(2))
    _dies(lambda: bench.commit(place))
    monkeypatch.undo()
    changed = [name for name in "abc" if bench.text(name) == "new\n"]
    bench.write(**{changed[0]: "theirs"})
    (told,) = recover(str(bench.state)).left
    assert (changed[0] in told, "not touched" in told) == (True, True)
    assert sorted(filter(None, (bench.text(name) for name in "abc"))) == ["old", "old", "theirs"]
    assert recover(str(bench.state)).left == ()
    slots = told.rpartition(" ")[2]
    assert [(Path(slots) / name).read_text() for name in os.listdir(slots)] == ["old"]


def test_a_transaction_whose_owner_is_gone_is_dropped(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    alive = bench.open()
    monkeypatch.setattr(places, "Place", _die)
    _dies(lambda: places.create(str(bench.state), "lost", str(bench.workspace)))
    monkeypatch.undo()
    assert recover(str(bench.state)).dropped == ("lost",)
    assert [place.about.name for place in places.everyone(str(bench.state))] == [alive.about.name]


def test_one_that_never_came_to_be_is_cleared_away(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "_next_tick", _die)
    _dies(bench.open)
    assert len(os.listdir(bench.state / "transactions")) == 1
    recover(str(bench.state))
    assert os.listdir(bench.state / "transactions") == []


def test_recovery_with_nothing_to_do_says_so(bench: Bench) -> None:
    assert recover(str(bench.state)) == recover(str(bench.state / "missing"))
    bench.done("echo x > file")
    found = recover(str(bench.state))
    assert (found.rolled_back, found.kept, found.dropped, found.left) == ((), (), (), ())
    assert bench.text("file") == "x\n"


def test_recovery_does_not_read_what_is_known_to_be_settled(bench: Bench) -> None:
    """It comes before every transaction, and would take longer with each that is kept."""
    committed = bench.done("echo x > file")
    folder = bench.state / "commits" / committed.id
    read = os.stat(folder / "journal").st_atime_ns
    os.utime(folder / "journal", ns=(0, 0))
    recover(str(bench.state))
    assert os.stat(folder / "journal").st_atime_ns == 0 < read
    (folder / "settled").unlink()
    assert recover(str(bench.state)).left == ()
    assert (folder / "settled").exists()


def test_a_journal_that_cannot_be_read_is_told_and_left(bench: Bench) -> None:
    committed = bench.done("echo x > file")
    (bench.state / "commits" / committed.id / "journal").write_bytes(b"garbage")
    (bench.state / "commits" / committed.id / "settled").unlink()
    (told,) = recover(str(bench.state)).left
    assert "cannot be read" in told
    with pytest.raises(TransactionError):
        bench.undo(committed)


def test_the_last_record_may_be_cut_off(bench: Bench) -> None:
    bench.write(file="old\n")
    committed = bench.done("echo new > file")
    journal = bench.state / "commits" / committed.id / "journal"
    journal.write_bytes(journal.read_bytes()[:-1])  # as if the power had gone before it was all there
    journal.with_name("settled").unlink()
    assert recover(str(bench.state)).rolled_back == (committed.id,)
    assert bench.text("file") == "old\n"


@pytest.mark.parametrize("moment", range(4))
def test_where_two_files_cannot_be_exchanged_at_once_they_are_in_turn(
    tmp_path: Path, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At whatever moment that ends, what is where can be told and put right."""
    (tmp_path / "here").write_text("old")
    (tmp_path / "0").write_text("new")
    folder = os.open(tmp_path, os.O_RDONLY)
    here, slot = (folder, b"here"), (folder, b"0")
    count = [moment]

    def move(one: files.Entry, other: files.Entry) -> None:
        if not count[0]:
            _die()
        count[0] -= 1
        os.rename(one[1], other[1], src_dir_fd=folder, dst_dir_fd=folder)

    with monkeypatch.context() as patched:
        patched.setattr(files, "move_to_free", move)
        if moment < 3:
            _dies(lambda: steps.exchange_in_turn(slot, here))
        else:
            steps.exchange_in_turn(slot, here)
    steps._finish_exchange(slot, here)
    os.close(folder)
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert texts in ({"here": "old", "0": "new"}, {"here": "new", "0": "old"})
    assert (texts["here"] == "new") is (moment >= 2)


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", ".hidden", "a\0b"])
def test_a_name_that_could_lead_elsewhere_is_refused(bench: Bench, name: str) -> None:
    place = bench.run("echo x > file")
    with pytest.raises(TransactionError, match="cannot be the name"):
        places.create(str(bench.state), name, str(bench.workspace))
    with pytest.raises(TransactionError, match="cannot be the name"):
        bench.commit(place, name=name)
    assert bench.names() == []


def test_a_name_is_used_once(bench: Bench) -> None:
    committed = bench.done("echo x > file")
    place = bench.run("echo y > other")
    with pytest.raises(TransactionError, match="already"):
        bench.commit(place, name=committed.id)
    with pytest.raises(TransactionError):
        places.create(str(bench.state), place.about.name, str(bench.workspace))
    bench.undo(committed)
    bench.commit(place)
    assert bench.names() == ["other"]


def test_what_is_in_use_is_not_dropped(bench: Bench) -> None:
    place = bench.run("echo x > file")
    with place.in_use(), pytest.raises(TransactionError, match="in use"):
        place.drop()
    place.drop()
    place.drop()
    with pytest.raises(TransactionError, match="is over"):
        bench.commit(place)


def test_commits_are_listed_the_latest_first(bench: Bench) -> None:
    for name in "abc":
        bench.done(f"echo {name} > {name}")
    assert [[change.path for change in one.changes] for one in kept(str(bench.state))] == [["c"], ["b"], ["a"]]
    assert kept(str(bench.state), "/elsewhere") == ()


def test_what_is_too_old_or_too_much_is_forgotten_and_stays_committed(bench: Bench) -> None:
    bench.write(**{name: name * 100 for name in "abcd"})
    made = []
    for number, name in enumerate("abcd"):
        place = bench.run(f"echo x > {name}")
        wish = Wish(name=f"c{number}", at=number * DAY, durable=False)
        made.append(commit(str(bench.state), place, wish))
        place.drop()
    assert [one.kept_bytes for one in made] == [100] * 4
    assert prune(str(bench.state), keep_days=2.5, keep_bytes=10**6, now=3 * DAY) == ("c0",)
    assert prune(str(bench.state), keep_days=99, keep_bytes=200, now=3 * DAY) == ("c1",)
    assert [one.id for one in kept(str(bench.state))] == ["c3", "c2"]
    assert bench.text("a") == "x\n"
    with pytest.raises(TransactionError, match="too old"):
        undo(str(bench.state), "c0")


def test_a_path_changed_in_the_very_moment_of_the_commit_is_not_overwritten(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(a="old", b="old", c="old")
    place = bench.run("for f in *; do echo new > $f; done")

    def meddle(*given: object) -> None:
        bench.write(b="theirs, in between")
        steps.take(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(committing, "take", meddle)
    with pytest.raises(TransactionError, match="at this very moment"):
        bench.commit(place)
    assert [bench.text(name) for name in "abc"] == ["old", "theirs, in between", "old"]
    assert kept(str(bench.state)) == ()
    monkeypatch.undo()
    with pytest.raises(TransactionError, match="meanwhile: b was changed"):
        bench.commit(place)
    bench.commit(place, overwrite=True)
    assert [bench.text(name) for name in "abc"] == ["new\n"] * 3
