"""What may have changed -> forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.walk.changes import Changes, changes
from limpet.syntax.walk.commands import is_builtin

if TYPE_CHECKING:
    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.state import State

_MANY = 64
"""Changes whose number is counted."""


def changes_of(node: object, state: State) -> Changes:
    """What running this may change, with all the functions that it calls."""
    found = _with_subscripts(_all_changes(node, state), state)
    if not found.arguments or _are_harmless(state.scope.positional, found, state):
        return found
    anything = Changes()
    anything.add(found)
    anything.anything()
    return anything


def _with_subscripts(found: Changes, state: State) -> Changes:
    arithmetic = [inner for name, inner in found.subscripts.items() if name not in state.point.keyed]
    if not arithmetic:
        return found
    total = Changes()
    total.add(found)
    total.calls = found.calls
    for inner in arithmetic:
        total.add(inner)
    return total


def _are_harmless(argv: tuple[Field, ...] | None, found: Changes, state: State) -> bool:
    """Whether the arguments, run as a command, change nothing in this shell."""
    name = argv[0].text if argv else None
    return name is not None and not found.positional and name not in state.functions and not is_builtin(name)


def _all_changes(node: object, state: State) -> Changes:
    own = _own_changes(node, state)
    called = {name for name in own.calls if name in state.functions}
    if not called:
        return own
    known = state.reached.get(id(node))
    if known is None or known[0] != state.functions.age:
        known = (state.functions.age, _with_calls(own, called, state))
        state.reached[id(node)] = known
    return known[1]


def _own_changes(node: object, state: State) -> Changes:
    known = state.changed.get(id(node))
    if known is None:
        known = (node, changes(node, last_stage="last stage" in state.modes))
        state.changed[id(node)] = known
    return known[1]


def _with_calls(own: Changes, called: set[str], state: State) -> Changes:
    total = Changes()
    total.add(own)
    total.calls = own.calls
    seen: set[str] = set()
    while called and state.allowance > 0:
        name = called.pop()
        seen.add(name)
        for node in state.functions.nodes(name):
            inside = _own_changes(node.body, state)
            state.allowance -= inside.size + 8
            jumps = total.jumps
            total.add(inside)
            if inside.arguments:  # not those that are known here
                total.anything()
            total.jumps = jumps or (inside.everything and inside.jumps)  # a function's own jumps end in it
            called |= {each for each in inside.calls if each in state.functions} - seen
    if state.allowance <= 0:
        _give_up(state)
        total.anything()
    return total


def _give_up(state: State) -> None:
    if not state.gave_up:
        state.note(*state.at, "calls too many functions to follow")
    state.gave_up = True


def forget(found: Changes, state: State) -> None:
    """Whatever may have changed is not known any more."""
    point = state.point
    if state.repeating:
        state.budget.spend(found.size // 64, again=True)
    if found.size > _MANY:
        state.allowance -= found.size
        if state.allowance <= 0:
            _give_up(state)
            point.lose()
            return
    suspicious = any(not point.is_number(name) or name in found.texts for name in found.reads)
    if found.everything or suspicious:
        point.forget_any() if found.everything else point.forget_all()
    for name in found.names:
        point.forget(name, number=name not in found.texts and point.is_number(name))
    point.keyed -= found.remade
    point.exported -= found.remade
    for name in found.attributes:
        point.pin(name)
        point.frozen |= {name}
        point.integers |= {name}
    _forget_rest(found, state)


def _forget_rest(found: Changes, state: State) -> None:
    if found.positional:
        state.scope.positional = None
    if found.options:
        state.scope.ordinary = False
    if found.lenient:
        state.point.strict = False
    if found.folder:
        state.point.move(None)
        state.point.stack = None
    if found.functions:
        state.functions.shake()
        state.scope.prints = False
