"""A script and its tree -> the script with a `<<<` in place of each heredoc, and the heredocs themselves gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from limpet.syntax.tree import Node, Redirect, Tree
from oracle.outside import to_bytes, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator


def replaced(text: str, tree: Tree) -> str:
    """The other script; the same, if there are no heredocs."""
    data = to_bytes(text)
    cuts = sorted(cut for node in redirects(tree.body) for cut in _cuts(data, node))
    out, at = b"", 0
    for start, end, new in cuts:
        if start >= at:  # what stands inside a body goes with it
            out += data[at:start] + new
            at = end
    return to_text(out + data[at:])


def redirects(node: Any) -> Iterator[Redirect]:
    """Every redirection in a piece of a tree."""
    if isinstance(node, Redirect):
        yield node
    if isinstance(node, tuple):
        for one in node:
            yield from redirects(one)
    elif isinstance(node, Node):
        for field in msgspec.structs.fields(node):
            yield from redirects(getattr(node, field.name))


def _cuts(data: bytes, node: Redirect) -> Iterator[tuple[int, int, bytes]]:
    if node.operator not in {"<<", "<<-"} or node.body is None:
        return
    fd = data[node.start : node.target.start].split(b"<")[0]
    yield (node.start, node.target.end, fd + b"<<< x")
    after = data.find(b"\n", node.body.end)
    yield (node.body.start, len(data) if after < 0 else after + 1, b"")
