"""Collectors keep exactly the two ends of a stream."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.model.window import PRESETS, Window
from limpet.output.keep import Keep, limits_for
from limpet.output.keep_both import KeepBoth

CHUNKS = st.lists(
    st.binary(max_size=12) | st.sampled_from([b"x" * 4096, b"y" * 5000, b"ab" * 2047, "é".encode() * 10]), max_size=25
)
LIMITS = st.sampled_from([0, 1, 3, 10, 4095, 4096, 9000])


@pytest.mark.req("TK-11")
@settings(deadline=None, max_examples=300)
@given(CHUNKS, LIMITS, LIMITS)
def test_the_ends_of_any_stream_are_kept_exactly(chunks: list[bytes], head: int, tail: int) -> None:
    keep, whole = Keep(head, tail), b"".join(chunks)
    for chunk in chunks:
        keep.write(chunk)
    rest = whole[head:]
    complete = len(whole) <= head + tail
    assert (keep.total, keep.chars, keep.complete) == (len(whole), len(whole.decode("utf-8", "replace")), complete)
    assert (keep.head(), keep.tail()) == (whole[:head], rest[max(0, len(rest) - tail) :])
    if complete:
        assert keep.whole() == whole


@pytest.mark.req("ZE-15")
@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.tuples(st.sampled_from([1, 2]), st.binary(min_size=1, max_size=12) | st.just(b"z" * 5000)), max_size=25
    ),
    LIMITS,
    LIMITS,
)
def test_interleaved_ends_know_whose_each_byte_is(writes: list[tuple[int, bytes]], head: int, tail: int) -> None:
    keep = KeepBoth(head, tail)
    for stream, data in writes:
        keep.write(stream, data)
    whole = [(stream, byte) for stream, data in writes for byte in data]
    rest = whole[head:]

    def flat(segments: list[tuple[int, bytes]]) -> list[tuple[int, int]]:
        return [(stream, byte) for stream, data in segments for byte in data]

    assert (keep.total, keep.complete) == (len(whole), len(whole) <= head + tail)
    assert (flat(keep.head()), flat(keep.tail())) == (whole[:head], rest[max(0, len(rest) - tail) :])
    if keep.complete:
        assert flat(keep.whole()) == whole


def test_a_big_piece_is_kept_by_reference() -> None:
    keep, chunk = Keep(0, 1 << 20), b"x" * (256 << 10)
    before = sys.getrefcount(chunk)
    for _ in range(3):
        keep.write(chunk)
    assert sys.getrefcount(chunk) == before + 3


@pytest.mark.req("TK-11")
@pytest.mark.parametrize("size", [1, 7, 4095, 4096, 256 << 10, 8 << 20])
def test_memory_is_bounded_whatever_the_size_of_pieces(size: int) -> None:
    keep, both, chunk = Keep(1000, 100_000), KeepBoth(1000, 100_000), b"x" * size
    for turn in range(max(20, 300_000 // size)):
        keep.write(chunk)
        both.write(1 + turn % 2, chunk)
    for ends in (keep, both._ends):
        held = sum(map(len, ends._tail)) + len(ends._small) + len(ends._head)
        assert held <= 101_000 + (256 << 10) + 4096
        assert len(ends._tail) <= 100_000 // 4096 + 3
    assert len(both._tail_runs) <= 100_001


@pytest.mark.parametrize("window", [*PRESETS.values(), Window.of(0), Window(budget=100, head=10, tail=10)])
def test_limits_are_enough_for_what_a_window_shows(window: Window) -> None:
    head, tail = limits_for(window)
    assert head >= 4 * window.head
    assert tail >= 4 * window.tail
    assert head + tail >= 4 * window.budget
    assert isinstance(Keep.for_window(window), Keep)
    assert isinstance(KeepBoth.for_window(window), KeepBoth)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.binary(min_size=1, max_size=9_000), max_size=60),
    st.lists(st.tuples(st.integers(1, 2), st.binary(min_size=1, max_size=9_000)), max_size=40),
    st.sampled_from([1, 2]),
)
def test_a_view_of_both_that_begins_late_is_the_same(
    alone: list[bytes], together: list[tuple[int, bytes]], first: int
) -> None:
    window = Window.of(60)
    early, one = KeepBoth.for_window(window), Keep.for_window(window)
    for data in alone:
        early.write(first, data)
        one.write(data)
    late = KeepBoth.for_window(window)
    late.follow(first, one)
    for stream, data in together:
        early.write(stream, data)
        late.write(stream, data)
    assert (late.total, late.complete, late.head()) == (early.total, early.complete, early.head())
    assert joined(late.tail()) == joined(early.tail())


def joined(segments: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Without segments that hold nothing."""
    return [(stream, data) for stream, data in segments if data]
