"""Rows -> hashes that hold each other, and a log read back -> what was done to it since.

A row's hash covers the hash before it and the row's own columns, so a change anywhere shows at that row. The head says
where the log begins and ends, so rows missing at either end show too. There is no key in it: somebody who may write the
file and knows this module can forge a whole log. Against that, keep a copy of the head's hash elsewhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

GENESIS = bytes(32)
"""Stands where the hash before the first row would."""

_encode = msgspec.msgpack.Encoder().encode


def _find_sha256() -> Callable[[bytes], Any]:
    """Python's own, where it was built with one: for the few bytes of a row OpenSSL's costs several times as much."""
    for name in ("_sha2", "_sha256"):
        with contextlib.suppress(ImportError):
            found: Callable[[bytes], Any] = importlib.import_module(name).sha256
            return found
    return hashlib.sha256


_sha256 = _find_sha256()


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where the log begins and ends."""

    count: int
    last_id: int
    last_hash: bytes
    anchor_id: int = 0
    """The newest row that was pruned; 0 when none was."""
    anchor_hash: bytes = GENESIS


def canonical(values: Sequence[object]) -> bytes:
    """The columns as a MessagePack array: each value with its type, so 1, 1.0, "1" and b"1" all differ."""
    try:
        return _encode(values)
    except UnicodeEncodeError:
        # Text is made printable before it is stored, so only a forged row comes here; as bytes it matches no text.
        return _encode([v.encode("utf-8", "surrogatepass") if isinstance(v, str) else v for v in values])


def link(previous: bytes, values: Sequence[object]) -> bytes:
    """The hash of a row that follows the row with hash `previous`."""
    return linked(previous, values)[1]


def linked(previous: bytes, values: Sequence[object]) -> tuple[bytes, bytes]:
    """A row that follows that row, in its canonical form, and its hash."""
    try:
        packed = _encode(values)
    except UnicodeEncodeError:
        packed = canonical(values)
    return packed, _sha256(previous + packed).digest()


def verify(rows: Iterable[Sequence[object]], head: Head) -> Iterator[str]:
    """What is wrong with `rows` (ordered by id, hash last), a sentence each; nothing when all is as it was written."""
    previous_id, previous_hash, count = head.anchor_id, head.anchor_hash, 0
    for row in rows:
        row_id, row_hash = row[0], row[-1]
        if not isinstance(row_id, int) or not isinstance(row_hash, bytes):
            yield f"row {row_id}: its id or hash is not of the kind that is written"
            continue
        yield from _check(row, previous_id, previous_hash)
        previous_id, previous_hash, count = row_id, row_hash, count + 1
    yield from _check_end(head, previous_id, previous_hash, count)


def _check(row: Sequence[object], previous_id: int, previous_hash: bytes) -> Iterator[str]:
    row_id = row[0]
    assert isinstance(row_id, int)
    if row_id <= previous_id:
        yield f"row {row_id}: older than the start of the log, which is row {previous_id + 1}"
    elif row_id > previous_id + 1:
        yield f"{_span(previous_id + 1, row_id - 1)} missing: deleted before row {row_id}"
    elif link(previous_hash, row[:-1]) != row[-1]:
        yield f"row {row_id}: does not match its hash: it or the row before it was edited or moved"


def _check_end(head: Head, last_id: int, last_hash: bytes, count: int) -> Iterator[str]:
    if last_id < head.last_id:
        yield f"{_span(last_id + 1, head.last_id)} missing: the newest rows were deleted"
    elif last_id > head.last_id:
        yield f"{_span(head.last_id + 1, last_id)} not known to the head: added by somebody else"
    elif last_hash != head.last_hash:
        yield f"row {last_id}: its hash is not the one in the head: one of them was edited"
    if count != head.count:
        yield f"head: counts {head.count} rows, {count} are there"


def _span(first: int, last: int) -> str:
    return f"row {first} is" if first == last else f"rows {first} to {last} are"
