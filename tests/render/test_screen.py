"""What a command drew on its terminal, as the text that a person would see there."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import limpet
from limpet import InvalidRequestError, Screen, Terminal

if TYPE_CHECKING:
    from commandline import Cli

SIGNS = st.text(st.sampled_from("\x1b[];?0123456789mhlJHABCDKLMPX@rdGfsu()78\x07\x18\n\r\tab中\u0301\x0e\x0f\x08"))


@pytest.mark.req("MY-15")
def test_a_screen_shows_what_was_drawn_where() -> None:
    screen = Screen(rows=5, columns=20)
    screen.feed(b"first\r\nsecond\x1b[1;31m red\x1b[0m\x1b[5;3Hlast\x1b[1;1HF\x1b]0;title\x07")
    assert screen.lines() == ["First", "second red", "", "", "  last"]
    assert screen.text() == "First\nsecond red\n\n\n  last"
    assert (screen.cursor, screen.size) == ((0, 1), Terminal(rows=5, columns=20))


def test_what_was_there_comes_back_when_the_alternate_screen_is_left() -> None:
    screen = Screen(rows=3, columns=20)
    screen.feed("before\x1b[?1049h\x1b[2J\x1b[Heditor")
    assert screen.text() == "editor"
    screen.resize(4, 30)
    screen.feed("\x1b[?1049l after")
    assert screen.text() == "before after"


def test_a_character_split_between_two_pieces_is_whole() -> None:
    screen = Screen(rows=1, columns=10)
    for byte in "é中x".encode():
        screen.feed(bytes([byte]))
    assert screen.text() == "é中x"


@settings(deadline=None)
@given(st.lists(SIGNS, max_size=6), st.integers(1, 30), st.integers(1, 90))
def test_nothing_that_is_drawn_breaks_it(pieces: list[str], rows: int, columns: int) -> None:
    screen = Screen(rows=rows, columns=columns)
    for piece in pieces:
        screen.feed(piece)
        screen.resize(columns % 20 + 1, rows * 3)
    row, column = screen.cursor
    assert (0 <= row < screen.size.rows, 0 <= column < screen.size.columns) == (True, True)
    assert len(screen.lines()) == screen.size.rows


@pytest.mark.parametrize("size", [(0, 1), (1, 1001), (True, 5)])
def test_a_size_that_no_screen_has_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(InvalidRequestError, match="rows and columns"):
        Screen(*size)


def test_without_the_extra_it_says_what_to_install(cli: Cli) -> None:
    program = "import sys; sys.modules['pyte'] = None; import limpet; limpet.Screen()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=cli.environment())
    assert done.returncode == 1
    assert "ScreenUnavailableError: the screen as text needs pyte" in done.stderr
    assert "pip install 'limpet[screen]'" in done.stderr
    assert issubclass(limpet.ScreenUnavailableError, limpet.limpetError)
