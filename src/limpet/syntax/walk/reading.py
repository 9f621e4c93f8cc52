"""Text -> the tree that is walked, and where its lines end."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser import parse
from limpet.syntax.parser.source import to_bytes
from limpet.syntax.tree import Function, Literal, Opaque, Tree
from limpet.syntax.walk.names import every_node, literal

if TYPE_CHECKING:
    from limpet.syntax.tree import Script

_LIVE_SUBSCRIPT = late(r"\[[^\]\[]*?(?:\$[({]|`)")
PRINTING = frozenset({None, "cat", "dirname", "echo", "printf", "pwd"})
_WORTH_A_LOOK = late(r"\\|\([ \t]*+\)|function|" + _LIVE_SUBSCRIPT.pattern)
"""Without any of these no text has such a subscript, and no function is defined; a backslash may hide them."""
_SAME_LINE = late(rb"(?:[ \t;&]|\\\n)*+\Z")


def read(text: str) -> Tree:
    """Parse a script; one that speaks of extended globs, and is not understood without them, with them."""
    tree = parse(text)
    if "extglob" not in text:
        return tree
    other = parse(text, extglob=True)
    if other.body == tree.body:
        return tree
    if tree.opaque and not other.opaque:
        return other
    reason = Opaque(0, tree.body.end, "what it means depends on whether extended globs are on")
    return Tree(tree.body, (*tree.opaque, reason))


def survey(tree: Tree, text: str | None) -> tuple[bool, bool]:
    """Look at all of a script for two odd things.

    Whether a quoted text has a subscript that runs something, once arithmetic evaluates it; and whether `echo` or its
    kin may be functions.
    """
    live = shadows = False
    if text is not None and _WORTH_A_LOOK.search(text) is None:
        return live, shadows
    for node in every_node(tree.body):
        if isinstance(node, Literal):
            live = live or may_run(node.text)
        elif isinstance(node, Function):
            shadows = shadows or literal(node.name) in PRINTING
    return live, shadows


def may_run(text: str) -> bool:
    """Whether the text has a subscript that runs something, once arithmetic evaluates it."""
    return "[" in text and _LIVE_SUBSCRIPT.search(text) is not None


def line_ends(script: Script, text: str) -> list[bool]:
    """For each command, whether the line ends behind it: bash reads a whole line before it runs any of it."""
    data = to_bytes(text)
    commands = script.commands
    ends = [_SAME_LINE.match(data, here.end, there.start) is None for here, there in pairwise(commands)]
    return [*ends, True] if commands else []
