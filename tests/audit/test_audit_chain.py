from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.audit.chain import GENESIS, Head, canonical, link, verify

Row = tuple[Any, ...]
values = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text() | st.binary()
columns = st.lists(values, min_size=1, max_size=4)


def log_of(contents: list[list[Any]], first: int = 1, before: bytes = GENESIS) -> tuple[list[Row], Head]:
    rows: list[Row] = []
    last = before
    for number, content in enumerate(contents, first):
        last = link(last, (number, *content))
        rows.append((number, *content, last))
    end = first + len(contents) - 1
    return rows, Head(count=len(rows), last_id=end, last_hash=last, anchor_id=first - 1, anchor_hash=before)


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)


@settings(deadline=None)
@given(st.lists(columns, max_size=6), st.integers(1, 2**40), st.binary(min_size=32, max_size=32))
def test_an_untouched_log_holds_wherever_it_begins(contents: list[list[Any]], first: int, before: bytes) -> None:
    assert list(verify(*log_of(contents, first, before))) == []


@settings(deadline=None)
@given(st.lists(columns, min_size=1, max_size=6), st.data(), values)
def test_any_change_of_any_value_shows(contents: list[list[Any]], data: st.DataObject, value: Any) -> None:
    rows, head = log_of(contents)
    at = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(rows[at]) - 1))
    changed = list(rows[at])
    untouched, changed[column] = same(changed[column], value), value
    rows[at] = tuple(changed)
    assert (list(verify(rows, head)) == []) == untouched


@settings(deadline=None)
@given(st.lists(columns, min_size=1, max_size=8), st.data())
def test_any_rows_missing_show(contents: list[list[Any]], data: st.DataObject) -> None:
    rows, head = log_of(contents)
    missing = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
    assert list(verify([row for at, row in enumerate(rows) if at not in missing], head)) != []


@settings(deadline=None)
@given(st.lists(columns, min_size=2, max_size=8), st.data())
def test_any_other_order_shows(contents: list[list[Any]], data: st.DataObject) -> None:
    rows, head = log_of(contents)
    order = data.draw(st.permutations(range(len(rows))))
    moved = [(number, *rows[at][1:]) for number, at in enumerate(order, 1)]
    assert (list(verify(moved, head)) == []) == (list(order) == sorted(order))


def test_values_that_look_alike_have_different_bytes() -> None:
    alike: list[list[object]] = [[1], [1.0], ["1"], [b"1"], [True], ["1", ""], ["", "1"], [None], ["None"], []]
    assert len({canonical(one) for one in alike}) == len(alike)


def test_text_that_is_not_unicode_matches_nothing_that_was_written() -> None:
    forged = "\udcff"
    assert canonical([forged]) != canonical(["\\xff"])
    assert canonical([forged]) == canonical([forged.encode("utf-8", "surrogatepass")])


FOUR, HEAD = log_of([["a"], ["b"], ["c"], ["d"]])


@pytest.mark.parametrize(
    ("rows", "problems"),
    [
        (FOUR[1:], ["row 1 is missing: deleted before row 2", "head: counts 4 rows, 3 are there"]),
        ([FOUR[0], FOUR[3]], ["rows 2 to 3 are missing: deleted before row 4", "head: counts 4 rows, 2 are there"]),
        (FOUR[:2], ["rows 3 to 4 are missing: the newest rows were deleted", "head: counts 4 rows, 2 are there"]),
        ([], ["rows 1 to 4 are missing: the newest rows were deleted", "head: counts 4 rows, 0 are there"]),
        (
            [*FOUR[:3], (4, "x", FOUR[3][2])],
            ["row 4: does not match its hash: it or the row before it was edited or moved"],
        ),
        (
            [*FOUR[:3], (4, "x", link(FOUR[2][2], (4, "x")))],
            ["row 4: its hash is not the one in the head: one of them was edited"],
        ),
        (
            [FOUR[0], (2, "x", link(FOUR[0][2], (2, "x"))), *FOUR[2:]],
            ["row 3: does not match its hash: it or the row before it was edited or moved"],
        ),
        (
            [*FOUR, (5, "e", link(FOUR[3][2], (5, "e")))],
            ["row 5 is not known to the head: added by somebody else", "head: counts 4 rows, 5 are there"],
        ),
        (
            [*FOUR, ("5", "e", b"")],
            ["row 5: its id or hash is not of the kind that is written"],
        ),
        (
            [(0, "e", b""), *FOUR],
            [
                "row 0: older than the start of the log, which is row 1",
                "row 1: does not match its hash: it or the row before it was edited or moved",
                "head: counts 4 rows, 5 are there",
            ],
        ),
    ],
)
def test_problems_say_which_row_and_what(rows: list[Row], problems: list[str]) -> None:
    assert list(verify(rows, HEAD)) == problems
