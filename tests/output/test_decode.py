"""Bytes in any pieces become the same text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.output.decode import CharCounter, Decoder, decode, decode_head, decode_tail

# Bytes that are nearly UTF-8 break decoders; uniformly random ones hardly ever do.
NEARLY = st.lists(
    st.sampled_from(
        [
            b"a",
            b"\n",
            "é".encode(),
            "€".encode(),
            "😀".encode(),
            b"\xf0\x9f",
            b"\xe2",
            b"\x80",
            b"\xed\xa0\x80",
            b"\xff",
            b"\xc0\x80",
            b"\xf4\x90",
        ]
    ),
    max_size=20,
).map(b"".join)
DATA = NEARLY | st.binary(max_size=40)


@pytest.mark.req("TK-15", "TU-10")
@settings(deadline=None, max_examples=300)
@given(st.lists(DATA, max_size=6))
def test_pieces_decode_to_what_the_whole_decodes_to(pieces: list[bytes]) -> None:
    decoder = Decoder()
    text = "".join(decoder.feed(piece) for piece in pieces) + decoder.feed(b"", final=True)
    assert text == decode(b"".join(pieces)) == b"".join(pieces).decode("utf-8", "replace")


@settings(deadline=None, max_examples=300)
@given(DATA)
def test_one_byte_at_a_time_is_no_different(data: bytes) -> None:
    decoder, counter = Decoder(), CharCounter()
    text = ""
    for byte in data:
        text += decoder.feed(bytes([byte]))
        counter.add(bytes([byte]))
    text += decoder.feed(b"", final=True)
    assert (text, counter.total) == (decode(data), len(decode(data)))


@settings(deadline=None, max_examples=300)
@given(st.lists(DATA, max_size=6))
def test_the_count_is_exact_after_every_piece(pieces: list[bytes]) -> None:
    counter, seen = CharCounter(), b""
    for piece in pieces:
        counter.add(piece)
        seen += piece
        assert counter.total == len(decode(seen))


@settings(deadline=None, max_examples=300)
@given(DATA, st.data())
def test_the_two_ends_of_a_cut_are_ends_of_the_whole_text(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data)))
    whole = decode(data)
    head, tail = decode_head(data[:at]), decode_tail(data[at:])
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(head) + len(tail) <= len(whole)


@pytest.mark.req("TK-15")
def test_a_character_split_between_reads_stays_whole() -> None:
    decoder = Decoder()
    assert [decoder.feed(b"\xe2\x82"), decoder.feed(b"\xac!"), decoder.feed(b"\xe2", final=True)] == [
        "",
        "€!",
        "\ufffd",
    ]
