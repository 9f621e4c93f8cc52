"""The commands of a script -> walked line by line: where bash may give up a line, what that line did is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.walk.forget import changes_of, forget
from limpet.syntax.walk.reading import line_ends

if TYPE_CHECKING:
    from limpet.syntax.tree import Command, Script
    from limpet.syntax.walk.state import State


def walk_lines(script: Script, text: str | None, state: State) -> bool:
    """Walk a whole script; without its text any two commands may stand on one line."""
    state.trees.append(script)
    before, state.faulty = state.faulty, False
    evaluated, state.scope.evaluates = state.scope.evaluates, False
    ends = line_ends(script, text) if text is not None else [True] * len(script.commands)
    goes_on = True
    line: list[Command] = []
    for command, end in zip(script.commands, ends, strict=True):
        goes_on = state.walk_command(command, state) and goes_on
        line.append(command)
        if end:
            _end(tuple(line) if text is not None else script.commands, state, pins=text is None)
            line = []
    state.faulty = before
    state.scope.evaluates = evaluated
    return goes_on


def _end(line: tuple[Command, ...], state: State, *, pins: bool) -> None:
    """Arithmetic that fails, a name that is none, a variable that is read-only: bash goes on with the next line."""
    if not (state.faulty or state.scope.evaluates or "globs may fail" in state.modes):
        return
    found = changes_of(line, state)
    forget(found, state)
    for name in found.names if pins else ():
        state.point.pin(name)
    state.faulty = state.scope.evaluates = False
