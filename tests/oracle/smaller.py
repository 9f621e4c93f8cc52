"""A script that shows something -> a smaller script that still shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 400


def smallest(text: str, shows: Callable[[str], bool], tries: int = PATIENCE) -> str:
    """Leave out lines, then characters, as long as what is left still shows it; give up after so many tries."""
    left = [tries]

    def tried(candidate: str) -> bool:
        left[0] -= 1
        return left[0] >= 0 and shows(candidate)

    text = "".join(_without(text.splitlines(keepends=True), tried))
    return "".join(_without(list(text), tried))


def _without(pieces: list[str], tried: Callable[[str], bool]) -> list[str]:
    size = max(1, len(pieces) // 2)
    while True:
        at, found = 0, False
        while at < len(pieces):
            fewer = pieces[:at] + pieces[at + size :]
            if fewer and tried("".join(fewer)):
                pieces, found = fewer, True
            else:
                at += size
        if size == 1 and not found:
            return pieces
        size = max(1, size // 2)
