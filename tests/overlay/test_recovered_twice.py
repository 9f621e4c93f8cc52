"""Several recoveries at once, and while others are at work in the same workspace: one does it, nobody is disturbed."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from limpet.overlay import commit as committing
from limpet.overlay import place as places
from limpet.overlay import steps
from limpet.overlay.recover import recover
from overlay.layered import bash, facts

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from overlay.conftest import Bench

AT_ONCE = 4


def _child(action: Callable[[], object]) -> int:
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = 0 if action() else 2
        finally:
            os._exit(status)
    return pid


def _half_done(bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str, script: str) -> None:
    """A commit of a process that was killed when everything was in place but nobody had said so."""

    def die(*given: object) -> None:
        steps.take(*given)  # type: ignore[arg-type]
        os.kill(os.getpid(), signal.SIGKILL)

    def whole() -> None:
        place = places.create(str(bench.state), f"of-{name}", str(bench.workspace))
        assert bash(place, script) == 0
        bench.commit(place, name=name)

    monkeypatch.setattr(committing, "take", die)
    assert os.waitpid(_child(whole), 0)[1] == signal.SIGKILL
    monkeypatch.undo()


def _recovered_well(state: str) -> bool:
    return all(recover(state).left == () for _ in range(3))


def test_several_at_once_put_it_right_and_none_complains(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(**{f"f{number}": "old" for number in range(30)}, d__x="x")
    before = facts(bench.workspace)
    for number in range(3):
        _half_done(
            bench, monkeypatch, f"c{number}", "for f in f*; do echo new > $f; done; rm -r d; mkdir n; echo > n/x"
        )
        pids = [_child(lambda: _recovered_well(str(bench.state))) for _ in range(AT_ONCE)]
        assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * AT_ONCE
        assert facts(bench.workspace) == before
        assert [name for name in os.listdir(bench.state / "commits") if not name.startswith(".lock")] == []
        assert os.listdir(bench.state / "transactions") == []


def test_a_transaction_that_is_open_in_the_same_workspace_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(a="old", b="old")
    place = bench.run("echo mine > b; echo mine > made")
    _half_done(bench, monkeypatch, "c", "echo new > a")
    assert bench.text("a") == "new\n"
    found = recover(str(bench.state))
    assert (found.rolled_back, found.dropped, found.left) == (("c",), ("of-c",), ())
    bench.commit(place)
    assert [bench.text(name) for name in ("a", "b", "made")] == ["old", "mine\n", "mine\n"]


def test_a_transaction_whose_drop_was_cut_short_leaves_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    place = bench.run("mkdir -p a/b; echo > a/b/c")

    def begin(folder: str) -> None:
        os.unlink(os.path.join(folder, "about"))
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(places, "remove_tree", begin)
    assert os.waitpid(_child(place.drop), 0)[1] == signal.SIGKILL
    monkeypatch.undo()
    recover(str(bench.state))
    assert os.listdir(bench.state / "transactions") == []
