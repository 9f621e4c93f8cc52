"""Functions that are called, and what runs at some other time -> their commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.tree import Simple
from limpet.syntax.walk.changes import note
from limpet.syntax.walk.evaluate import evaluate
from limpet.syntax.walk.forget import changes_of, forget
from limpet.syntax.walk.found import Again, Step
from limpet.syntax.walk.names import every_node, literal

if TYPE_CHECKING:
    from limpet.syntax.tree import Function, Node, Script
    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.found import Found
    from limpet.syntax.walk.point import Point
    from limpet.syntax.walk.state import State


def call(name: str, node: Function, found: Found, state: State) -> None:
    """Walk the body of a function with the arguments of this call."""
    step = Step("function", node.start, 0, name)
    again = id(node) in state.called
    if id(node) in state.calling:
        _call_itself(node, state)
        return
    with state.repeated(again):
        if not state.spend(node) or not state.enter(node):
            return
    state.called.add(id(node))
    state.calling.add(id(node))
    positional, state.scope.positional = state.scope.positional, _arguments(found.argv[1:])
    opened, state.opened = state.opened, found.opened
    moved = state.moved
    if id(node) in state.before:
        state.moved = moved or (found.start, found.end)
    with state.step(step), state.repeated(again), state.guarded():
        _walk_body(node, state)
    state.moved = moved
    state.leave()
    state.calling.discard(id(node))
    state.opened = opened
    _come_back(node, positional, state)


def _walk_body(node: Function, state: State) -> None:
    state.in_function += 1
    state.walk_command(node.body, state)
    state.in_function -= 1


def _come_back(node: Function, positional: tuple[Field, ...] | None, state: State) -> None:
    """Local variables come back, others stay, and it may have returned early: which is which is not followed."""
    found = changes_of(node.body, state)
    folder, folders = state.scope.cwd, state.point.folders
    forget(found, state)
    state.scope.positional = positional
    if found.folder and not found.jumps:
        state.point.move(folder)
        state.point.folders = state.point.reached = folders


def _call_itself(node: Function, state: State) -> None:
    """Its body is being walked; once it is walked with nothing known, that holds for any call."""
    if id(node) not in state.topped and state.enter(node):
        state.topped.add(id(node))
        before = state.point.copy()
        _know_nothing(state.point)
        with state.step(Step("function", node.start)), state.repeated(), state.guarded():
            _walk_body(node, state)
        state.leave()
        state.point = before
    positional = state.scope.positional
    forget(changes_of(node.body, state), state)
    state.scope.positional = positional


def _know_nothing(point: Point) -> None:
    point.forget_any()
    point.move(None)
    point.strict = False


def _arguments(argv: tuple[Field, ...]) -> tuple[Field, ...] | None:
    return None if any(field.many for field in argv) else argv


def finish(state: State, script: Script) -> None:
    """Walk what runs at some other time: traps, prompts, aliases, and functions that may be called unseen."""
    if state.aliases and "aliases" in state.modes:
        state.note(script.start, script.end, "aliases are on, and change how the script is read")
    last = state.point
    walked: set[int] = set()
    state.guard = state.guard.__class__(state.guard)
    while state.deferred or len(walked) < len(state.definitions):
        while state.deferred:
            _walk_deferred(*state.deferred.pop(), state)
        for key in [key for key in state.definitions if key not in walked]:
            walked.add(key)
            _walk_unseen(key, last, state)
    state.point = last


def _walk_deferred(again: Again, point: Point, steps: tuple[Step, ...], state: State) -> None:
    """With what is known where it was set up, if nothing changes that later."""
    state.point, state.steps = point, steps
    names = _assigned_later(state)
    state.allowance -= len(names)
    if state.counted.everything or state.allowance <= 0:
        point.forget_any()
        names = set()
    for name in names:
        point.forget(name)
    for name in state.pinned:
        point.pin(name)
    point.scope.positional = None
    point.scope.ordinary &= not state.counted.options
    point.strict = False
    if state.counted.folder:
        point.move(None)
        point.stack = None
    evaluate(Again("script", again.by, again.text, again.start, again.end), state)


def _assigned_later(state: State) -> set[str]:
    """Names that more than one place assigns; one that is assigned once was known before, or was not."""
    counted = state.counted
    while counted.trees < len(state.trees):
        for node in every_node(state.trees[counted.trees]):
            if not _is_trap(node):  # what it runs is counted for itself
                counted.add(note(node))
        counted.trees += 1
    return counted.often


def _is_trap(node: Node) -> bool:
    return isinstance(node, Simple) and len(node.words) > 0 and literal(node.words[0]) == "trap"


def _walk_unseen(key: int, last: Point, state: State) -> None:
    """A function that nothing calls, or that may mean something else than it did where it was called."""
    name, node, steps = state.definitions[key]
    sure = key in state.called and state.functions.count(name) == 1 and name not in state.plain
    if sure or key in state.topped or not state.enter(node):
        return
    state.steps, state.point = steps, last.copy()
    _know_nothing(state.point)
    with state.step(Step("function", node.start)), state.guarded():
        _walk_body(node, state)
    state.leave()
