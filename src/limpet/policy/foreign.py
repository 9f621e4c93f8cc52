"""Files that a script brings in from elsewhere -> what it does with them later is not what it seems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.effect import Effect, Kind
from limpet.policy.places import Place, judge_path

if TYPE_CHECKING:
    from limpet.policy.case import Case
    from limpet.policy.command import Command

_COPYING = frozenset({"cp", "mv", "ln", "install", "dd", "tee", "rsync", "curl", "wget", "scp"})
_OWN = (Place.WORKSPACE, Place.WORKSPACE_ITSELF)


def note_foreign(effects: list[Effect], command: Command, case: Case, *, network: bool) -> None:
    """Remember links out of the workspace, and files that were copied or fetched from outside it."""
    if command.name not in _COPYING:
        return
    sources = [_path(effect, command, case) for effect in effects if effect.kind is Kind.READ]
    targets = [_path(effect, command, case)[1] for effect in effects if effect.kind is Kind.WRITE]
    outside = [path for place, path in sources if place not in _OWN]
    if network or outside:
        case.foreign.update(targets)
    if command.name == "ln" and outside:
        case.links.update((target, outside[0]) for target in targets)


def _path(effect: Effect, command: Command, case: Case) -> tuple[Place, str]:
    assert effect.field is not None
    judged = judge_path(effect.field, command.cwd, case.world)
    return judged.place, judged.path
