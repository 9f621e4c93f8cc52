"""A simple command -> what is known of it, found; and what it changes for those behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.tree import Array, Assignment, Calculation, Literal, Opaque, Simple, Test, Word
from limpet.syntax.values.assign import assign
from limpet.syntax.values.field import UNKNOWN, Field
from limpet.syntax.values.reader import Reader
from limpet.syntax.values.resolve import fields, text
from limpet.syntax.values.tilde import Tildes
from limpet.syntax.walk.again import in_command, in_expression, in_test, in_words
from limpet.syntax.walk.builtins import apply
from limpet.syntax.walk.calls import evaluate
from limpet.syntax.walk.found import Assigned, Found
from limpet.syntax.walk.words import walk_redirects, walk_word, walk_words

if TYPE_CHECKING:
    from limpet.syntax.walk.found import Again, Opened
    from limpet.syntax.walk.state import State

_DECLARING = frozenset({"alias", "declare", "export", "local", "readonly", "typeset"})
_PLAIN = re.compile(r"[^*?\[{~=\\]*+")


def walk_simple(node: Simple, state: State) -> bool:
    """Note the command and do to the scope what it does; whether what stands behind it is still reached."""
    if not state.spend(node):
        return True
    walk_words(node.words, state, node)
    argv = _argv(node, state)
    opened = walk_redirects(node.redirects, state, node) if node.redirects else ()
    assigned = tuple(_assigned(each, state, node) for each in node.assignments)
    again = (*in_words(node, state), *in_command(node, argv, assigned, state))
    found = _note(state, node, opened, again, argv, assigned)
    if argv:
        return apply(found, state)
    for each in node.assignments:
        assign(each, state.scope)
    return True


def _argv(node: Simple, state: State) -> tuple[Field, ...]:
    found: list[Field] = []
    declares = False
    for word in node.words:
        if isinstance(word, Assignment):
            found.append(Field((f"{word.name}{'+' * word.append}=(", UNKNOWN, ")")))
        elif (plain := _plain(word)) is not None:
            found.append(Field((plain,)))
        else:
            found.extend(fields(word, state.scope, declares=declares))
        if len(found) == 1:
            declares = found[0].text in _DECLARING
    return tuple(found)


def _plain(word: Word) -> str | None:
    """The text of a word that nothing is done to."""
    if len(word.parts) != 1:
        return None
    part = word.parts[0]
    if isinstance(part, Literal) and part.text and (part.quoted or _PLAIN.fullmatch(part.text)):
        return part.text
    return None


def _assigned(node: Assignment, state: State, host: Simple) -> Assigned:
    walk_word(node, state, host, -1)
    if isinstance(node.value, Array):
        return Assigned(node, None)
    return Assigned(node, text(node.value, state.scope.copy(), Tildes.VALUE))


def walk_test(node: Test, state: State) -> bool:
    """`[[ … ]]`: it runs nothing but what stands in its words, or what they evaluate again."""
    words = tuple(word for term in node.terms if not isinstance(term, Opaque) for word in term.words)
    walk_words(words, state, node)
    opened = walk_redirects(node.redirects, state, node)
    again = in_test(node, state)
    if again or opened:
        _note(state, node, opened, again)
    return True


def walk_calculation(node: Calculation, state: State) -> bool:
    """`(( … ))`."""
    walk_word(node.expression, state, node, 0)
    opened = walk_redirects(node.redirects, state, node)
    again = in_expression(node.expression, "((", state)
    if again or opened:
        _note(state, node, opened, again)
    Reader(state.scope).number(node.expression)
    return True


def _note(
    state: State,
    node: Simple | Test | Calculation,
    opened: tuple[Opened, ...],
    again: tuple[Again, ...],
    argv: tuple[Field, ...] = (),
    assigned: tuple[Assigned, ...] = (),
) -> Found:
    start, end = state.span(node)
    function = bool(argv) and argv[0].text in state.functions
    around = (*opened, *state.opened) if state.opened else opened
    found = Found(node, start, end, argv, assigned, around, state.steps, state.scope.cwd, again, function)
    state.found.append(found)
    for each in again:
        evaluate(each, state)
    return found
