"""Generated trees, generated operations -> the same whether done directly or in a transaction that is committed.

For a program of its own, as whoever runs it.
"""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from limpet.overlay import place as places
from limpet.overlay.changes import changes
from limpet.overlay.commit import Wish, commit
from limpet.overlay.remove import remove_tree
from limpet.overlay.undo import undo
from overlay.layered import Facts, directly, facts, in_layer
from overlay.operations import Doer, Operation, is_dated, operations

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TIME = 4  # where the time stands among the facts


def same(one: Facts, other: Facts) -> list[object]:
    """What differs. Times count where they were set; else both were changed just now."""
    found: list[object] = [(name, one.get(name), other.get(name)) for name in sorted(one.keys() ^ other.keys())]
    for name in sorted(one.keys() & other.keys()):
        first, second = list(one[name]), list(other[name])
        times = first.pop(TIME), second.pop(TIME)
        dated = [isinstance(time, int) and is_dated(time) for time in times]
        if first != second or (any(dated) and times[0] != times[1]):
            found.append((name, one[name], other[name]))
    return found


def check(folder: Path, state: Path, before: list[Operation], then: list[Operation], number: int) -> None:
    """One example."""
    # A file of several names from before is where an overlay differs: see `test_odd_trees.py`.
    before = [one for one in before if one[0] != "link"]
    names = ("direct", "layered")
    for name in names:
        (folder / name).mkdir()
        directly(folder / name, lambda: Doer().do(before))
        for path, _, _ in os.walk(folder / name):
            os.utime(path, (1, 1)) if os.access(path, os.X_OK) else None
    start = facts_of(folder / "layered")
    directly(folder / "direct", lambda: Doer().do(then))
    place = places.create(str(state), f"t{number}", str(folder / "layered"))
    assert in_layer(place, lambda: Doer().do(then)) == 0
    listed = changes(place)
    assert facts_of(folder / "layered") == start, "the workspace changed before it was committed"
    done = commit(str(state), place, Wish(name=f"c{number}", at=0.0, durable=False))
    if listed.changes:  # else nothing but the times of folders may differ
        assert same(facts_of(folder / "direct"), facts_of(folder / "layered")) == []
    if os.geteuid() == 0:  # others cannot look into everything without touching it
        assert done.changes == listed.changes
    assert changes(place).changes == (), "something is left after a commit"
    if done.id:
        undo(str(state), done.id, durable=False)
        assert same(start, facts_of(folder / "layered")) == [], "an undo is not the way back"
        assert facts_of(folder / "layered") == start
    place.drop()
    assert os.listdir(state / "transactions") == []


def facts_of(folder: Path) -> Facts:
    """Also of what is closed to its owner: looked at by a child with all rights."""
    from overlay.layered import facts_with_rights  # noqa: PLC0415 - only where somebody has to be asked

    try:
        return facts(folder)
    except PermissionError:
        return facts_with_rights(folder)


def examples(folder: Path, state: Path, count: int) -> Callable[[], None]:
    """As many as asked for."""
    numbers = itertools.count(1)

    @settings(
        max_examples=count, deadline=None, suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
        database=DirectoryBasedExampleDatabase(folder / "examples"), print_blob=False,
    )  # fmt: skip
    @given(operations, operations)
    def run(before: list[Operation], then: list[Operation]) -> None:
        place = folder / "example"
        place.mkdir()
        try:
            check(place, state / "state", before, then, next(numbers))
        finally:
            remove_tree(str(place))
            remove_tree(str(state / "state"))

    return run
