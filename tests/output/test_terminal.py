"""Control sequences become what a terminal would show."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.output.terminal import clean, spelled, visible

PIECES = st.sampled_from(
    ["a", "bc", "é", " ", "\n", "\r", "\r\n", "\t", "\b", "\x1b", "\x1b[", "\x1b[K", "\x1b[1K", "\x1b[2K",
     "\x1b[31m", "\x1b]0;t", "\x07", "\x1b\\",
     "\x9b", "\x9d", "\x9c", "\x90", "K", "1", ";", "\x00", "\x7f", "\x85", "\x18", "\x1bP", "\x1b(B", "\u202e",
     "\u200b", "\U000e0041", "\u2028"]
)  # fmt: skip
HOSTILE = st.lists(PIECES, max_size=25).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x9b31mred\x9b0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9d52;c;AAAA\x9cafter", "after"),
        ("\x1bPq#0;2;0\x1b\\x\x1bXsos\x1b\\y\x1b^pm\x1b\\z\x1b_apc\x1b\\", "xyz"),
        ("\x1b(Bx\x1b=y\x1bcz", "xyz"),
        ("a\x1b]0;never ends\nnext line", "a\nnext line"),
        ("a\x1b[31", "a"),
        ("a\x1b", "a"),
        ("a\x1b[12\x18b", "a\ufffdb"),
        ("\x1b]0;one\x1b[31mtwo", "two"),
        (" 10%\r 50%\r100%\ndone\n", "100%\ndone\n"),
        ("100%\r5\n", "500%\n"),
        ("long state\r\x1b[Kshort\n", "short\n"),
        ("long state\x1b[2K\rshort\n", "short\n"),
        ("abcdef\b\b\b\x1b[1K\n", "    ef\n"),
        ("abc\b\bX", "aXc"),
        ("N\bNA\bAM\bME\bE", "NAME"),
        ("one\r\ntwo\r\r\nthree\r", "one\ntwo\nthree"),
        ("trailing  \r\n", "trailing  \n"),
        ("Downloading\rDone       \n", "Done\n"),
        ("\x1b[01;31m\x1b[Kerror:\x1b[m\x1b[K text", "error: text"),
        ("bell\x07 nul\x00 vt\x0b del\x7f nel\x85", "bell\ufffd nul\ufffd vt\ufffd del\ufffd nel\ufffd"),
        ("\b\b\rx", "x"),
        ("\u202ekept for models\u2028", "\u202ekept for models\u2028"),
    ],
)
def test_what_a_terminal_would_show(text: str, shown: str) -> None:
    assert clean(text) == shown


def screen(line: str) -> str:
    """An independent terminal, one character at a time and without care for speed."""
    row: list[str] = []
    column = 0
    for one in line:
        if one == "\r":
            column = 0
        elif one == "\b":
            column = max(0, column - 1)
        elif one in "012":
            row[: column + 1] = row[: column + 1] if one == "0" else [" "] * len(row[: column + 1])
            row[column:] = row[column:] if one == "1" else []
        else:
            row[column : column + 1] = [one]
            column += 1
    return "".join(row).rstrip(" ")


@settings(deadline=None, max_examples=400)
@given(st.text(alphabet="ab \n\r\b012", max_size=40))
def test_overwriting_agrees_with_a_simple_terminal(text: str) -> None:
    shown = clean(re.sub("([012])", "\x1b[\\1K", text))
    assert [line.rstrip(" ") for line in shown.split("\n")] == [screen(line) for line in text.split("\n")]


@settings(deadline=None, max_examples=400)
@given(HOSTILE | st.text(max_size=40))
def test_nothing_but_line_ends_and_tabs_is_left_of_controls(text: str) -> None:
    shown = clean(text)
    assert {one for one in shown if unicodedata.category(one) == "Cc"} <= {"\n", "\t"}
    assert clean(shown) == shown
    assert shown.count("\n") == text.count("\n")


@settings(deadline=None, max_examples=400)
@given(HOSTILE | st.text(max_size=40))
def test_nothing_invisible_reaches_a_person(text: str) -> None:
    for shown in (visible(text), spelled(text)):
        left = {
            one
            for one in shown
            if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") or one in "\u202e\u200b\U000e0041\ufeff\u2066"
        }
        assert left <= {"\n", "\t"}
        shown.encode()


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z", "M"]), max_size=60))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert (clean(text), clean(f"a {text}\t\n")) == (text, f"a {text}\t\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a<U+202E>b"),
        ("zero\u200bwidth\ufeff", "zero<U+200B>width<U+FEFF>"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("line\u2028para\u2029", "line<U+2028>para<U+2029>"),
        ("bad\udcffbyte", "bad<U+DCFF>byte"),
        ("\x1b]52;c;AAAA\x07\x1b[2J\x1b[6n\x1b[Hx\u202ey", "x<U+202E>y"),
        ("naïve 漢字 e\u0301 😀 \u2714\ufe0f عربى", "naïve 漢字 e\u0301 😀 \u2714\ufe0f عربى"),
    ],
)
def test_what_hides_is_marked(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_command_is_spelled_out_and_nothing_of_it_disappears() -> None:
    command = "rm -rf ~ #\recho hello\x1b[2K\u202e\n\tdone"
    assert spelled(command) == "rm -rf ~ #<U+000D>echo hello<U+001B>[2K<U+202E>\n\tdone"


@pytest.mark.parametrize(
    "text",
    [
        "\x1b]" * 200_000,
        "\x9d" * 400_000,
        "\x1b[" + "1" * 400_000,
        "\x1b[1" * 200_000,
        "\x1bP" + "x" * 400_000,
        "a" * 200_000 + "\x1b[1K" * 50_000,
        "a" * 200_000 + "\x1b[2Kb" * 50_000,
        "a" * 200_000 + "\x1b[2K\bx" * 50_000,
        "a" * 200_000 + "\x1b[1K\b\bx" * 50_000,
        "a" * 200_000 + "\rb" * 100_000,
        "\b" * 400_000,
        "\r" * 400_000 + "x",
    ],
    ids=range(12),
)
@pytest.mark.timeout(20)
def test_hostile_input_takes_linear_time(text: str) -> None:
    """Quadratic work would take minutes here."""
    assert len(clean(text)) <= len(text)


def test_moving_to_the_first_column_is_a_carriage_return() -> None:
    assert clean("⠙\x1b[1G\x1b[0K⠹ waiting\x1b[G\x1b[Jname: (x) \x1b[11Gyes") == "name: (x) yes"
