from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.config import parse_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("1048576", 1048576),
        ("7 B", 7),
        ("64k", 64 * 1024),
        ("64K", 64 * 1024),
        ("512 MiB", 512 * 1024**2),
        ("512mib", 512 * 1024**2),
        (" 2  GB ", 2 * 1000**3),
        ("1kB", 1000),
        ("1.5 GiB", 1024**3 + 1024**3 // 2),
        ("0.1k", 102),
        ("3t", 3 * 1024**4),
        ("1 PB", 1000**5),
        ("9223372036854775807", 2**63 - 1),
    ],
)
def test_a_size_is_read_as_people_write_it(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "k",
        "none",
        "-1",
        "+1",
        "1.5",
        "1.5 B",
        "1,5 GiB",
        "1_000",
        "1e3",
        "5 XB",
        "5 kib b",
        "5 bk",
        "0x10",
        "\u0661k",
        "1 k\0",
        "nan",
    ],
)
def test_what_is_no_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="is not a size; write a number of bytes or one such as 512 MiB, 2 GB or 64k"):
        parse_size(text)


@pytest.mark.parametrize("text", ["9223372036854775808", "8192 PiB", "99999999999999999999 TiB"])
def test_a_size_that_no_counter_holds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="the largest size is 9223372036854775807 bytes"):
        parse_size(text)


@settings(deadline=None)
@given(st.one_of(st.text(), st.from_regex(r"[0-9]{0,25}(\.[0-9]{0,12})? ?[kKmMgGiIbB]{0,3}")))
def test_any_text_is_a_size_or_a_short_error(text: str) -> None:
    try:
        size = parse_size(text)
    except ValueError as error:
        assert len(str(error)) < 500
    else:
        assert 0 <= size < 2**63


@settings(deadline=None)
@given(st.integers(0, 2**63 - 1))
def test_a_plain_number_is_itself(size: int) -> None:
    assert parse_size(str(size)) == size
