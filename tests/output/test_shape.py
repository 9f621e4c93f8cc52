"""Everything together: what was printed becomes what a result says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.model.result import Captured
from limpet.model.window import Truncate, Window, window_for
from limpet.output.interleave import decode_segments, interleaved
from limpet.output.keep import Keep
from limpet.output.keep_both import KeepBoth
from limpet.output.redact import Redactor
from limpet.output.shape import Shaped, shape

WIDE = Window.of(10_000)
Writes = list[tuple[int, bytes]]


def shaped(
    writes: Writes,
    *,
    window: Window = WIDE,
    limits: tuple[int, int] = (50_000, 50_000),
    clean: bool = True,
    redactor: Redactor | None = None,
) -> Shaped:
    keeps = {1: Keep(*limits), 2: Keep(*limits)}
    both = KeepBoth(*limits)
    for stream, data in writes:
        keeps[stream].write(data)
        both.write(stream, data)
    return shape(keeps[1], keeps[2], both, window=window, redactor=redactor, clean=clean, stored="/out")


def whole(text: str) -> Captured:
    return Captured(text=text, total_bytes=len(text.encode()))


@pytest.mark.req("ZE-15")
def test_stderr_is_marked_where_both_streams_are_shown() -> None:
    writes = [(1, b"one\n"), (2, b"warn\nagain\n"), (1, b"two\n")]
    output = Captured(text="one\nstderr: warn\nstderr: again\ntwo\n", total_bytes=19)
    assert shaped(writes) == Shaped(stdout=whole("one\ntwo\n"), stderr=whole("warn\nagain\n"), output=output)


@pytest.mark.req("CH-13")
@pytest.mark.parametrize(("stream", "text"), [(1, "only out\n"), (2, "only err\n")])
def test_one_stream_alone_has_no_marks(stream: int, text: str) -> None:
    found = shaped([(stream, text.encode())])
    assert (found.output, found.stdout.text + found.stderr.text) == (whole(text), text)


def test_nothing_printed_is_nothing_shown() -> None:
    assert shaped([]) == Shaped(stdout=Captured(), stderr=Captured(), output=Captured())


@pytest.mark.parametrize(
    ("writes", "output"),
    [
        ([(1, b"par"), (2, b"err\n"), (1, b"tial\n")], "partial\nstderr: err\n"),
        ([(1, b"prompt: "), (2, b"bad")], "prompt: \nstderr: bad"),
        ([(2, b"e1"), (1, b"o1\no2\n"), (2, b"e2\ne3")], "stderr: e1e2\no1\no2\nstderr: e3"),
        ([(1, b"\xe2\x82"), (2, b"\xff\n"), (1, b"\xac\n")], "stderr: \ufffd\n€\n"),
        ([(1, b"\x1b[3"), (2, b"e\n"), (1, b"1mred\n")], "red\nstderr: e\n"),
        ([(2, b"10%\r"), (1, b"x\n"), (2, b"100%\n")], "stderr: 100%\nx\n"),
        ([(1, b"\x1b[0m"), (2, b"e\n")], "stderr: e\n"),
        ([(1, b"a\n"), (2, b"\n\n")], "a\nstderr: \nstderr: \n"),
    ],
)
def test_no_line_is_torn_by_the_other_stream(writes: Writes, output: str) -> None:
    assert shaped(writes).output.text == output


def test_cleaning_comes_before_cutting() -> None:
    bar = b"".join(b"\r%3d%%" % percent for percent in range(101)) + b"\n"
    found = shaped([(1, bar)], window=Window.of(20))
    assert found.stdout == Captured(text="100%\n", total_bytes=len(bar))


def test_raw_text_stays_raw_when_asked() -> None:
    assert shaped([(1, b"\x1b[31mred\x00\r\n")], clean=False).stdout.text == "\x1b[31mred\x00\r\n"


def test_a_secret_at_the_cut_is_gone_before_it_is_cut() -> None:
    found = shaped(
        [(1, b"x" * 5 + b"known-secret" + b"y" * 50)], window=Window.of(16), redactor=Redactor(["known-secret"])
    )
    assert found.stdout.text == "xxxxx[re\n[... 49 of 65 characters left out; all of it: /out ...]\nyyyyyyyy"


@pytest.mark.req("TK-11", "MY-07")
def test_the_middle_that_was_not_kept_is_counted_exactly() -> None:
    data = "é".encode() * 100_000
    found = shaped([(1, data[:77_777]), (1, data[77_777:])], window=Window.of(100), limits=(333, 333))
    said = "[... 99,900 of 100,000 characters left out; all of it: /out ...]"
    expected = Captured(text="é" * 50 + f"\n{said}\n" + "é" * 50, total_bytes=200_000, omitted_chars=99_900)
    assert found == Shaped(stdout=expected, stderr=Captured(), output=expected)


NEARLY = st.sampled_from(
    [b"a", b"line\n", "é€😀".encode(), b"\xf0\x9f", b"\x80", b"\xff", b"\r", b"\x1b[K", b"\x1b", b"word " * 9]
)
WRITES = st.lists(
    st.tuples(st.sampled_from([1, 2]), st.lists(NEARLY, min_size=1, max_size=4).map(b"".join)), max_size=12
)
WINDOWS = st.builds(Window.of, st.integers(0, 80), st.sampled_from(Truncate))
SMALL = st.tuples(st.integers(0, 60), st.integers(0, 60))


def decoded(writes: Writes, stream: int) -> str:
    return b"".join(data for one, data in writes if one == stream).decode("utf-8", "replace")


@pytest.mark.req("TK-15", "CH-13")
@settings(deadline=None, max_examples=400)
@given(WRITES, WINDOWS, SMALL)
def test_characters_shown_and_left_out_are_all_there_were(
    writes: Writes, window: Window, limits: tuple[int, int]
) -> None:
    found = shaped(writes, window=window, limits=limits, clean=False)
    for stream, captured in ((1, found.stdout), (2, found.stderr)):
        text = decoded(writes, stream)
        shown = len(text) - captured.omitted_chars
        assert 0 <= shown <= len(text)
        if captured.truncated:
            assert shown <= window.budget
            assert f"{len(text):,} characters" in captured.text
        else:
            assert captured.text == text


@settings(deadline=None, max_examples=300)
@given(WRITES, WINDOWS, SMALL, st.booleans())
def test_any_output_gives_valid_text_within_budget(
    writes: Writes, window: Window, limits: tuple[int, int], clean: bool
) -> None:
    found = shaped(writes, window=window, limits=limits, clean=clean, redactor=Redactor())
    for captured in (found.stdout, found.stderr, found.output):
        captured.text.encode()
        assert captured.truncated or len(captured.text) <= window.budget
        assert len(captured.text) <= window.budget + 80


@settings(deadline=None, max_examples=300)
@given(WRITES)
def test_interleaving_loses_and_reorders_nothing_within_a_stream(writes: Writes) -> None:
    pieces = decode_segments(writes, starts=True, ends=True)
    assert pieces.chars == len(decoded(writes, 1)) + len(decoded(writes, 2))
    lines = interleaved(pieces.pieces, lambda text: text).split("\n")
    out = "\n".join(line for line in lines if not line.startswith("stderr: "))
    err = "\n".join(line.removeprefix("stderr: ") for line in lines if line.startswith("stderr: "))
    assert (out.strip("\n"), err.strip("\n")) == (decoded(writes, 1).strip("\n"), decoded(writes, 2).strip("\n"))


BYTES = st.lists(
    st.tuples(
        st.sampled_from([1, 2]),
        st.sampled_from([b"a", b"\xe2", b"\x82", b"\xac", b"\xf0\x9f", b"\x98\x80", b"\x80", b"\n"]),
    ),
    max_size=24,
)


@pytest.mark.req("TK-15")
@settings(deadline=None, max_examples=500)
@given(BYTES, st.data())
def test_what_is_torn_at_a_cut_of_both_streams_is_left_out(writes: Writes, data: st.DataObject) -> None:
    singles = [(stream, bytes([byte])) for stream, piece in writes for byte in piece]
    at = data.draw(st.integers(0, len(singles)))
    head = decode_segments(singles[:at], starts=True, ends=False)
    tail = decode_segments(singles[at:], starts=False, ends=True)
    for stream in (1, 2):
        text = decoded(writes, stream)
        first, last = ("".join(piece for one, piece in part.pieces if one == stream) for part in (head, tail))
        assert text.startswith(first)
        assert text.endswith(last)
        assert len(first) + len(last) <= len(text)


@pytest.mark.parametrize("way", ["head", "middle", "tail"])
@pytest.mark.parametrize("size", [30_000, 30_001, 46_383, 46_384, 46_385, 60_000, 90_000, 400_000])
def test_the_whole_budget_is_shown_however_it_is_spent(way: str, size: int) -> None:
    window = window_for(way, None)
    text = "".join(chr(97 + number % 26) for number in range(size))
    keeps = Keep.for_window(window), Keep.for_window(window)
    both = KeepBoth.for_window(window)
    keeps[0].write(text.encode())
    both.write(1, text.encode())
    captured = shape(*keeps, both, window=window, redactor=Redactor(), clean=True, stored=None).stdout
    assert captured.omitted_chars == size - 30_000
    shown = text[: window.head], text[size - window.tail :] if window.tail else ""
    assert captured.text == text if size == 30_000 else all(part in captured.text for part in shown)
