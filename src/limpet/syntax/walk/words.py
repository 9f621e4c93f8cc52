"""The substitutions inside words -> their commands, walked before the command that they stand in."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from limpet.syntax.tree import Arithmetic, Array, Assignment, Double, Literal, Parameter, Substitution, Word
from limpet.syntax.values.field import Field
from limpet.syntax.values.resolve import target, text
from limpet.syntax.values.tilde import Tildes
from limpet.syntax.walk.found import Opened, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import Case, For, ForArithmetic, Group, If, Loop, Node, Part, Redirect, Subshell
    from limpet.syntax.walk.state import State

    Redirected = Case | For | ForArithmetic | Group | If | Loop | Subshell


def walk_words(words: tuple[Word | Assignment, ...], state: State, host: Node) -> None:
    """Walk what stands inside the words of a command."""
    for index, word in enumerate(words):
        walk_word(word, state, host, index)


def walk_word(word: Word | Assignment | Array, state: State, host: Node, index: int) -> None:
    """Walk what stands inside a word; `index` says which word of its host it is."""
    if isinstance(word, Word) and len(word.parts) == 1 and isinstance(word.parts[0], Literal):
        return
    for found in substitutions(word):
        step = Step(found.kind, host.start, index)
        if state.enter(found):
            with state.apart(step):
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


def walk_redirects(redirects: tuple[Redirect, ...], state: State, host: Node) -> tuple[Opened, ...]:
    """Walk what stands in targets and bodies, and resolve them."""
    result = []
    for redirect in redirects:
        walk_word(redirect.target, state, host, -1)
        if redirect.body is not None:
            walk_word(redirect.body, state, host, -1)
        result.append(opened(redirect, state))
    return tuple(result)


def opened(redirect: Redirect, state: State) -> Opened:
    """A redirection with its target resolved."""
    if redirect.operator in ("<<", "<<-"):
        body = text(redirect.body, state.scope, Tildes.NOWHERE) if redirect.body is not None else None
        return Opened(redirect, Field(), body)
    if redirect.operator == "<<<":
        return Opened(redirect, Field(), text(redirect.target, state.scope))
    return Opened(redirect, target(redirect.target, state.scope))


@contextmanager
def redirected(node: Redirected, state: State) -> Iterator[None]:
    """Inside a compound command, whose redirections hold for all that stands in it."""
    before = state.opened
    if node.redirects:
        state.opened = (*walk_redirects(node.redirects, state, node), *before)
    yield
    state.opened = before
