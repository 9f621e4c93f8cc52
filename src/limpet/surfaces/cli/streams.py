"""The three standard streams, when one of them is closed or nobody is at its other end."""

from __future__ import annotations

import os
import sys


def open_missing_streams() -> None:
    """Where a stream was closed, the next file would get its number and then our words."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or os.fdopen(0, "r", encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)


def drop_unwritable_words() -> None:
    """What nobody can be told any more: Python would try again at its end, and complain."""
    for fd, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), fd)
