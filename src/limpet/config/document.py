"""TOML text -> its tables and the line of each key, or a ConfigError with the line where it stops being TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

import msgspec

from limpet.config.lines import deep_line, dotted_line, key_lines
from limpet.errors import ConfigError

MAX_DOTS = 16
"""No key has as many; the time tomllib takes for one grows with the square of them."""
MAX_DEPTH = 20

_PLACE = r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)"


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A settings file as it was written."""

    tables: Mapping[str, object]
    lines: Mapping[tuple[str, ...], int]
    """The line of each key and table, by its full path."""


def read_document(text: str, path: str) -> Document:
    """`path` is for error messages only."""
    if line := dotted_line(text, more_than=MAX_DOTS):
        raise ConfigError(f"a key with more than {MAX_DOTS} dots is no setting; remove it", source=path, line=line)
    try:
        return Document(tables=tomllib.loads(text), lines=key_lines(text))
    except RecursionError:
        line = deep_line(text, more_than=MAX_DEPTH)
        raise ConfigError("too many brackets within brackets; no setting has so many", source=path, line=line) from None
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text, path) from None
    except ValueError:
        line = _long_number(text)
        raise ConfigError("a number with thousands of digits; shorten it", source=path, line=line) from None


def _syntax_error(message: str, text: str, path: str) -> ConfigError:
    found = re.fullmatch(_PLACE, message)
    what, line, column = found.groups() if found else (message, None, None)
    where = f", column {column}" if column else ""
    number = int(line) if line else text.rstrip("\n").count("\n") + 1
    return ConfigError(f"not valid TOML{where}: {what}; correct it or remove the line", source=path, line=number)


def _long_number(text: str) -> int | None:
    """Where the integer stands that Python refused to convert."""
    long = (match for match in re.finditer(r"[0-9_]++", text) if len(match[0]) > 4000)
    return next((text.count("\n", 0, match.start()) + 1 for match in long), None)
