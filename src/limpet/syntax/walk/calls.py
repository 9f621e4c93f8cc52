"""Functions that are called, text that is evaluated again, traps -> their commands."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from limpet.syntax.parser import parse
from limpet.syntax.tree import Simple
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk.found import Step
from limpet.syntax.walk.names import Changes, assigned_often, changes
from limpet.syntax.walk.words import walk_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import Function, Script, Tree
    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.found import Again, Found
    from limpet.syntax.walk.state import State

_OWN_PROCESS = "-c"


def call(name: str, found: Found, state: State) -> None:
    """Walk the body of a function with the arguments of this call."""
    node = state.functions[name]
    step = Step("function", node.start, 0, name)
    if step in state.steps or not state.enter(node):  # calls itself: its body is being walked already
        return
    state.called.add(id(node))
    positional, state.scope.positional = state.scope.positional, _arguments(found.argv[1:])
    with state.step(step), state.repeated():
        state.walk_command(node.body, state)
    state.leave()
    state.scope.positional = positional
    # Local variables come back, others stay: which is which is not followed.
    _forget(changes(node.body, functions=state.functions), state.scope)


def _arguments(argv: tuple[Field, ...]) -> tuple[Field, ...] | None:
    return None if any(field.many for field in argv) else argv


def _forget(changed: Changes, scope: Scope) -> None:
    if changed.everything:
        scope.forget_all()
    for name in changed.names:
        scope.forget(name)


def evaluate(again: Again, state: State) -> None:
    """Walk text that is evaluated again, in this shell or in one of its own."""
    if again.text is None:
        state.note(again.start, again.end, f"{again.by} of text that is not known")
        if again.kind == "script" and again.arguments is None:
            state.scope.forget_all()
            state.scope.move(None)
        return
    if again.kind == "later":
        state.deferred.append((again, state.scope.copy(), state.steps))
    elif again.kind == "script":
        _walk_text(again, again.text, state)
    elif again.kind in ("arithmetic", "words"):
        _walk_words(again, again.text, state)


def _walk_words(again: Again, text: str, state: State) -> None:
    """Expanded as if in double quotes: the substitutions in it run, the rest of it does not."""
    tree = parse(': "' + text.replace('"', '\\"') + '"')
    first = tree.body.commands[0]
    if not isinstance(first, Simple) or not state.enter(first):
        return
    with _moved(again, tree, state), state.step(Step(again.by, again.start)), state.repeated():
        walk_words(first.words, state, first)
    state.leave()


@contextmanager
def _moved(again: Again, tree: Tree, state: State) -> Iterator[None]:
    """While text is walked whose spans mean nothing outside it."""
    before, state.moved = state.moved, (again.start, again.end)
    state.note_opaque(tree.opaque)
    yield
    state.moved = before


def _walk_text(again: Again, text: str, state: State) -> None:
    tree = parse(text)
    if not state.enter(tree.body):
        return
    step = Step(again.by, again.start)
    with _moved(again, tree, state), state.repeated():
        if again.by.endswith(_OWN_PROCESS):
            with state.apart(step):
                _enter_shell(again, state)
                state.walk_script(tree.body, state)
        else:
            with state.step(step):
                state.walk_script(tree.body, state)
    state.leave()


def _enter_shell(again: Again, state: State) -> None:
    """A shell of its own sees the folder and exported variables; which are exported is not followed."""
    home, cwd = state.scope.home, state.scope.cwd
    arguments = again.arguments or ()
    known = None if any(field.many for field in arguments) else arguments[1:]
    state.scope = Scope(home=home, cwd=cwd, positional=known)


def finish(state: State, script: Script) -> None:
    """Walk what runs at some other time: traps, prompts, aliases, and functions that the script itself never calls."""
    if state.aliases and state.aliases_on:
        state.note(script.start, script.end, "aliases are on, and change how the script is read")
    often = assigned_often(script) if state.deferred else Changes(set())
    while state.deferred:
        again, scope, steps = state.deferred.pop(0)
        _forget(often, scope)
        state.scope, state.steps = scope, steps
        _walk_text(again, again.text or "", state)
    for key, (node, scope, steps) in list(state.definitions.items()):
        if key not in state.called:
            scope.forget_all()
            state.scope, state.steps = scope, steps
            _walk_uncalled(node, state)


def _walk_uncalled(node: Function, state: State) -> None:
    if state.enter(node):
        with state.step(Step("function", node.start)):
            state.walk_command(node.body, state)
        state.leave()
