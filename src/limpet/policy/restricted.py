"""A text -> what a profile that wants one plain command at a time objects to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLAIN = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\})")
_OBJECTED = re.compile(r"[;&`{}$\n]")


def restricted(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each `;`, `&`, backtick, line end, and each brace or `$` outside `$NAME` and `${NAME}`, quoted or not."""
    pos = counted = start = 0
    while (found := _OBJECTED.search(text, pos)) is not None:
        plain = _PLAIN.match(text, found.start())
        pos = plain.end() if plain is not None else found.end()
        if plain is None:
            start += len(text[counted : found.start()].encode("utf-8", "surrogatepass"))
            counted = found.start()
            yield f"has a {_name(found[0])}, which the profile does not allow", (start, start + 1)


def _name(char: str) -> str:
    return "line end" if char == "\n" else f"`{char}`" if char != "`" else "backtick"
