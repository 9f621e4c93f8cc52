"""Bytes -> a descriptor whose reader may be slow, or may never read again."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_NAMES = {1: "stdout", 2: "stderr"}
_PIECE = select.PIPE_BUF
"""A pipe that is ready takes this much without making us wait."""
_PATIENCE_MS = 500


def write(fd: int, data: bytes, given_up: Callable[[], bool]) -> bool:
    """All of it, however long that takes; False when the reader takes nothing and nobody waits for it any more."""
    view = memoryview(data)
    ready = select.poll()
    ready.register(fd, select.POLLOUT)
    while view:
        if not ready.poll(_PATIENCE_MS):
            if given_up():
                return False
            continue
        view = view[_some(fd, view[:_PIECE]) :]
    return True


def _some(fd: int, piece: memoryview) -> int:
    try:
        return os.write(fd, piece)
    except BlockingIOError:
        return 0
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, f"the output cannot be written to {_NAMES[fd]}: {error.strerror}") from error
