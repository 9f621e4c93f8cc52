"""Several commands in order, until one does not succeed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.result import Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable


class Blocks(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the bash blocks of a model's answer."""

    found: int
    """Blocks in the answer; fewer have results when one failed."""
    results: tuple[Result, ...]
    summary: str
    """Each command with its output, joined."""


async def in_order(commands: Iterable[str], run: Callable[[str], Awaitable[Result]]) -> list[Result]:
    """The results so far: the last one is the first that was not ok, or the last of all."""
    results = []
    for command in commands:
        results.append(await run(command))
        if not results[-1].ok:
            break
    return results
