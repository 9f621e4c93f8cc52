"""Values -> bytes in a file, and back: also names that are not UTF-8."""

from __future__ import annotations

import json
from typing import TypeVar

import msgspec

_Value = TypeVar("_Value")
_JSON = b"{"
"""No value of ours begins with it otherwise."""


def pack(value: msgspec.Struct) -> bytes:
    """Short where it can be; where a name is not UTF-8, as JSON that spells out its bytes."""
    try:
        return msgspec.msgpack.encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value)).encode("ascii")


def unpack(data: bytes, kind: type[_Value]) -> _Value:
    """Raises ValueError for what was not packed as that."""
    try:
        if data.startswith(_JSON):
            return msgspec.convert(json.loads(data), kind)
        return msgspec.msgpack.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error
