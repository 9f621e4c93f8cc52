"""A command -> whether it is a plain `cd`, so that where it succeeded it is known where that led."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.tree import Simple
from limpet.syntax.walk.names import literal
from limpet.syntax.walk.words import may_fail

if TYPE_CHECKING:
    from limpet.syntax.tree import Command
    from limpet.syntax.walk.state import State


def may_move(command: Command) -> bool:
    """Whether it looks like one."""
    return isinstance(command, Simple) and len(command.words) > 0 and literal(command.words[0]) == "cd"


def moved(command: Command, state: State) -> bool:
    """Whether the command that was just walked is one."""
    if not isinstance(command, Simple) or not state.found or state.find("cd")[0]:
        return False
    last = state.found[-1]
    if may_fail(last.opened[: len(command.redirects)], state):
        return False
    return (
        last.node is command
        and last.argv[0:1] != ()
        and last.argv[0].text == "cd"
        and not last.function
        and (all((field.text or "-")[:1] != "-" for field in last.argv[1:]))
    )
