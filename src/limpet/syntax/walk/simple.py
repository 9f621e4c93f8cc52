"""A simple command -> what is known of it, found; and what it changes for those behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.tree import Array, Assignment, Calculation, Literal, Opaque, Parameter, Simple, Test, Word
from limpet.syntax.values.assign import assign, declared_elements
from limpet.syntax.values.field import UNKNOWN, Field
from limpet.syntax.values.reader import Reader
from limpet.syntax.values.resolve import fields, text
from limpet.syntax.values.tilde import Tildes
from limpet.syntax.walk.again import in_assignment, in_test
from limpet.syntax.walk.arithmetic import in_expression, mark_numbers, shown
from limpet.syntax.walk.changes import changes
from limpet.syntax.walk.evaluate import evaluate
from limpet.syntax.walk.evaluators import in_command
from limpet.syntax.walk.found import Assigned, Found
from limpet.syntax.walk.names import is_index, is_number
from limpet.syntax.walk.running import run
from limpet.syntax.walk.words import text_of_pipe, walk_redirects, walk_word

if TYPE_CHECKING:
    from limpet.syntax.tree import Term
    from limpet.syntax.walk.found import Again, Opened
    from limpet.syntax.walk.point import Point
    from limpet.syntax.walk.state import State

_DECLARING = frozenset({"alias", "declare", "export", "local", "readonly", "typeset"})
_PLAIN = re.compile(r"[^*?\[{~=\\]*+")
_ARITHMETIC_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})


def walk_simple(node: Simple, state: State) -> bool:
    """Note the command and do to the scope what it does; whether what stands behind it is still reached."""
    if not state.spend(node):
        return True
    state.at = state.span(node)
    argv, again = _argv(node, state)
    for each in again:
        evaluate(each, state)
    before = state.point
    state.point = before.copy() if argv and node.assignments else before
    assigned, from_assigned = _assign_all(node, state)
    within, state.point = state.point, before
    _settle(node, within, state)
    opened, from_opened = walk_redirects(node.redirects, state, node) if node.redirects else ((), ())
    for each in from_opened:
        evaluate(each, state)
    own = in_command(argv, opened, state.at, state)
    found = _note(state, node, opened, (*again, *from_assigned, *from_opened, *own), argv, assigned)
    return run(found, own, within, state) if argv else True


def _argv(node: Simple, state: State) -> tuple[tuple[Field, ...], list[Again]]:
    found: list[Field] = []
    again: list[Again] = []
    declares = state.loose = False
    state.arrays, state.fed = [], []
    for index, word in enumerate(node.words):
        if isinstance(word, Assignment):
            if any("A" in (field.text or "") for field in found[1:]) and state.point.may_be_keyed(word.name):
                state.point.keyed |= {word.name}
            again.extend(walk_word(word, state, node, index))
            elements = declared_elements(word, state.scope)
            for name in changes(word).names:
                state.point.forget(name)
            found.append(Field((f"{word.name}{'+' * word.append}=(", UNKNOWN, ")")))
            state.arrays.append((found[-1], elements))
        elif (plain := _plain(word)) is not None:
            found.append(Field((plain,)))
        else:
            again.extend(walk_word(word, state, node, index))
            found.extend(fields(word, state.scope, declares=declares))
            if (piped := text_of_pipe(word, state)) is not None:
                state.fed.append((found[-1], piped))
            state.loose |= found[-1:] != [] and found[-1].many and not _is_number(word, state)
        if len(found) == 1:
            declares = found[0].text in _DECLARING
    return tuple(found), again


def _is_number(word: Word, state: State) -> bool:
    """Whether the word is a variable that holds a number."""
    only = word.parts[0] if len(word.parts) == 1 else None
    plain = isinstance(only, Parameter) and not only.operator and only.subscript is None and not only.indirect
    return isinstance(only, Parameter) and plain and state.point.is_number(only.name)


def _plain(word: Word) -> str | None:
    """The text of a word that nothing is done to."""
    if len(word.parts) != 1:
        return None
    part = word.parts[0]
    if isinstance(part, Literal) and part.text and (part.quoted or _PLAIN.fullmatch(part.text)):
        return part.text
    return None


def _assign_all(node: Simple, state: State) -> tuple[tuple[Assigned, ...], list[Again]]:
    """Do the assignments one after the other, each with what the ones before it have done."""
    found: list[Assigned] = []
    again: list[Again] = []
    for each in node.assignments:
        inside = walk_word(each, state, node, -1)
        found.append(Assigned(each, _value(each, state)))
        inside = (*inside, *in_assignment(found[-1], state))
        again.extend(inside)
        _assign(each, state)
        for one in inside:
            evaluate(one, state)
    return tuple(found), again


def _value(node: Assignment, state: State) -> Field | None:
    return None if isinstance(node.value, Array) else text(node.value, state.scope.copy(), Tildes.VALUE)


def _assign(node: Assignment, state: State) -> None:
    assign(node, state.scope)
    value = node.value
    kept = node.append and not state.point.is_number(node.name)
    state.point.mark(node.name, number=isinstance(value, Word) and is_number(value) and not kept)
    state.faulty |= state.point.is_frozen(node.name) or any(not is_index(word) for word in _subscripts(node))
    if node.name == "BASH_ALIASES":
        state.aliases.add("")


def _subscripts(node: Assignment) -> list[Word]:
    elements = node.value.elements if isinstance(node.value, Array) else ()
    found = [node.subscript, *(element.subscript for element in elements)]
    return [word for word in found if word is not None]


def _settle(node: Simple, within: Point, state: State) -> None:
    """What expanding the assigned values changed besides stays, though what they assign may not."""
    if within is state.point:
        return
    for each in node.assignments:
        scratch = state.scope.copy()
        if not isinstance(each.value, Array):
            text(each.value, scratch, Tildes.VALUE)
        state.scope.join(scratch)
    state.scope.evaluates |= within.scope.evaluates


def walk_test(node: Test, state: State) -> bool:
    """`[[ … ]]`: it runs nothing but what stands in its words, or what they evaluate again."""
    if not state.spend(node):
        return True
    state.at = state.span(node)
    again: list[Again] = []
    for index, term in enumerate(node.terms):
        if not isinstance(term, Opaque):
            for word in term.words:
                again.extend(walk_word(word, state, node, index))
    opened, from_opened = walk_redirects(node.redirects, state, node)
    again = [*dict.fromkeys((*again, *from_opened, *in_test(node, state)))]
    if again or opened:
        _note(state, node, opened, tuple(again))
    for each in again:
        evaluate(each, state)
    for term in node.terms:
        if not isinstance(term, Opaque):
            _expand_term(term, state)
    return True


def _expand_term(term: Term, state: State) -> None:
    """Whether it comes to this term is not known, nor what its expansions change."""
    before = state.point.copy()
    for word in term.words:
        if term.operator in _ARITHMETIC_TESTS:
            Reader(state.scope).number(word)
        else:
            text(word, state.scope)
    state.point.join(before)


def walk_calculation(node: Calculation, state: State) -> bool:
    """`(( … ))`."""
    if not state.spend(node):
        return True
    state.at = state.span(node)
    again = walk_word(node.expression, state, node, 0)
    opened, from_opened = walk_redirects(node.redirects, state, node)
    again = (*again, *from_opened, *in_expression(node.expression, "((", state))
    if again or opened:
        _note(state, node, opened, tuple(dict.fromkeys(again)))
    for each in again:
        evaluate(each, state)
    calculate(node.expression, state)
    return True


def calculate(expression: Word, state: State) -> None:
    """Do to the scope what an expression does."""
    Reader(state.scope).number(expression)
    mark_numbers(shown(expression), state)


def _note(
    state: State,
    node: Simple | Test | Calculation,
    opened: tuple[Opened, ...],
    again: tuple[Again, ...],
    argv: tuple[Field, ...] = (),
    assigned: tuple[Assigned, ...] = (),
) -> Found:
    start, end = state.span(node)
    name = argv[0].text if argv else None
    function = name is not None and state.find(name)[1]
    if name is not None and not function:
        state.plain.add(name)
    around = (*opened, *state.opened) if state.opened else opened
    cwd, folders = state.scope.cwd, state.folders
    found = Found(node, start, end, argv, assigned, around, state.steps, cwd, again, function, folders)
    state.found.append(found)
    return found
