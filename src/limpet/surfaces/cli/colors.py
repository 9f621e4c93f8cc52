"""Descriptors and the environment -> what may be drawn on them."""

from __future__ import annotations

import os

_NARROWEST, _USUAL = 20, 80


def is_screen(fd: int) -> bool:
    """Whether a person looks, at something on which a line can be drawn again."""
    return os.isatty(fd) and os.environ.get("TERM", "dumb") != "dumb"


def wants_color(fd: int) -> bool:
    """Only on a terminal that can, and never against the user's word."""
    return is_screen(fd) and not os.environ.get("NO_COLOR")


def width(fd: int) -> int:
    """Columns of a terminal, now: people resize theirs."""
    try:
        found = os.get_terminal_size(fd).columns
    except OSError:
        return _USUAL
    return max(_NARROWEST, found) if found else _USUAL
