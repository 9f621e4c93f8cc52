"""What a command does -> whether it reaches the network or reads secrets, and what holds them afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Kind
from limpet.policy.places import Place

if TYPE_CHECKING:
    from limpet.policy.case import Case
    from limpet.policy.command import Command
    from limpet.policy.effect import Effect


def is_network(effect: Effect, command: Command, case: Case) -> bool:
    """Whether it sends or fetches something."""
    if effect.risk in (Risk.NETWORK, Risk.PUBLISHES):
        return True
    if effect.kind not in (Kind.READ, Kind.WRITE) or effect.field is None:
        return False
    return case.judge(effect.field, command.cwd).place is Place.SOCKET


def is_secret(effect: Effect, command: Command, case: Case) -> bool:
    """Whether it reads what should stay on this machine."""
    if effect.kind is not Kind.READ or effect.field is None:
        return False
    judged = case.judge(effect.field, command.cwd)
    return judged.to_keep or judged.path in case.copies


def note_secret(effects: list[Effect], command: Command, case: Case) -> None:
    """What is written by what reads secrets holds them, too."""
    targets = [effect.field for effect in effects if effect.kind is Kind.WRITE and effect.field is not None]
    targets += [each.target for each in command.opened if each.node.operator in (">", ">>", ">|", "&>", "&>>")]
    case.copies.update(case.judge(target, command.cwd).path for target in targets)
