"""Secrets in pieces of output are blanked out wherever the pieces are cut."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.output.blank import Blanker
from limpet.output.redact import Redactor

KEY = b"ghp_" + b"a1B2" * 9
VALUE = b"correct-horse-battery"
TEXT = b"see " + KEY + b" and " + VALUE + b"; " + VALUE + b"," + KEY + b" end"


def stored(pieces: list[bytes]) -> bytes:
    """What a file holds when the pieces are written to it one after the other."""
    blanker, file = Blanker(Redactor([VALUE.decode()]).mask_spans), bytearray()
    for piece in pieces:
        data, before = blanker.blank(piece)
        for back, count in before:
            start = len(file) - back
            file[start : start + count] = b"*" * count
        file += data
    return bytes(file)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.integers(0, len(TEXT)), max_size=12), st.integers(0, 9_000))
def test_it_makes_no_difference_where_it_is_cut(cuts: list[int], padding: int) -> None:
    places = [0, *sorted(cuts), len(TEXT)]
    pieces = [TEXT[start:end] for start, end in itertools.pairwise(places)]
    whole = stored([b"." * padding, *pieces, b"." * padding])
    assert whole == b"." * padding + stored([TEXT]) + b"." * padding


def test_every_byte_but_the_secret_s_stays() -> None:
    expected = TEXT.replace(VALUE, b"*" * len(VALUE)).replace(KEY[4:], b"*" * (len(KEY) - 4))
    assert stored([TEXT]) == expected
    assert len(expected) == len(TEXT)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=20))
def test_output_without_secrets_is_left_alone(pieces: list[bytes]) -> None:
    assert stored(pieces) == b"".join(pieces)
