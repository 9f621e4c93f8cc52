"""A tree -> every simple command, in the order in which they would run, with what is known of it there."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from limpet.syntax.tree import (
    AndOr,
    Background,
    Calculation,
    Case,
    Coproc,
    For,
    ForArithmetic,
    Function,
    Group,
    If,
    Literal,
    Loop,
    Opaque,
    Pipeline,
    Simple,
    Subshell,
    Test,
    Tree,
)
from limpet.syntax.values.resolve import text
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk.beginning import begin
from limpet.syntax.walk.branches import walk_case, walk_if
from limpet.syntax.walk.budget import Budget
from limpet.syntax.walk.calls import finish
from limpet.syntax.walk.forget import changes_of, forget
from limpet.syntax.walk.found import Step, Walk
from limpet.syntax.walk.lines import walk_lines
from limpet.syntax.walk.loops import walk_for, walk_for_arithmetic, walk_loop
from limpet.syntax.walk.moves import may_move, moved
from limpet.syntax.walk.names import every_node
from limpet.syntax.walk.options import modes
from limpet.syntax.walk.reading import read, survey
from limpet.syntax.walk.simple import walk_calculation, walk_simple, walk_test
from limpet.syntax.walk.state import State
from limpet.syntax.walk.words import redirected

if TYPE_CHECKING:
    from limpet.model.session import ShellFacts
    from limpet.syntax.tree import Command, Script
    from limpet.syntax.walk.point import Point

__all__ = ["read", "walk"]


def walk(
    script: str | Tree,
    scope: Scope | None = None,
    text: str | None = None,
    budget: Budget | None = None,
    folders: tuple[str, ...] | None = (),
    facts: ShellFacts | None = None,
) -> Walk:
    """Follow a script from its first command to its last. The scope is changed as the script would change it.

    `text` is what a tree was read from; without it less is known where bash may give up a line and go on. `budget` is
    for a text and all texts in it that are walked after it: what is beyond is not followed, and said to be so.
    `folders` are all that it may begin in, as a command that was found has them, where the scope's is not sure.
    `facts` are those of a shell that has run other scripts before.
    """
    text = script if isinstance(script, str) else text
    tree = read(script) if isinstance(script, str) else script
    state = State(scope if scope is not None else Scope(), walk_script, walk_command)
    state.modes = modes(text if text is not None else _texts(tree))
    state.budget = budget if budget is not None else Budget(tree.body.end)
    state.inner, state.budget.begun = state.budget.begun, True
    if folders != ():
        state.point.begin_in(folders)
    state.live, shadows = survey(tree, text)
    state.scope.prints = not shadows
    state.scope.hides_dots = "shown dots" not in state.modes
    state.note_opaque(tree.opaque)
    if facts is not None:
        begin(state, facts, text, tree.body.end)
    try:
        walk_lines(tree.body, text, state)
        finish(state, tree.body)
    except RecursionError:  # the caller left too little of Python's stack
        state.moved = None
        state.note(tree.body.start, tree.body.end, "no room left to follow it: called from too deep a stack")
    return Walk(tuple(state.found), tuple(state.opaque), frozenset(state.aliases), frozenset(state.defined))


def _texts(tree: Tree) -> str:
    return " ".join(node.text for node in every_node(tree.body) if isinstance(node, Literal))


def walk_script(script: Script, state: State) -> bool:
    """Walk commands one after the other; whether what stands behind them is still reached."""
    goes_on = True
    for command in script.commands:
        goes_on = walk_command(command, state) and goes_on
    return goes_on


def walk_command(command: Command, state: State) -> bool:
    """Walk any command; whether what stands behind it is still reached."""
    if isinstance(command, Simple):
        goes_on: bool = walk_simple(command, state)
        if state.point.strict and not state.asking and may_move(command) and moved(command, state):
            state.point.settle()
        return goes_on
    if isinstance(command, Opaque) or not state.spend(command) or not state.enter(command):
        return True
    goes_on = _WALKERS[type(command)](command, state)
    state.leave()
    return goes_on


def _walk_and_or(node: AndOr, state: State) -> bool:
    """Each pipeline after the first runs only where the ones before it succeeded, or failed."""
    ways = _Ways(state)
    for index, pipeline in enumerate(node.pipelines):
        asked = index < len(node.operators) and node.operators[index] == "||"
        with state.asked() if index < len(node.operators) else nullcontext():
            ways.follow(pipeline, succeeded=index == 0 or node.operators[index - 1] == "&&", asked=asked)
    return ways.end()


class _Ways:
    """What is known where a list has succeeded so far, and where it has failed; None where it cannot have."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._ways: dict[bool, Point | None] = {True: state.point, False: None}
        self._first = True

    def follow(self, pipeline: Command, *, succeeded: bool, asked: bool) -> None:
        """Walk one more, which runs where it has succeeded, or failed; `asked`: whether it fails is asked at once."""
        state = self._state
        before = self._ways[succeeded]
        state.point = before if before is not None else state.point.copy()
        stayed = state.point.copy() if asked and may_move(pipeline) else None
        self._ways[succeeded] = None
        goes_on = self._walk(pipeline)
        if not goes_on or before is None:
            return
        went = moved(pipeline, state)
        failed = stayed if stayed is not None and went else state.point.copy()
        new = {True: state.point, False: failed}
        other = self._ways[not succeeded]
        if other is not None:
            new[not succeeded].join(other)
        self._ways = {**new}
        if went and (succeeded or other is None):
            state.point.settle()

    def _walk(self, pipeline: Command) -> bool:
        if self._first:
            self._first = False
            return walk_command(pipeline, self._state)
        with self._state.guarded():
            return walk_command(pipeline, self._state)

    def end(self) -> bool:
        """Go on with what both ways agree on; False when neither leads on."""
        ways = [point for point in self._ways.values() if point is not None]
        if ways:
            self._state.point = ways[0]
        for other in ways[1:]:
            ways[0].join(other)
        return bool(ways)


def _walk_pipeline(node: Pipeline, state: State) -> bool:
    if len(node.stages) == 1:
        with state.asked() if node.negated else nullcontext():
            return walk_command(node.stages[0], state)
    for index, stage in enumerate(node.stages):
        with state.apart(Step("stage", node.start, index)):
            walk_command(stage, state)
    if "last stage" in state.modes:
        forget(changes_of(node, state), state)
    return True


def _walk_subshell(node: Subshell, state: State) -> bool:
    with state.apart(Step("(", node.start)), redirected(node, state):
        walk_script(node.body, state)
    return True


def _walk_background(node: Background, state: State) -> bool:
    with state.apart(Step("&", node.start)):
        walk_command(node.command, state)
    return True


def _walk_coproc(node: Coproc, state: State) -> bool:
    with state.apart(Step("coproc", node.start)):
        walk_command(node.body, state)
    state.point.forget(node.name)
    state.point.forget(f"{node.name}_PID")
    return True


def _walk_group(node: Group, state: State) -> bool:
    with state.step(Step("{", node.start)), redirected(node, state) as may_skip:
        goes_on = walk_script(node.body, state)
    return goes_on or may_skip


def _walk_function(node: Function, state: State) -> bool:
    name = text(node.name, state.scope).text
    if name is None:
        state.note(node.name.start, node.name.end, "a function whose name is not known")
        state.functions.shake()
    state.define(node, name or "")
    return True


_WALKERS: dict[type, Any] = {  # each takes the one kind of node that it is listed for
    AndOr: _walk_and_or,
    Background: _walk_background,
    Calculation: walk_calculation,
    Case: walk_case,
    Coproc: _walk_coproc,
    For: walk_for,
    ForArithmetic: walk_for_arithmetic,
    Function: _walk_function,
    Group: _walk_group,
    If: walk_if,
    Loop: walk_loop,
    Pipeline: _walk_pipeline,
    Subshell: _walk_subshell,
    Test: walk_test,
}
