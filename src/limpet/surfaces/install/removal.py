"""A JSON text that its program has written anew since -> the same without what limpet had put there.

The text that was put there is not found any more, but what it said is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limpet.surfaces.install.jsonc import Node, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def without_member(text: str, path: Sequence[str], ours: Callable[[Any], bool]) -> str:
    """Without the value at that path, where it is ours. Raises UnreadableError."""
    parent = _at(parse(text), path[:-1])
    there = None if parent is None else parent.member(path[-1])
    if parent is None or there is None or not ours(there.value):
        return text
    return _cut(text, parent, [node for _, node in parent.members].index(there))


def without_elements(text: str, path: Sequence[str], ours: Callable[[Any], bool]) -> str:
    """Without those of the list at that path that are ours. Raises UnreadableError."""
    while (there := _at(parse(text), path)) is not None:
        mine = [index for index, node in enumerate(there.elements) if ours(node.value)]
        if not mine:
            break
        text = _cut(text, there, mine[-1])
    return text


def without_empty(text: str, path: Sequence[str], known: Any) -> str:
    """Without the objects and lists on that path in which nothing is, and which were not there before."""
    for length in range(len(path), 0, -1):
        below = known
        for key in path[:length]:
            below = below.get(key) if isinstance(below, dict) else None
        if below is not None:
            break
        text = without_member(text, path[:length], lambda value: value in ({}, []))
    return text


def _at(node: Node | None, path: Sequence[str]) -> Node | None:
    for key in path:
        node = None if node is None else node.member(key)
    return node


def _cut(text: str, parent: Node, index: int) -> str:
    """Without one member or element, and the comma that stood between it and another."""
    starts = parent.names or [node.start for node in parent.elements]
    ends = [node.end for node in parent.held]
    if len(ends) == 1:
        begin, end = starts[0], parent.comma or ends[0]
        around = text[parent.start + 1 : begin] + text[end : parent.end - 1]
        return text[: parent.start + 1] + ("" if not around.strip() else around) + text[parent.end - 1 :]
    if index == len(ends) - 1:
        return text[: ends[index - 1]] + text[ends[index] :]
    comma = text.index(",", ends[index]) + 1
    blank = not text[comma : starts[index + 1]].strip()
    return text[: starts[index]] + text[starts[index + 1] if blank else comma :]
