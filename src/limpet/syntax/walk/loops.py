"""Loops -> their commands, with what is known in whichever round."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from limpet.syntax.values.field import ANYTHING, UNKNOWN, Field, Pattern
from limpet.syntax.values.resolve import fields
from limpet.syntax.walk.arithmetic import in_text
from limpet.syntax.walk.forget import changes_of, forget
from limpet.syntax.walk.found import Step
from limpet.syntax.walk.names import HARMLESS, is_larger
from limpet.syntax.walk.simple import calculate
from limpet.syntax.walk.words import note_calculation, redirected, walk_alone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import For, ForArithmetic, Loop, Script
    from limpet.syntax.walk.state import State

MAX_UNROLLED = 16
"""Items of a `for` that are walked one by one."""


def _go_round(state: State, step: Step, *scripts: Script) -> None:
    """Walk a loop's scripts once, with nothing known of what they change: it may have been round before."""
    before = state.point.copy()
    with state.step(step), state.guarded():
        for script in scripts[:-1]:
            with state.asked():
                state.walk_script(script, state)
        state.walk_script(scripts[-1], state)
    state.point.join(before)


def walk_loop(node: Loop, state: State) -> bool:
    """`while` and `until`."""
    with redirected(node, state):
        forget(changes_of(node, state), state)
        _go_round(state, Step("while", node.start), node.condition, node.body)
    return True


def walk_for_arithmetic(node: ForArithmetic, state: State) -> bool:
    """`for ((…))`."""
    walk_alone(node.expressions[:1], state, node, calculates=True)
    for word in node.expressions[:1]:
        calculate(word, state)
    with redirected(node, state):
        forget(changes_of(node, state), state)
        walk_alone(node.expressions[1:], state, node, calculates=True)
        _go_round(state, Step("for", node.start), node.body)
    return True


def walk_for(node: For, state: State) -> bool:
    """`for` and `select`, which do nothing when their variable is read-only."""
    items = _items(node, state)
    before = state.point.copy() if state.point.is_frozen(node.name) else None
    _walk_for(node, items, state)
    if before is not None:
        state.point.join(before)
        state.faulty = True
    return True


def _walk_for(node: For, items: tuple[Field, ...] | None, state: State) -> None:
    """Over few known words one by one, else with a value that may be anything."""
    with redirected(node, state), _rounds(node, items, state) as few:
        if items is None or not few or changes_of(node, state).jumps:
            forget(changes_of(node, state), state)
            numbers = items is not None and all(_is_number(item) for item in items)
            for index, item in enumerate(items if items and few else _any_of(items)):
                _give(node, item, state, number=numbers)
                with state.repeated(index > 0):
                    _go_round(state, Step("for", node.start), node.body)
            forget(changes_of(node, state), state)
        else:
            _unroll(node, items, state)


@contextmanager
def _rounds(node: For, items: tuple[Field, ...] | None, state: State) -> Iterator[bool]:
    """While a loop is walked -> whether its items are so few that each of them is."""
    count = len(items) if items is not None else MAX_UNROLLED + 1
    if count > MAX_UNROLLED or (count > 1 and is_larger(node.body, state.budget.each(count))):
        yield False
        return
    before = state.budget.begin(count)
    yield True
    state.budget.end(before)


def _any_of(items: tuple[Field, ...] | None) -> tuple[Field, ...]:
    """One item that stands for all."""
    return (ANYTHING if not items or len(set(items)) != 1 else items[0],)


def _items(node: For, state: State) -> tuple[Field, ...] | None:
    """What the variable goes through; None when that is not known to the last item."""
    found: tuple[Field, ...] | None = state.scope.positional
    if node.words is not None:
        each: list[Field] = []
        for word in node.words:
            walk_alone((word,), state, node)
            each.extend(fields(word, state.scope))
        found = tuple(each)
    if node.select or found is None or any(field.many and not _is_glob(field) for field in found):
        return None
    return found


def _is_glob(field: Field) -> bool:
    """Whether it is several only because several paths may match."""
    return any(isinstance(piece, Pattern) for piece in field.pieces) and UNKNOWN not in field.pieces


def _is_number(item: Field) -> bool:
    return item.text is not None and HARMLESS.fullmatch(item.text) is not None


def _give(node: For, item: Field, state: State, *, number: bool) -> None:
    """The variable is the next item."""
    if not number and (node.name in state.point.integers or "*" in state.point.integers) and node.words:
        again = in_text(item.text, "declare -i", state.span(node), state)
        if again:
            note_calculation(node.words[0], again, state)
    state.point.assign(node.name, Field(item.pieces))
    state.point.mark(node.name, number=number or _is_number(item))


def _unroll(node: For, items: tuple[Field, ...], state: State) -> None:
    """Round by round; a glob stands for any number of rounds."""
    globs = any(item.many for item in items)
    skipped = state.point.copy() if not items else None
    for index, item in enumerate(items or (ANYTHING,)):
        if globs:
            forget(changes_of(node, state), state)
        _give(node, item, state, number=False)
        with state.step(Step("for", node.start)), state.repeated(index > 0), state.guarded():
            state.walk_script(node.body, state)
    if globs:
        forget(changes_of(node, state), state)
    if skipped is not None:
        state.point = skipped
