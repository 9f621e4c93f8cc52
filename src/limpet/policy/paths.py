"""What a command does to a path -> what speaks against it, in every folder that it may run in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.assess import assess_path
from limpet.policy.effect import Kind
from limpet.policy.places import Place

if TYPE_CHECKING:
    from limpet.policy.case import Case
    from limpet.policy.command import Command
    from limpet.policy.effect import Effect


def judge_effect_on_path(effect: Effect, command: Command, case: Case) -> None:
    """Note what it is, and what speaks against it."""
    if effect.field is not None:
        for cwd in _folders(effect, command):
            _judge_in(cwd, effect, command, case)


def _folders(effect: Effect, command: Command) -> tuple[str | None, ...]:
    """What is deleted or changed may be that in any folder which a `cd` that failed did not leave."""
    path = effect.field.prefix if effect.field is not None else ""
    if effect.kind not in (Kind.DELETE, Kind.CHANGE) or path.startswith("/"):
        return (command.cwd,)
    if command.folders is None:
        return (command.cwd, None) if command.cwd is not None else (None,)
    stays = command.cwd is None or command.cwd in command.folders  # a wrapper may have gone elsewhere
    return command.folders if command.folders and stays else (command.cwd,)


def _judge_in(cwd: str | None, effect: Effect, command: Command, case: Case) -> None:
    assert effect.field is not None
    judged = case.judge(effect.field, cwd)
    loose = case.judge(effect.field, cwd, loose=True) if effect.kind is Kind.WRITE else judged
    finding = assess_path(effect, loose, (command.start, command.end))
    if finding is not None:
        case.find(finding)
    if effect.kind is not Kind.READ and judged.place is not Place.NOWHERE:
        case.read_only = False
    case.effects.append(f"{effect.kind} {judged.path}" + (" and all in it" if effect.recursive else ""))
