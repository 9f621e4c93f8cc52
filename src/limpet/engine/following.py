"""Stored output that grows -> its bytes as they come."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from limpet.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.engine.stored import StoredLog

_QUICK, _SLOW = 0.05, 0.25
"""Seconds between two looks: soon after something came, and when nothing does."""


class Piece(NamedTuple):
    """What came."""

    data: bytes
    dropped: int = 0
    """Bytes before it that were gone before they could be read."""


def follow(
    open_log: Callable[[], StoredLog], *, since: int, stream: str | None, over: Callable[[], bool]
) -> Iterator[Piece]:
    """Every byte from `since` on, until `over` and nothing is left; each once, whichever file it has moved to."""
    at, pause = since, _QUICK
    while True:
        done = over()  # asked first: what was printed before the end is read after it
        before = at
        try:
            with open_log().view() as view:
                if at < view.first:
                    yield Piece(b"", view.first - at)
                for _, data in view.read(at, stream):
                    yield Piece(data)
                at = max(at, view.end)
        except StoreError:
            if done:
                return
        if done:
            return
        pause = _QUICK if at > before else min(_SLOW, pause * 1.5)
        time.sleep(pause)
