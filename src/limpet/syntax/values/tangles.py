"""A word -> whether bash, which looks for braces before it reads quotes in full, sees others than the tree has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.tree import Arithmetic, Double, Literal, Parameter, Substitution, Word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import Part


def is_tangled(word: Word) -> bool:
    """Whether quotes inside quotes turn what they hold inside out: `"${x:-"{a,b}"}"` is two words."""
    quoted = [part for part in word.parts if isinstance(part, Double)]
    inside = [part for double in quoted for part in _within(double)]
    if any(isinstance(part, Substitution) and part.kind == "`" for part in inside):
        return True  # which quotes the substitution holds is not kept
    return any(isinstance(part, Double) for part in inside) and _holds(word, "{")


def hides_marks(part: Part) -> bool:
    """Whether a brace, or in arithmetic a comma, that the tree has inside this part is counted with those outside."""
    if isinstance(part, Parameter):
        return _holds(part, "{}")
    return isinstance(part, Arithmetic) and _holds(part, "{},.")


def _holds(node: Part | Word, chars: str) -> bool:
    within = [node, *_within(node)]
    return any(isinstance(part, Literal) and any(char in part.text for char in chars) for part in within)


def _within(node: Part | Word) -> Iterator[Part | Word]:
    """All parts inside, but not those of the scripts inside."""
    waiting: list[Part | Word] = [*_children(node)]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(_children(part))


def _children(node: Part | Word) -> tuple[Part | Word, ...]:
    if isinstance(node, (Double, Word)):
        return node.parts
    if isinstance(node, Parameter):
        return node.operands if node.subscript is None else (*node.operands, node.subscript)
    return (node.expression,) if isinstance(node, Arithmetic) else ()
