"""A word -> the commands of its substitutions, walked before the command that the word stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.tree import Arithmetic, Array, Assignment, Double, Parameter, Substitution, Word
from limpet.syntax.walk.changes import changes
from limpet.syntax.walk.found import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import Node, Part
    from limpet.syntax.walk.state import State


def walk_substitutions(word: Word | Assignment | Array, state: State, host: Node, index: int) -> None:
    """Walk what stands inside a word; `index` says which word of its host it is."""
    inside = list(substitutions(word))
    assigned = changes(word).names if inside else ()
    for found in inside:
        if not state.enter(found):
            continue
        with state.apart(Step(found.kind, host.start, index)):
            state.point.strict = False
            for name in assigned:  # before the substitution runs, or behind it
                state.point.forget(name)
            state.walk_script(found.body, state)
        state.leave()


def substitutions(word: Word | Assignment | Array) -> Iterator[Substitution]:
    """The substitutions of a word, in the order they stand, not those inside them."""
    for part in _parts(word):
        yield from _in_part(part)


def _parts(word: Word | Assignment | Array) -> Iterator[Part]:
    if isinstance(word, Word):
        yield from word.parts
    elif isinstance(word, Assignment):
        yield from word.subscript.parts if word.subscript is not None else ()
        yield from _parts(word.value)
    else:
        for element in word.elements:
            yield from element.subscript.parts if element.subscript is not None else ()
            yield from element.value.parts


def _in_part(part: Part) -> Iterator[Substitution]:
    if isinstance(part, Substitution):
        yield part
    elif isinstance(part, Double):
        for inner in part.parts:
            yield from _in_part(inner)
    elif isinstance(part, Arithmetic):
        yield from substitutions(part.expression)
    elif isinstance(part, Parameter):
        if part.subscript is not None:
            yield from substitutions(part.subscript)
        for operand in part.operands:
            yield from substitutions(operand)
