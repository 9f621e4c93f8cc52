"""A script that bash reads only after changing its text -> its tree, with spans in the text as it was given."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from limpet.syntax.parser.reader import Reader
from limpet.syntax.parser.source import mark
from limpet.syntax.tree import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Some = TypeVar("_Some")


def read_derived(reader: Reader, text: str, offsets: Sequence[int], rule: Callable[[Reader], _Some]) -> _Some:
    """Apply a rule to changed text. `offsets` says of each of its characters, and of its end, where it stood."""
    inner = Reader(mark(text), reader.rules, extglob=reader.extglob, depth=reader.depth + 1)
    value = rule(inner)
    reader.opaque.extend(_moved(node, offsets) for node in inner.opaque)
    return _moved(value, offsets)


def _moved(value: _Some, offsets: Sequence[int]) -> _Some:
    """The same tree elsewhere. Trees are no deeper than the parser goes, so this may call itself."""
    moved: object = value
    if isinstance(value, tuple):
        moved = tuple(_moved(each, offsets) for each in value)
    elif isinstance(value, Node):
        fields = {name: _moved(getattr(value, name), offsets) for name in value.__struct_fields__[2:]}
        moved = msgspec.structs.replace(value, start=offsets[value.start], end=offsets[value.end], **fields)
    return moved  # type: ignore[return-value]  # of the same type as before, which the checker cannot see
