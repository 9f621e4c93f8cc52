"""A command -> the texts that it evaluates once more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.tree import Arithmetic, Array, Assignment, Double, Literal, Opaque, Parameter, Word
from limpet.syntax.values.field import Field
from limpet.syntax.values.resolve import text
from limpet.syntax.walk.evaluators import EVALUATORS
from limpet.syntax.walk.found import Again

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import Node, Part, Simple, Term, Test
    from limpet.syntax.walk.found import Assigned
    from limpet.syntax.walk.state import State

_ARITHMETIC_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_EXPANDED_VARIABLES = frozenset({"PS0", "PS1", "PS2", "PS3", "PS4"})
_RUN_VARIABLES = frozenset({"PROMPT_COMMAND", "BASH_ENV", "ENV"})
_LIVE = re.compile(r"[$`]")
_NAMES = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def in_command(
    node: Simple, argv: tuple[Field, ...], assigned: tuple[Assigned, ...], state: State
) -> tuple[Again, ...]:
    """What the command evaluates by being what it is, and what its assignments have bash evaluate."""
    found = [again for each in assigned if (again := _in_assignment(each, state)) is not None]
    name = argv[0].text if argv else None
    evaluator = EVALUATORS.get(name.rpartition("/")[2]) if name else None
    if evaluator is not None and name is not None:
        found.extend(evaluator(argv, *state.span(node)))
    return tuple(found)


def _in_assignment(assigned: Assigned, state: State) -> Again | None:
    name, value = assigned.node.name, assigned.value
    known = value.text if value is not None else None
    span = state.span(assigned.node)
    if name in _EXPANDED_VARIABLES and (known is None or _LIVE.search(known)):
        return Again("words", name, known, *span)
    if name in _RUN_VARIABLES:
        return Again("later" if name == "PROMPT_COMMAND" else "file", name, known, *span)
    return None


def in_words(node: Simple, state: State) -> tuple[Again, ...]:
    """What the expansions in its words evaluate: `${v@P}`, and variables in arithmetic that hold more than a number."""
    found: list[Again] = []
    for word in (*node.words, *(redirect.target for redirect in node.redirects)):
        found.extend(_in_word(word, state))
    for assignment in node.assignments:
        found.extend(_in_word(assignment, state))
    return tuple(found)


def _in_word(word: Word | Assignment | Array, state: State) -> Iterator[Again]:
    if isinstance(word, Word):
        if len(word.parts) == 1 and isinstance(word.parts[0], Literal):
            return
        for part in word.parts:
            yield from _in_part(part, state)
    elif isinstance(word, Assignment):
        if word.subscript is not None:
            yield from in_expression(word.subscript, "[", state)
        yield from _in_word(word.value, state)
    else:
        for element in word.elements:
            yield from _in_word(element.value, state)


def _in_part(part: Part, state: State) -> Iterator[Again]:
    if isinstance(part, Double):
        for inner in part.parts:
            yield from _in_part(inner, state)
    elif isinstance(part, Arithmetic):
        yield from in_expression(part.expression, "$((", state)
    elif isinstance(part, Parameter):
        yield from _in_parameter(part, state)


def _in_parameter(part: Parameter, state: State) -> Iterator[Again]:
    if part.operator == "@P":
        yield Again("words", "${@P}", _value(part.name, state), *state.span(part))
    if part.indirect and part.subscript is None and part.operator != "names":
        yield from _if_live("${!}", _value(part.name, state), state, part)
    if part.subscript is not None:
        yield from in_expression(part.subscript, "[", state)
    for operand in part.operands:
        if part.operator == ":":
            yield from in_expression(operand, "${:}", state)
        else:
            yield from _in_word(operand, state)


def in_expression(word: Word, by: str, state: State) -> tuple[Again, ...]:
    """Arithmetic evaluates what its variables hold, and a subscript in there is expanded."""
    found: list[Again] = []
    for part in word.parts:
        found.extend(_in_part(part, state))
        if isinstance(part, Literal):
            for name in _NAMES.findall(part.text):
                found.extend(_if_live(by, _value(name, state), state, word))
        elif isinstance(part, Parameter):
            found.extend(_if_live(by, _value(part.name, state), state, word))
    return tuple(found)


def _if_live(by: str, held: str | None, state: State, node: Node) -> Iterator[Again]:
    if held is not None and _LIVE.search(held):
        yield Again("arithmetic", by, held, *state.span(node))


def _value(name: str, state: State) -> str | None:
    value = state.scope.get(name)
    return value.text if isinstance(value, Field) else None


def in_test(node: Test, state: State) -> tuple[Again, ...]:
    """`[[ a -eq b ]]` is arithmetic on both sides; `[[ -v a[x] ]]` evaluates the subscript."""
    return tuple(again for term in node.terms if not isinstance(term, Opaque) for again in _in_term(term, state))


def _in_term(term: Term, state: State) -> Iterator[Again]:
    for word in term.words:
        yield from _in_word(word, state)
        if term.operator in _ARITHMETIC_TESTS or term.operator in ("-v", "-R"):
            held = text(word, state.scope.copy()).text
            yield from in_expression(word, f"[[ {term.operator}", state)
            yield from _if_live(f"[[ {term.operator}", held, state, word)
