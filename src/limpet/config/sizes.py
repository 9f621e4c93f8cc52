"""A size as people write it -> bytes."""

from __future__ import annotations

import re

from limpet.syntax.late import late

LARGEST = 2**63 - 1
"""What the kernel can count to."""

_SIZE = late(r"\s*([0-9]{1,20})(?:\.([0-9]{1,9}))?\s*([A-Za-z]*)\s*", re.ASCII)
_LETTERS = "kmgtp"
_BASES = {"": 1024, "ib": 1024, "b": 1000}


def parse_size(text: str) -> int:
    """Bytes for `512 MiB`, `2 GB`, `64k` or `1048576`.

    `KiB`, `MiB` ... and single letters count in 1024s, as `ulimit` and `dd` do; `kB`, `MB` ... count in 1000s.
    Raises ValueError.
    """
    match = _SIZE.fullmatch(text)
    unit = _unit(match[3].lower()) if match else None
    if match is None or unit is None or (match[2] and unit == 1):
        raise ValueError(f"{_short(text)} is not a size; write a number of bytes or one such as 512 MiB, 2 GB or 64k")
    size = int(match[1]) * unit + _part(match[2] or "0", unit)
    if size > LARGEST:
        raise ValueError(f"{_short(text)} is more than can be counted; the largest size is {LARGEST} bytes")
    return size


def _unit(name: str) -> int | None:
    if name in ("", "b"):
        return 1
    power = _LETTERS.find(name[0]) + 1
    base = _BASES.get(name[1:])
    return None if power == 0 or base is None else int(base**power)


def _part(digits: str, unit: int) -> int:
    return int(digits) * unit // int(10 ** len(digits))


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")
