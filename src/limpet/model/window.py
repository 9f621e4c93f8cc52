"""How much of an output a reader is shown."""

from __future__ import annotations

import enum
import functools

import msgspec


class Truncate(enum.StrEnum):
    """Which part of too long an output is shown."""

    MIDDLE = "middle"
    """Both ends; the middle is left out."""
    TAIL = "tail"
    """The end."""
    HEAD = "head"
    """The beginning."""


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """A budget of characters: up to `budget` everything is shown, past it the first `head` and the last `tail`."""

    budget: int
    head: int
    tail: int

    @staticmethod
    def of(budget: int, truncate: Truncate = Truncate.MIDDLE) -> Window:
        """A window that spends its whole budget in the way `truncate` says."""
        head = {Truncate.MIDDLE: budget // 2, Truncate.HEAD: budget, Truncate.TAIL: 0}[truncate]
        return Window(budget=budget, head=head, tail=budget - head)


PRESETS = {
    "standard": Window.of(30_000),
    "recent": Window.of(50_000, Truncate.TAIL),
    "compact": Window(budget=3_500, head=2_500, tail=1_000),
    "small-model": Window(budget=1_500, head=1_000, tail=500),
    "whole": Window.of(10 * 1024 * 1024),
}
"""Names that may stand where a way of truncating may."""


@functools.lru_cache(maxsize=64)
def window_for(truncate: str, max_output: int | None) -> Window:
    """The window for `middle`, `tail`, `head` or a preset's name; a number of characters overrides a preset's.

    Raises KeyError for a name that is neither.
    """
    if truncate in PRESETS:
        return PRESETS[truncate] if max_output is None else Window.of(max_output)
    way = {one.value: one for one in Truncate}[truncate]
    return Window.of(PRESETS["standard"].budget if max_output is None else max_output, way)
