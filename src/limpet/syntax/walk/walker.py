"""A tree -> every simple command, in the order in which they would run, with what is known of it there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limpet.syntax.parser import parse
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
    Loop,
    Opaque,
    Pipeline,
    Script,
    Simple,
    Subshell,
    Test,
    Tree,
)
from limpet.syntax.values.resolve import text
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk.branches import walk_case, walk_for, walk_for_arithmetic, walk_if, walk_loop
from limpet.syntax.walk.calls import finish
from limpet.syntax.walk.found import Step, Walk
from limpet.syntax.walk.simple import walk_calculation, walk_simple, walk_test
from limpet.syntax.walk.state import State
from limpet.syntax.walk.words import redirected

if TYPE_CHECKING:
    from limpet.syntax.tree import Command


def walk(script: str | Tree, scope: Scope | None = None) -> Walk:
    """Follow a script from its first command to its last. The scope is changed as the script would change it."""
    tree = read(script) if isinstance(script, str) else script
    state = State(scope if scope is not None else Scope(), walk_script, walk_command)
    state.note_opaque(tree.opaque)
    walk_script(tree.body, state)
    finish(state, tree.body)
    return Walk(tuple(state.found), tuple(state.opaque), frozenset(state.aliases), frozenset(state.functions))


def read(text: str) -> Tree:
    """Parse a script; one that speaks of extended globs, and is not understood without them, with them."""
    tree = parse(text)
    if "extglob" not in text:
        return tree
    other = parse(text, extglob=True)
    if other.body == tree.body:
        return tree
    if tree.opaque and not other.opaque:
        return other
    reason = Opaque(0, tree.body.end, "what it means depends on whether extended globs are on")
    return Tree(tree.body, (*tree.opaque, reason))


def walk_script(script: Script, state: State) -> bool:
    """Walk commands one after the other; whether what stands behind them is still reached."""
    goes_on = True
    for command in script.commands:
        goes_on = walk_command(command, state) and goes_on
    return goes_on


def walk_command(command: Command, state: State) -> bool:
    """Walk any command; whether what stands behind it is still reached."""
    if isinstance(command, Simple):
        return walk_simple(command, state)
    if isinstance(command, Opaque) or not state.enter(command):
        return True
    goes_on: bool = _WALKERS[type(command)](command, state)
    state.leave()
    return goes_on


def _walk_and_or(node: AndOr, state: State) -> bool:
    """Each pipeline after the first may run or not."""
    goes_on = walk_command(node.pipelines[0], state)
    for pipeline in node.pipelines[1:]:
        before = state.scope.copy()
        if walk_command(pipeline, state):
            state.scope.join(before)
        else:
            state.scope = before
    return goes_on


def _walk_pipeline(node: Pipeline, state: State) -> bool:
    if len(node.stages) == 1:
        return walk_command(node.stages[0], state)
    for index, stage in enumerate(node.stages):
        with state.apart(Step("stage", node.start, index)):
            walk_command(stage, state)
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
    state.scope.forget(node.name)
    return True


def _walk_group(node: Group, state: State) -> bool:
    with state.step(Step("{", node.start)), redirected(node, state):
        return walk_script(node.body, state)


def _walk_function(node: Function, state: State) -> bool:
    name = text(node.name, state.scope).text
    if name is None:
        state.note(node.name.start, node.name.end, "a function whose name is not known")
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
