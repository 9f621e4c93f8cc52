"""Conditions and loops -> their commands, with what is known when either way may have been taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.values.field import ANYTHING, UNKNOWN, Field, Pattern
from limpet.syntax.values.resolve import fields
from limpet.syntax.walk.found import Step
from limpet.syntax.walk.names import changes
from limpet.syntax.walk.words import redirected, walk_word, walk_words

if TYPE_CHECKING:
    from limpet.syntax.tree import Case, For, ForArithmetic, If, Loop, Script
    from limpet.syntax.values.scope import Scope
    from limpet.syntax.walk.state import State

MAX_UNROLLED = 16
"""Items of a `for` that are walked one by one."""


def walk_if(node: If, state: State) -> bool:
    """Each branch is walked as if it were taken."""
    ways: list[Scope] = []
    with redirected(node, state):
        for condition, body in node.branches:
            with state.step(Step("condition", condition.start)):
                state.walk_script(condition, state)
            _branch(body, "if", state, ways)
        if node.otherwise is not None:
            _branch(node.otherwise, "if", state, ways)
        else:
            ways.append(state.scope)
    return _join(ways, state)


def _branch(body: Script, kind: str, state: State, ways: list[Scope]) -> None:
    before = state.scope
    state.scope = before.copy()
    with state.step(Step(kind, body.start)):
        if state.walk_script(body, state):
            ways.append(state.scope)
    state.scope = before


def _join(ways: list[Scope], state: State) -> bool:
    """Go on with what all ways agree on; False when none of them leads on."""
    if not ways:
        return False
    first = ways[0]
    for other in ways[1:]:
        first.join(other)
    state.scope = first
    return True


def walk_case(node: Case, state: State) -> bool:
    """Each arm is walked as if it were taken; none may be."""
    walk_word(node.word, state, node, 0)
    ways = [state.scope]
    with redirected(node, state):
        for arm in node.arms:
            walk_words(arm.patterns, state, node)
            if arm.body.commands:
                _branch(arm.body, "case", state, ways)
            if arm.terminator != ";;" and len(ways) > 1:  # the next arm may run after this one
                state.scope = state.scope.copy()
                state.scope.join(ways[-1])
    return _join(ways, state)


def _forget_changes(state: State, *nodes: object) -> None:
    """Nothing is known of what a loop changes: it may have been round before."""
    found = changes(*nodes, functions=state.functions)
    if found.everything:
        state.scope.forget_all()
    for name in found.names:
        state.scope.forget(name)


def _go_round(state: State, step: Step, *scripts: Script) -> None:
    """Walk a loop's scripts once, and once more where another round would begin in another folder."""
    _forget_changes(state, *scripts)
    before = state.scope.copy()
    with state.step(step):
        _walk_all(state, scripts)
        if state.scope.cwd != before.cwd:
            state.scope = before.copy()
            state.scope.move(None)
            with state.repeated():
                _walk_all(state, scripts)
    state.scope.join(before)


def _walk_all(state: State, scripts: tuple[Script, ...]) -> None:
    for script in scripts:
        state.walk_script(script, state)


def walk_loop(node: Loop, state: State) -> bool:
    """`while` and `until`."""
    with redirected(node, state):
        _go_round(state, Step("while", node.start), node.condition, node.body)
    return True


def walk_for_arithmetic(node: ForArithmetic, state: State) -> bool:
    """`for ((…))`."""
    walk_words(node.expressions, state, node)
    with redirected(node, state):
        _forget_changes(state, node)
        _go_round(state, Step("for", node.start), node.body)
    return True


def walk_for(node: For, state: State) -> bool:
    """`for` and `select`: over few known words one by one, else with a value that may be anything."""
    walk_words(node.words or (), state, node)
    items = _items(node, state)
    with redirected(node, state):
        if items is None or len(items) > MAX_UNROLLED:
            _forget_changes(state, node)
            state.scope.assign(node.name, _common(items))
            _go_round(state, Step("for", node.start), node.body)
        else:
            _unroll(node, items, state)
    _forget_changes(state, node)
    return True


def _items(node: For, state: State) -> tuple[Field, ...] | None:
    """What the variable goes through; None when that is not known to the last item."""
    if node.words is None:
        found = state.scope.positional
    else:
        found = tuple(field for word in node.words for field in fields(word, state.scope))
    if node.select or found is None or any(field.many and not is_glob(field) for field in found):
        return None
    return found


def is_glob(field: Field) -> bool:
    """Whether it is several only because several paths may match."""
    return any(isinstance(piece, Pattern) for piece in field.pieces) and UNKNOWN not in field.pieces


def _common(items: tuple[Field, ...] | None) -> Field:
    return ANYTHING if items is None or len(set(items)) != 1 else Field(items[0].pieces)


def _unroll(node: For, items: tuple[Field, ...], state: State) -> None:
    step = Step("for", node.start)
    for index, item in enumerate(items or (ANYTHING,)):
        state.scope.assign(node.name, Field(item.pieces))
        with state.step(step), state.repeated(index > 0):
            state.walk_script(node.body, state)
