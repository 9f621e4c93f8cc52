"""A tree -> what is wrong with where its nodes say they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from limpet.syntax.tree import Node, Redirect, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator


def misplaced(tree: Tree, length: int) -> list[str]:
    """Nodes that are not inside the node they belong to; a heredoc's body stands after the line that announces it."""
    return [
        f"{type(node).__name__} {node.start}-{node.end} in {low}-{high}"
        for node, low, high in _walk(tree.body, 0, length)
    ]


def _walk(node: Any, low: int, high: int) -> Iterator[tuple[Node, int, int]]:
    if isinstance(node, tuple):
        for one in node:
            yield from _walk(one, low, high)
    elif isinstance(node, Node):
        if not low <= node.start <= node.end <= high:
            yield (node, low, high)
        for name, value in _fields(node):
            inside = (node.start, node.end) if name != "body" or not isinstance(node, Redirect) else (node.end, 2**62)
            yield from _walk(value, *inside)


def _fields(node: Node) -> Iterator[tuple[str, Any]]:
    return ((field.name, getattr(node, field.name)) for field in msgspec.structs.fields(node))
