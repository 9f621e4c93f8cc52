"""A script as a whole, whatever its commands are -> what speaks against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.around import assigned
from limpet.policy.bombs import find_bombs, find_endless, set_unseen, shape_of, unended
from limpet.syntax.values.field import ANYTHING

if TYPE_CHECKING:
    from limpet.policy.case import Case
    from limpet.policy.command import Command
    from limpet.syntax.tree import Tree


def judge_shape(tree: Tree, case: Case, host: Command | None) -> None:
    """What is wrong with a script as a whole, whatever its commands are."""
    shape, place = shape_of(tree), None if host is None else (host.start, host.end)
    for span in unended(shape):
        case.unclear("has a heredoc that does not end", place or span, "syntax.heredoc")
    for message, span in find_endless(shape):
        case.ask("processes.endless", Risk.DESTROYS, message, place or span)
    for message, span in find_bombs(shape):
        case.deny("floor.fork-bomb", Risk.DESTROYS, message, place or span)
    for name, span in set_unseen(shape):
        if assigned(name, ANYTHING) is not None:
            why = f"sets {name}, which other programs obey"
            case.ask("variable.loop", Risk.OPAQUE, why, place or span)
