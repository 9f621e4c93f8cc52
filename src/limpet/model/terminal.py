"""A terminal for a command that wants one."""

from __future__ import annotations

import msgspec

MOST = 1000
"""Rows or columns: more than any screen has."""


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """Its size, in characters."""

    rows: int = 24
    columns: int = 80
