"""A command that was found -> what it does to what is known, as a builtin, a function, or either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.walk.builtins import KEEPING, do, ends, is_builtin, look_through
from limpet.syntax.walk.calls import call
from limpet.syntax.walk.evaluate import evaluate
from limpet.syntax.walk.words import may_fail

if TYPE_CHECKING:
    from limpet.syntax.tree import Function
    from limpet.syntax.values.scope import Value
    from limpet.syntax.walk.found import Again, Found
    from limpet.syntax.walk.point import Point
    from limpet.syntax.walk.state import State


def run(found: Found, again: tuple[Again, ...], within: Point, state: State) -> bool:
    """Do what the command does; `within` is what is known with its own assignments -> whether it goes on behind it."""
    name = found.argv[0].text
    nodes, sure = state.find(name) if name is not None else ([], False)
    stays = bool(found.assigned) and "posix" in state.modes  # of a special builtin
    if not (nodes or again or stays or is_builtin(name)):
        return True
    frozen = any(state.point.is_frozen(each.node.name) for each in found.assigned)
    fails = frozen or may_fail(found.opened[: len(found.node.redirects)], state)
    skipped = state.point.copy() if fails else None
    exported = state.point.exported
    before = _set_for_now(found, within, state)
    goes_on = _run_either(found, again, nodes, state, sure=sure)
    _set_back(before, state, kept=not nodes and (name in KEEPING or not is_builtin(name)))
    for each in before:
        state.point.export(each, is_given=each in exported and each in state.point.exported)
    if skipped is not None:
        state.point.join(skipped)
    return goes_on or skipped is not None


def _run_either(found: Found, again: tuple[Again, ...], nodes: list[Function], state: State, *, sure: bool) -> bool:
    """The name may be that of a builtin or a program, or of one of these functions."""
    if not nodes:
        return _run_itself(found, again, state)
    if state.functions.are_too_many(nodes) and not state.gave_up:
        state.note(found.start, found.end, "a function with too many definitions to follow")
        state.gave_up = True
    start = state.point.copy()
    ways: list[Point] = []
    if not sure and _run_itself(found, again, state):
        ways.append(state.point)
    for node in nodes:
        state.point = start.copy()
        call(found.argv[0].text or "", node, found, state)
        ways.append(state.point)
    state.point = ways[0]
    for other in ways[1:]:
        state.point.join(other)
    return True


def _run_itself(found: Found, again: tuple[Again, ...], state: State) -> bool:
    opened, state.opened = state.opened, found.opened
    for each in again:
        evaluate(each, state)
    state.opened = opened
    argv = look_through(found.argv)
    do(argv, state)
    return not ends(argv, state)


def _set_for_now(found: Found, within: Point, state: State) -> dict[str, tuple[Value | None, bool, Value | None]]:
    """Assign what stands before the command -> what was there."""
    point = state.point
    before: dict[str, tuple[Value | None, bool, Value | None]] = {}
    if within is point:
        return before
    for each in found.assigned:
        name = each.node.name
        old, number = point.scope.get(name), point.is_number(name)
        point.restore(name, within.scope.get(name), number=within.is_number(name))
        before.setdefault(name, (old, number, point.scope.get(name)))
        point.export(name)
    state.temporary += bool(before)
    return before


def _set_back(before: dict[str, tuple[Value | None, bool, Value | None]], state: State, *, kept: bool) -> None:
    """What was assigned for one command is as it was, if the command left it alone."""
    for name, (old, number, new) in before.items():
        if kept and state.scope.get(name) is new and "posix" not in state.modes:
            state.point.restore(name, old, number=number)
        else:
            state.point.forget(name)
    state.temporary -= bool(before)
