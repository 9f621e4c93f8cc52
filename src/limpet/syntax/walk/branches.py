"""Conditions -> their commands, with what is known when either way may have been taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.tree import Literal
from limpet.syntax.values.resolve import text
from limpet.syntax.walk.found import Step
from limpet.syntax.walk.moves import may_move, moved
from limpet.syntax.walk.words import redirected, walk_alone

if TYPE_CHECKING:
    from limpet.syntax.tree import Arm, Case, If, Script, Word
    from limpet.syntax.walk.point import Point
    from limpet.syntax.walk.state import State


def walk_if(node: If, state: State) -> bool:
    """Each branch is walked as if it were taken."""
    ways: list[Point] = []
    with redirected(node, state) as may_skip:
        for index, (condition, body) in enumerate(node.branches):
            with state.step(Step("condition", condition.start)), state.guarded(), state.asked():
                state.walk_script(condition, state)
            _then(condition, body, state, ways)
            state.point = state.point.copy() if index + 1 < len(node.branches) else state.point
        if node.otherwise is not None:
            _branch(node.otherwise, "if", state, ways)
        else:
            ways.append(state.point)
        goes_on = _join(ways, state)
    return goes_on or may_skip


def _then(condition: Script, body: Script, state: State, ways: list[Point]) -> None:
    """What runs where the condition holds."""
    before = state.point
    last = condition.commands[-1] if condition.commands else None
    if last is not None and may_move(last) and moved(last, state):
        state.point = before.copy()
        state.point.settle()
    _branch(body, "if", state, ways)
    state.point = before


def _branch(body: Script, kind: str, state: State, ways: list[Point]) -> None:
    before = state.point
    state.point = before.copy()
    with state.step(Step(kind, body.start)), state.guarded():
        if state.walk_script(body, state):
            ways.append(state.point)
    state.point = before


def _join(ways: list[Point], state: State) -> bool:
    """Go on with what all ways agree on; False when none of them leads on."""
    if not ways:
        return False
    first = ways[0]
    for other in ways[1:]:
        first.join(other)
    state.point = first
    return True


def walk_case(node: Case, state: State) -> bool:
    """Each arm is walked as if it were taken; none may be, unless one takes everything."""
    walk_alone((node.word,), state, node)
    text(node.word, state.scope)
    ways: list[Point] = []
    with redirected(node, state) as may_skip:
        for arm in node.arms:
            _patterns(arm, state, node)
            count = len(ways)
            _branch(arm.body, "case", state, ways)
            if arm.terminator != ";;" and len(ways) > count:  # the next arm may run after this one
                state.point = state.point.copy()
                state.point.join(ways[-1])
        if not any(_matches_all(pattern) for arm in node.arms for pattern in arm.patterns):
            ways.append(state.point)
        goes_on = _join(ways, state)
    return goes_on or may_skip


def _matches_all(pattern: Word) -> bool:
    only = pattern.parts[0] if len(pattern.parts) == 1 else None
    return isinstance(only, Literal) and only.text == "*" and not only.quoted


def _patterns(arm: Arm, state: State, node: Case) -> None:
    """Whether it comes to a pattern is not known, nor what its expansions change."""
    walk_alone(arm.patterns, state, node)
    before = state.point.copy()
    for pattern in arm.patterns:
        text(pattern, state.scope)
        state.point.join(before)
