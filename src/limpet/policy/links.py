"""Links that a script makes -> where its paths lead, once the links are there."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST = 40
"""That are followed for one path, as in Linux."""


class Links:
    """The links of one script. Knows nothing of who asks, so that no circle keeps a judging in memory."""

    def __init__(self, outer: Callable[[str], str] | None) -> None:
        """`outer` follows the links that exist."""
        self._outer = outer
        self._targets: dict[str, str] = {}
        self._lengths: list[int] = []

    def add(self, path: str, target: str) -> None:
        """Note a link, and where it leads."""
        self._targets[path] = target
        if len(path) not in self._lengths:
            insort(self._lengths, len(path))

    def follow(self, path: str) -> str:
        """A path behind the links that the script has made, and those that exist."""
        for _ in range(_MOST if self._targets else 0):
            length = self._linked(path)
            if length is None:
                break
            path = self._targets[path[:length]].rstrip("/") + path[length:]
        return self._outer(path) if self._outer is not None else path

    def _linked(self, path: str) -> int | None:
        """How much of a path is a link; the lengths that links have are fewer than the links, and than the names."""
        fitting = (length for length in self._lengths if path[length : length + 1] in ("", "/"))
        return next((length for length in fitting if path[:length] in self._targets), None)
