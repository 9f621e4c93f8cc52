"""Files -> what they look like from outside: whether to read them again is known without opening them."""

from __future__ import annotations

import os

Stamp = tuple[tuple[int, int] | None, ...]


def stamp_of(files: tuple[str, ...]) -> Stamp:
    """When each was changed and how long it is; None for one that is not there."""
    return tuple(_look(path) for path in files)


def _look(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
