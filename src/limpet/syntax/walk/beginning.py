"""What a shell has become before a script -> what a walk of the script begins with."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser import parse
from limpet.syntax.tree import Function
from limpet.syntax.values.field import known
from limpet.syntax.walk.evaluate import evaluate
from limpet.syntax.walk.found import Again
from limpet.syntax.walk.names import literal
from limpet.syntax.walk.options import changes_reading, modes, opaque_options
from limpet.syntax.walk.reading import PRINTING, may_run

if TYPE_CHECKING:
    from limpet.model.session import ShellFacts
    from limpet.syntax.walk.state import State

_PLAIN = frozenset("-xrt")
_LONGEST = 8192
_ALWAYS = frozenset({"BASH_XTRACEFD", "CDPATH", "DIRSTACK", "GLOBIGNORE", "HOME", "IFS", "OLDPWD"})
"""What bash looks at by itself."""
_INDIRECT = late(r"!|eval|declare|typeset|local|read|printf|mapfile|getopts|source|(?<!\S)\.\s")
"""What may speak of a variable without its name."""


def begin(state: State, facts: ShellFacts, text: str | None, end: int) -> None:
    """Put into the state what is known; `end` is where the text ends."""
    state.modes |= _modes(facts)
    state.scope.ordinary &= not changes_reading(facts.options)
    state.scope.hides_dots &= "shown dots" not in state.modes
    state.point.strict = "errexit" in facts.options
    for reason in opaque_options(facts.options):
        state.note(0, end, reason)
    if facts.disabled:
        state.note(0, end, "builtins are switched off")
    _functions(state, facts)
    _traps(state, facts, end)
    _variables(state, facts, text)
    state.aliases |= set(facts.aliases)


def _traps(state: State, facts: ShellFacts, end: int) -> None:
    """They run at any time, or at the end. Before the variables: those may be others by then."""
    for text, when in facts.traps:
        again = Again("later", "trap", text, 0, end)
        if when != "EXIT":
            state.odd.add(again)
        evaluate(again, state)


@functools.lru_cache(maxsize=16)
def _modes(facts: ShellFacts) -> frozenset[str]:
    return modes(" ".join((*facts.options, *(name for name, _, _ in facts.variables))))


def _mentioned(facts: ShellFacts, text: str | None) -> tuple[tuple[str, str, str | None], ...]:
    """The variables that may be of interest: those that no text speaks of are not."""
    if text is None or _INDIRECT.search(text):
        return facts.variables
    texts = (text, facts.functions, *(each for each, _ in facts.traps))
    return tuple(each for each in facts.variables if each[0] in _ALWAYS or any(each[0] in one for one in texts))


def _variables(state: State, facts: ShellFacts, text: str | None) -> None:
    point = state.point
    for name, attributes, value in _mentioned(facts, text):
        letters = set(attributes)
        if "n" in letters:
            point.pin(name, reference=True)
        elif value is None or len(value) > _LONGEST or not letters <= _PLAIN:
            point.forget(name)
        elif name != "PWD":
            point.assign(name, known(value))
            state.live |= may_run(value)
        if "x" in letters:
            point.export(name)
        if "r" in letters:
            point.frozen |= {name}
        if letters & set("ilcu"):
            point.integers |= {name}
            point.pin(name)


def _functions(state: State, facts: ShellFacts) -> None:
    for name, node in _parsed(facts.functions):
        state.functions.define(name, node, state.guard)
        state.defined.add(name)
        state.before.add(id(node))
        if name in PRINTING:
            state.scope.prints = False


@functools.lru_cache(maxsize=16)
def _parsed(text: str) -> tuple[tuple[str, Function], ...]:
    if not text:
        return ()
    nodes = (command for command in parse(text, extglob=True).body.commands if isinstance(command, Function))
    return tuple((name, node) for node in nodes if (name := literal(node.name)) is not None)
