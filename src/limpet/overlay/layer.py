"""A workspace and the layer above it -> each path on which they differ, with what is on either side.

The cost grows with the layer: of the workspace only what stands in the layer is looked at.
"""

from __future__ import annotations

import enum
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from limpet.overlay.meta import mark
from limpet.overlay.tree import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.overlay.tree import Tree

Status = os.stat_result


class Pair(NamedTuple):
    """Both sides of a path."""

    path: bytes
    before: Status | None
    after: Status | None
    unit: bytes | None
    """The topmost path that differs as a whole, of which this is a part; None for a folder that goes on as it is."""


class _How(enum.Enum):
    MERGED = enum.auto()
    """What is not in the layer is as it was."""
    REPLACED = enum.auto()
    """What is not in the layer is gone."""
    NEW = enum.auto()
    GONE = enum.auto()


_Folder = tuple[bytes, _How, bytes | None]


def differing(lower: Tree, upper: Tree) -> Iterator[Pair]:
    """A folder before what is in it. The workspace itself is the first."""
    yield Pair(b"", lower.status(b""), upper.status(b""), None)
    stack: list[_Folder] = [(b"", _How.MERGED, None)]
    while stack:
        path, how, unit = stack.pop()
        for pair, below in _children(lower, upper, path, how, unit):
            yield pair
            if below is not None:
                stack.append((pair.path, below, pair.unit))


def compared(before: Tree, after: Tree) -> Iterator[Pair]:
    """The same for two whole trees, as with copies: everything in both is looked at."""
    yield Pair(b"", before.status(b""), after.status(b""), None)
    stack = [b""]
    while stack:
        for pair in _union(before, after, stack.pop(), None):
            folder = is_folder(pair.before) and is_folder(pair.after)
            yield pair._replace(unit=None if folder else pair.path)
            if folder:
                stack.append(pair.path)
            elif is_folder(pair.before):
                yield from (Pair(path, status, None, pair.path) for path, status in before.below(pair.path))
            elif is_folder(pair.after):
                yield from (Pair(path, None, status, pair.path) for path, status in after.below(pair.path))


def is_folder(status: Status | None) -> bool:
    """Whether it is there and a folder."""
    return status is not None and stat.S_ISDIR(status.st_mode)


def is_whiteout(status: Status) -> bool:
    """Whether it stands for something that is gone."""
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == 0


def _children(
    lower: Tree, upper: Tree, path: bytes, how: _How, unit: bytes | None
) -> Iterator[tuple[Pair, _How | None]]:
    if how is _How.MERGED:
        for name, status in upper.listing(path):
            pair = _merged(lower, upper, join(path, name), status)
            if pair is not None:
                yield pair, _How.MERGED if pair.unit is None else _below(pair)
    elif how is _How.REPLACED:
        yield from ((pair, _below(pair)) for pair in _union(lower, upper, path, unit))
    elif how is _How.GONE:
        for name, status in lower.listing(path):
            yield Pair(join(path, name), status, None, unit), how if is_folder(status) else None
    else:
        for name, status in upper.listing(path):
            if not is_whiteout(status):
                yield Pair(join(path, name), None, status, unit), how if is_folder(status) else None


def _merged(lower: Tree, upper: Tree, path: bytes, status: Status) -> Pair | None:
    before = lower.status(path)
    if is_whiteout(status):
        return Pair(path, before, None, path) if before is not None else None
    goes_on = is_folder(before) and is_folder(status) and mark(upper, path, "opaque") != b"y"
    return Pair(path, before, status, None if goes_on else path)


def _below(pair: Pair) -> _How | None:
    if is_folder(pair.before):
        return _How.REPLACED if is_folder(pair.after) else _How.GONE
    return _How.NEW if is_folder(pair.after) else None


def _union(before: Tree, after: Tree, path: bytes, unit: bytes | None) -> Iterator[Pair]:
    olds = dict(before.listing(path))
    news = {name: status for name, status in after.listing(path) if not is_whiteout(status)}
    for name in sorted(olds.keys() | news.keys()):
        yield Pair(join(path, name), olds.get(name), news.get(name), unit)
