"""A terminal for a command that wants one."""

from __future__ import annotations

import msgspec

from limpet.errors import InvalidRequestError

MOST = 1000
"""Rows or columns: more than any screen has."""
_LARGE = 10**12


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """Its size, in characters."""

    rows: int = 24
    columns: int = 80


def checked(terminal: Terminal) -> Terminal:
    """The same, if there can be one of this size. Raises InvalidRequestError."""
    for size in (terminal.rows, terminal.columns):
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MOST:
            told = "a number beyond all bounds" if isinstance(size, int) and abs(size) > _LARGE else repr(size)
            raise InvalidRequestError(f"a terminal has from 1 to {MOST} rows and columns, not {told}", field="terminal")
    return terminal
