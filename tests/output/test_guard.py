"""What a command draws on a terminal of its own reaches the terminal of a person only as far as it draws."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.output.guard import Guard

HARMLESS = {
    "text": "héllo wörld\r\n\tdone\x08",
    "colours": "\x1b[1;31mred\x1b[0m \x1b[38;5;12mblue\x1b[m \x1b[38:2::1:2:3mrgb\x1b[4:3m",
    "the cursor": "\x1b[H\x1b[2;5H\x1b[A\x1b[10B\x1b[C\x1b[3D\x1b[5G\x1b[4d\x1b7\x1b8\x1b[s\x1b[u",
    "erasing and scrolling": "\x1b[J\x1b[2J\x1b[K\x1b[1K\x1b[2L\x1b[M\x1b[3P\x1b[@\x1b[2;20r\x1bM\x1b[S\x1b[4X",
    "line drawing": "\x1b(0lqk\x1b(B\x0eqq\x0f",
    "the alternate screen": "\x1b[?1049h\x1b[?25l\x1b[?1h\x1b=x\x1b>\x1b[?1l\x1b[?25h\x1b[?1049l",
    "a mouse and pasting": "\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?2004l\x1b[?1006l\x1b[?1000l",
    "the shape of the cursor": "\x1b[2 q",
}
FORBIDDEN = {
    "the clipboard": "\x1b]52;c;cm0gLXJmIC8=\x07",
    "the clipboard, ended otherwise": "\x1b]52;c;cm0gLXJmIC8=\x1b\\",
    "the clipboard with one character": "\x9d52;c;cm0gLXJmIC8=\x9c",
    "the clipboard through tmux": "\x1bPtmux;\x1b\x1b]52;c;cm0=\x07\x1b\\",
    "a title": "\x1b]0;evil\x07",
    "a title on the stack": "\x1b[22;0t\x1b[23;0t",
    "the title reported": "\x1b[21t",
    "a window moved": "\x1b[3;0;0t\x1b[8;50;200t",
    "device attributes": "\x1b[c\x1b[>c\x1b[=c\x1b[0c\x1bZ",
    "where the cursor is": "\x1b[6n\x1b[?6n\x1b[5n",
    "answerback": "\x05",
    "parameters": "\x1b[x\x1b[1x",
    "settings asked for": "\x1bP$q\"p\x1b\\\x1b[?2026$p",
    "colours asked for": "\x1b]11;?\x07\x1b]4;1;?\x07",
    "a link": "\x1b]8;;file:///etc/passwd\x1b\\\x1b]8;;\x1b\\",
    "a notification": "\x1b]9;hello\x07\x1b]777;notify;a;b\x07",
    "a picture": "\x1bPq#0;2;0;0;0~-\x1b\\\x1b_Gf=32;AAAA\x1b\\\x1b]1337;File=:AAAA\x07",
    "printing": "\x1b[5i\x1b[4i\x1b[?5i",
    "keyboard protocols": "\x1b[>1u\x1b[=5u\x1b[?u\x1b[>4;2m\x1b[<u",
    "scrollback erased": "\x1b[3J",
    "a reset": "\x1bc\x1b[!p",
    "132 columns": "\x1b[?3h",
    "rectangles and checksums": "\x1b[1;1;2;2;2;2*y\x1b[1;1;5;5$z",
    "private strings": "\x1bXsos\x1b\\\x1b^pm\x1b\\\x1b_apc\x1b\\",
    "mouse tracking that hangs": "\x1b[1;2;3;4;5T",
    "macros": "\x1b[1*z",
    "charset of the whole terminal": "\x1b%@\x1b%G",
    "keys of the keyboard": "\x1b[2h\x1b[20h",
    "a sequence without bounds": "\x1b[" + "1;" * 100 + "m",
}  # fmt: skip

# Read from what may pass, not from the code: this is the whole of it.
NUMBERS = r"[0-9;:]{0,64}"
ALLOWED = re.compile(
    r"(?:[^\x00-\x1f\x7f-\x9f]|[\x07-\x0f]"
    r"|\x1b[78DEMH=>]|\x1b[()][AB0]"
    rf"|\x1b\[(?:[0-9]{{0,5}}[@ABCDEFGILMPSTXZ`abdeg]|{NUMBERS}[Hfrm]|[012]?[JK]|[su]|[0-6]? q|4[hl])"
    r"|\x1b\[\?(?:1|5|6|7|12|25|47|66|100[023456]|1015|104[789]|2004|2026)[hl])*"
)
PIECES = st.one_of(
    st.sampled_from([*HARMLESS.values(), *FORBIDDEN.values()]),
    st.text(st.sampled_from("\x1b\x9b\x9d\x90[]P^_X\\;?>=!$ 0123456789:mhlJnctuqiTH\x07\x18\x05\n\rab"), max_size=30),
    st.text(max_size=10),
)


def shown(*pieces: str) -> str:
    guard = Guard()
    return "".join(map(guard.feed, pieces))


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_only_draws_passes_as_it_is(text: str) -> None:
    assert shown(text) == text


@pytest.mark.req("MY-15")
@pytest.mark.parametrize("text", FORBIDDEN.values(), ids=FORBIDDEN)
def test_what_reaches_out_of_a_terminal_does_not_pass(text: str) -> None:
    assert shown(f"before{text}after") == "beforeafter"
    assert shown("before", *text, "after") == "beforeafter"


@given(st.lists(PIECES, max_size=12))
def test_nothing_else_passes_however_it_is_put_together(pieces: list[str]) -> None:
    passed = shown(*pieces)
    assert ALLOWED.fullmatch(passed), passed
    assert shown(passed) == passed


@given(st.lists(PIECES, max_size=8), st.data())
def test_how_it_is_cut_makes_no_difference(pieces: list[str], data: st.DataObject) -> None:
    whole = "".join(pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    parts = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert shown(*parts) == shown(whole)


@given(st.lists(PIECES, max_size=12))
def test_what_undoes_it_is_itself_harmless_and_leaves_nothing_to_undo(pieces: list[str]) -> None:
    guard = Guard()
    for piece in pieces:
        guard.feed(piece)
    undo = guard.leave()
    assert ALLOWED.fullmatch(undo), undo
    assert guard.leave() == ""
    assert guard.feed("text") == "text"


def test_modes_that_were_left_on_are_undone_and_those_that_were_not_are_left_alone() -> None:
    guard = Guard()
    guard.feed("\x1b[?1049h\x1b[?25l\x1b[?1000;1006h\x1b[?2004h\x1b[1;31m\x1b[?1006l\x1b[?2004l\x1b(0\x1b[2;9r")
    assert guard.leave() == "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[0m\x1b(B\x1b7\x1b[r\x1b8"
    assert Guard().leave() == ""


def test_a_string_without_an_end_hides_no_more_than_its_line() -> None:
    assert shown("a\x1b]0;title\nb") == "a\nb"


def test_a_sequence_that_is_broken_off_is_not_passed_on_in_part() -> None:
    guard = Guard()
    assert guard.feed("x\x1b[1;3") == "x"
    assert guard.leave() == ""
    assert guard.feed("1m") == "1m"
