"""Windows never exceed their budget and count what is missing exactly."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.model.window import PRESETS, Truncate, Window
from limpet.output.window import apply, apply_ends, notice

TEXT = st.text(alphabet="ab\n\r\u0301é😀", max_size=80)
WINDOWS = st.builds(Window.of, st.integers(0, 60), st.sampled_from(Truncate)) | st.builds(
    lambda budget, head, tail: Window(
        budget=budget, head=min(head, budget), tail=min(tail, budget - min(head, budget))
    ),
    st.integers(0, 60),
    st.integers(0, 60),
    st.integers(0, 60),
)


def kept(shown: str, text: str, omitted: int, window: Window) -> tuple[str, str]:
    """The parts around the notice."""
    way = (
        Truncate.HEAD
        if window.head > 0 >= window.tail
        else Truncate.TAIL
        if window.tail > 0 >= window.head
        else Truncate.MIDDLE
    )
    said = notice(len(text) - omitted, len(text), way, None)
    first, _, last = shown.partition(said)
    return first, last


@pytest.mark.req("MY-07", "CH-06", "TU-12")
@settings(deadline=None, max_examples=500)
@given(TEXT, WINDOWS)
def test_counts_add_up_and_the_budget_holds(text: str, window: Window) -> None:
    shown, omitted = apply(window, text)
    if len(text) <= window.budget:
        assert (shown, omitted) == (text, 0)
        return
    first, last = kept(shown, text, omitted, window)
    last = last.removeprefix("\n")
    if not text.startswith(first):
        first = first.removesuffix("\n")
    assert omitted > 0
    assert text.startswith(first)
    assert text.endswith(last)
    missing = len(text) - omitted
    assert missing <= window.budget
    assert missing in (len(first) + len(last), len(first.removesuffix("\n")) + len(last))


@pytest.mark.req("MY-07", "CH-06")
@pytest.mark.parametrize("way", list(Truncate))
@pytest.mark.parametrize(("extra", "cut"), [(-1, False), (0, False), (1, True)])
def test_only_what_is_really_missing_counts_as_truncated(way: Truncate, extra: int, cut: bool) -> None:
    text = "x" * (100 + extra)
    shown, omitted = apply(Window.of(100, way), text)
    assert (omitted > 0, shown != text) == (cut, cut)


@pytest.mark.parametrize("way", list(Truncate))
def test_a_budget_of_nothing_shows_only_the_notice(way: Truncate) -> None:
    assert apply(Window.of(0, way), "") == ("", 0)
    assert apply(Window.of(0, way), "abc") == ("[... 3 of 3 characters left out ...]", 3)


@pytest.mark.req("MY-07")
def test_the_middle_goes_and_a_line_says_how_much() -> None:
    shown, omitted = apply(Window.of(30_000), "x" * 100_000, stored="/state/run.out")
    said = "[... 70,000 of 100,000 characters left out; all of it: /state/run.out ...]"
    assert (shown, omitted) == ("x" * 15_000 + "\n" + said + "\n" + "x" * 15_000, 70_000)


@pytest.mark.req("CH-06")
def test_tail_mode_opens_with_how_much_of_how_much() -> None:
    shown, omitted = apply(PRESETS["recent"], "x" * 60_000)
    assert (shown, omitted) == ("[last 50,000 of 60,000 characters]\n" + "x" * 50_000, 10_000)


def test_head_mode_closes_with_how_much_of_how_much() -> None:
    assert apply(Window.of(5, Truncate.HEAD), "abcdefgh", stored="/f") == (
        "abcde\n[first 5 of 8 characters; all of it: /f]",
        3,
    )


@pytest.mark.req("TU-12")
def test_head_and_tail_may_differ() -> None:
    shown, omitted = apply(PRESETS["small-model"], "h" * 5_000 + "t" * 5_000)
    assert (shown, omitted) == ("h" * 1_000 + "\n[... 8,500 of 10,000 characters left out ...]\n" + "t" * 500, 8_500)


def test_a_line_end_nearby_is_preferred() -> None:
    text = "a" * 45 + "\n" + "b" * 100 + "\n" + "c" * 47
    shown, omitted = apply(Window.of(100), text)
    assert (shown, omitted) == ("a" * 45 + "\n[... 101 of 194 characters left out ...]\n" + "c" * 47, 101)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abe\u0301" + "x" * 20 + "e\u0301yz", "ab\n[... 24 of 28 characters left out ...]\nyz"),
        ("ab\r\n" + "x" * 25, "ab\n[... 24 of 29 characters left out ...]\nxxx"),
        ("ab👩\u200d💻" + "x" * 24, "ab\n[... 24 of 29 characters left out ...]\nxxx"),
    ],
)
def test_what_is_seen_as_one_character_is_not_cut_in_two(text: str, shown: str) -> None:
    assert apply(Window.of(6), text)[0] == shown


@settings(deadline=None, max_examples=300)
@given(TEXT, TEXT, st.integers(1, 1000), WINDOWS)
def test_ends_alone_give_exact_counts_too(head: str, tail: str, lost: int, window: Window) -> None:
    total = len(head) + lost + len(tail)
    shown, omitted = apply_ends(window, head, tail, total)
    assert lost <= omitted <= total
    assert total - omitted <= window.budget
    assert len(shown) <= (total - omitted) + len("[... 1,000 of 1,000 characters left out ...]") + 2


def test_the_middle_that_was_never_kept_is_counted() -> None:
    assert apply_ends(Window.of(10), "head-of-it", "end-of-it", 1_000_000) == (
        "head-\n[... 999,990 of 1,000,000 characters left out ...]\nof-it",
        999_990,
    )
