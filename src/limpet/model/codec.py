"""Values -> JSON, whatever bytes they carry."""

from __future__ import annotations

from typing import Any

import msgspec

_encoder = msgspec.json.Encoder()


def to_json(value: object) -> str:
    r"""One line of JSON. File names that are not UTF-8 are shown with `\xNN` for the bytes that are not text."""
    try:
        return _encoder.encode(value).decode()
    except UnicodeEncodeError:
        return _encoder.encode(_printable(msgspec.to_builtins(value))).decode()


def printable(text: str) -> str:
    r"""`text` with surrogates (bytes that are not UTF-8) written as `\xNN`."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_printable(item) for item in value]
    return value
