"""Live text is the same however it is cut, and never moves the cursor."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.output.live import WIDEST, VisibleStream
from limpet.output.terminal import visible

PIECES = st.sampled_from(
    ["a", "bc", " ", "\n", "\r", "\r\n", "\t", "\b", "\x1b", "[", "]", "\x1b[", "\x1b[K", "\x1b[1K", "\x1b[2K",
     "\x1b[31m", "\x1b]0;t", "\x07", "\\",
     "\x9b", "\x9d", "\x9c", "K", "1", "2;", " ", "\x00", "\x85", "\x18", "\x1bP", "(", "B", "\u202e",
     "x" * WIDEST, "y" * (WIDEST - 2)]
)  # fmt: skip


def streamed(pieces: list[str]) -> str:
    stream = VisibleStream()
    return "".join([stream.feed(piece) for piece in pieces]) + stream.finish()


@settings(deadline=None, max_examples=500)
@given(st.lists(PIECES, max_size=20))
def test_how_text_is_cut_makes_no_difference(pieces: list[str]) -> None:
    whole = "".join(pieces)
    assert streamed(pieces) == streamed([whole])
    if len(whole) < 200:
        assert streamed(list(whole)) == streamed([whole])


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES, max_size=20))
def test_no_control_but_tab_and_line_end_is_passed_on(pieces: list[str]) -> None:
    assert {one for one in streamed(pieces) if unicodedata.category(one) == "Cc"} <= {"\n", "\t"}


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        PIECES.filter(lambda piece: piece not in ("\r", "\b", "\x1b[1K", "\x1b[2K", "\x9b", "\x1b[", "[", "K")),
        max_size=20,
    )
)
def test_without_redrawing_it_is_what_visible_gives(pieces: list[str]) -> None:
    assert streamed(pieces) == visible("".join(pieces))


def test_a_progress_bar_takes_two_lines_however_often_it_is_drawn() -> None:
    states = [f"\r{percent:3}%" for percent in range(101)]
    assert streamed([" start", *states, "\nnext\n"]) == " start\n100%rt\nnext\n"


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["one\r", "\ntwo\r\n"], "one\ntwo\n"),
        (["Password: "], "Password: "),
        (["N\bNA", "\bA\n"], "NA\n"),
        (["|", "\b/", "\b-", "\bdone\n"], "|\ndone\n"),
        (["red \x1b[3", "1mtext\x1b", "[0m\n"], "red text\n"),
        (["\x1b]0;ti", "tle\x1b", "\\after"], "after"),
        (["\x1b]0;no end", " at all\n", "next"], "\nnext"),
        (["a\x1b[", "Kb"], "ab"),
        (["abc\x1b[1", "1", "Kd\n"], "abcd\n"),
        (["abc\x1b[1", " ", "Kd\n"], "abcd\n"),
        (["bid\u202ei"], "bid<U+202E>i"),
        (["x" * WIDEST, "\r\n"], "x" * WIDEST + "\n"),
    ],
)
def test_examples_of_live_text(pieces: list[str], shown: str) -> None:
    assert streamed(pieces) == shown


def test_the_present_state_of_a_redrawn_line_is_there_for_a_status_line() -> None:
    stream = VisibleStream()
    seen = [(stream.feed(piece), stream.held) for piece in ("10%", "\r20%", "\r30%  ", "\n")]
    assert seen == [("10%", ""), ("", "20%"), ("", "30%"), ("\n30%\n", "")]


def test_text_is_passed_on_at_once() -> None:
    stream = VisibleStream()
    assert [stream.feed("a"), stream.feed("b\x1b[1m"), stream.feed("c")] == ["a", "b", "c"]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["\x1b]0;" + "x" * 1000, "x" * 1000, "\x1b[" + "1" * 1000, "\r" + "y" * 1000, "\b"], ids=range(5)
)
def test_an_endless_line_keeps_little(piece: str) -> None:
    stream = VisibleStream()
    for _ in range(2000):
        stream.feed(piece)
    assert len(stream._rest) <= 4
    assert len(stream._shown or "") <= WIDEST
    assert len(stream.held) <= WIDEST
