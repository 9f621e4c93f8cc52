"""A word, an assignment or a test -> the texts that expanding it evaluates once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.tree import Arithmetic, Array, Assignment, Double, Literal, Opaque, Parameter, Word
from limpet.syntax.values.resolve import text
from limpet.syntax.values.tilde import Tildes
from limpet.syntax.walk.arithmetic import in_expression, in_text
from limpet.syntax.walk.found import Again
from limpet.syntax.walk.names import is_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import Part, Term, Test
    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.found import Assigned
    from limpet.syntax.walk.state import State

_ARITHMETIC_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS3", "PS4"})
_LIVE_PROMPT = late(r"[$`]|\\[0-7]")
_RUN_VARIABLES = {
    "PROMPT_COMMAND": "later", "BASH_ALIASES": "later", "BASH_CMDS": "file", "BASH_ENV": "file", "ENV": "file",
    "BASH_LOADABLES_PATH": "file", "TEXTDOMAIN": "file", "TEXTDOMAINDIR": "file",
}  # fmt: skip


def in_assignment(assigned: Assigned, state: State) -> tuple[Again, ...]:
    """What bash evaluates because of the variable that is assigned."""
    name, value = assigned.node.name, assigned.value
    known = value.text if value is not None else None
    span = state.span(assigned.node)
    found = in_variable(name, known, span)
    if found:
        return found
    return in_text(known, "declare -i", span, state) if is_integer(name, state) else ()


def in_variable(name: str, known: str | None, span: tuple[int, int]) -> tuple[Again, ...]:
    """What bash evaluates because it is this variable that is assigned."""
    if name in _PROMPTS and (known is None or _LIVE_PROMPT.search(known)):
        return (Again("words", name, known, *span),)
    if name in _RUN_VARIABLES:
        return (Again(_RUN_VARIABLES[name], name, known, *span),)
    return ()


def is_integer(name: str, state: State) -> bool:
    """Whether the variable may be of the kind that evaluates what is assigned."""
    return name.partition("[")[0] in state.point.integers or "*" in state.point.integers


def in_word(word: Word | Assignment | Array, state: State) -> Iterator[Again]:
    """What expanding the word evaluates: `${v@P}`, `${!v}`, and variables in arithmetic that are no numbers."""
    if isinstance(word, Word):
        for part in word.parts:
            yield from _in_part(part, state)
    elif isinstance(word, Assignment):
        if word.subscript is not None:
            yield from _in_subscript(word.name, word.subscript, state)
        yield from (
            in_word(word.value, state) if isinstance(word.value, Word) else _in_array(word.name, word.value, state)
        )
    else:
        yield from _in_array("", word, state)


def _in_array(name: str, array: Array, state: State) -> Iterator[Again]:
    for element in array.elements:
        if element.subscript is not None:
            yield from _in_subscript(name, element.subscript, state)
        yield from in_word(element.value, state)


def _in_subscript(name: str, subscript: Word, state: State) -> Iterator[Again]:
    if name in state.point.keyed:
        yield from in_word(subscript, state)
    else:
        yield from in_expression(subscript, "[", state)


def _in_part(part: Part, state: State) -> Iterator[Again]:
    if isinstance(part, Double):
        for inner in part.parts:
            yield from _in_part(inner, state)
    elif isinstance(part, Arithmetic):
        yield from in_expression(part.expression, "$((", state)
        yield from _in_operands(part.expression, state)
    elif isinstance(part, Parameter):
        yield from _in_parameter(part, state)


def _in_operands(expression: Word, state: State) -> Iterator[Again]:
    for part in expression.parts:
        if not isinstance(part, Arithmetic | Literal):
            yield from _in_part(part, state)


def _in_parameter(part: Parameter, state: State) -> Iterator[Again]:
    if part.operator == "@P":
        yield Again("words", "${@P}", _value(part, state), *state.span(part))
    if part.indirect and part.operator != "names":
        yield from _in_indirect(part, state)
    if part.operator in (":=", "="):
        state.point.touch(part.name)
    state.faulty |= part.operator in (":=", "=") and state.point.is_frozen(part.name)
    if part.operator in (":=", "=") and (part.indirect or is_integer(part.name, state)):
        yield from in_text(None, "declare -i", state.span(part), state)
    if part.subscript is not None:
        state.faulty |= not is_index(part.subscript)
        yield from _in_subscript(part.name, part.subscript, state)
    for operand in part.operands:
        if part.operator == ":":
            yield from in_expression(operand, "${:}", state)
        yield from in_word(operand, state)


def _value(part: Parameter, state: State) -> str | None:
    """What the parameter holds, before anything is done to it."""
    if part.indirect or part.subscript is not None:
        return None
    plain = Parameter(part.start, part.end, part.name)
    return text(Word(part.start, part.end, (plain,)), state.scope.copy(), Tildes.NOWHERE).text


def _in_indirect(part: Parameter, state: State) -> Iterator[Again]:
    """`${!v}`: what it holds is a name, which may have a subscript."""
    only = part.subscript.parts[0] if part.subscript is not None and len(part.subscript.parts) == 1 else None
    if isinstance(only, Literal) and only.text in ("@", "*"):
        return
    plain = Parameter(part.start, part.end, part.name, subscript=part.subscript)
    held = None if state.scope.is_reference(part.name) else _value(plain, state)
    if held is None or "[" in held:
        subscript = None if held is None else held.partition("[")[2].rpartition("]")[0]
        yield from in_text(subscript, "${!}", state.span(part), state)
    state.faulty = True  # bash gives up when there is no such name


def in_test(node: Test, state: State) -> tuple[Again, ...]:
    """`[[ a -eq b ]]` is arithmetic on both sides; `[[ -v a[x] ]]` evaluates the subscript."""
    return tuple(again for term in node.terms if not isinstance(term, Opaque) for again in _in_term(term, state))


def _in_term(term: Term, state: State) -> Iterator[Again]:
    for word in term.words:
        yield from in_word(word, state)
        if term.operator in _ARITHMETIC_TESTS:
            held = text(word, state.scope.copy())
            by = f"[[ {term.operator}"
            yield from (
                in_expression(word, by, state) if held.text is None else in_text(held.text, by, state.span(word), state)
            )
        elif term.operator in ("-v", "-R"):
            yield from in_name(text(word, state.scope.copy()), f"[[ {term.operator}", state.span(word), state)


def in_name(name: Field, by: str, span: tuple[int, int], state: State) -> tuple[Again, ...]:
    """A name that may have a subscript: what stands in there is evaluated."""
    if name.text is None:
        return in_text(None, by, span, state)
    _, bracket, rest = name.text.partition("[")
    return in_text(rest.rpartition("]")[0] or rest, by, span, state) if bracket else ()
