"""What stands around a command, its redirections and variables -> effects, and the way it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, write
from limpet.syntax.values.field import ANYTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.found import Found, Step

_SUBSTITUTIONS = {"$(": "$(…)", "`": "`…`", "<(": "<(…)", ">(": ">(…)"}
_PLACES = frozenset({"stage", "(", "{", "if", "while", "for", "case", "condition", "&"})
_WRITES = frozenset({">", ">>", ">|", "&>", "&>>", ">&"})


def way_to(steps: tuple[Step, ...]) -> Iterator[str]:
    """What a command was found through: substitutions, functions, texts that are evaluated again."""
    for step in steps:
        if step.kind not in _PLACES:
            yield _SUBSTITUTIONS.get(step.kind, f"function {step.name}" if step.name else step.kind)


def effects_around(found: Found, command: Command) -> list[Effect]:
    """What a command does before it is looked at itself."""
    return [*_opened(command), *_assigned(found), *_named(command)]


def _opened(command: Command) -> Iterator[Effect]:
    """What the redirections do."""
    for each in command.opened:
        operator, target = each.node.operator, each.target
        if (operator in (">&", "<&") and (target.text or "").rstrip("-").isdigit()) or target.text == "-":
            continue
        if operator in ("<", "<>"):
            yield read(target)
        if operator in _WRITES or operator == "<>":
            yield write(target)


def _named(command: Command) -> Iterator[Effect]:
    """Variables that a builtin sets: what they hold then is not known."""
    names: tuple[str | None, ...] = ()
    if command.name == "printf":
        names = command.texts[1:2] if command.texts[:1] == ("-v",) else ()
    elif command.name in ("read", "mapfile", "readarray", "getopts"):
        names = tuple(text for text in command.texts if text is not None and not text.startswith("-"))
    for name in names:
        effect = assigned(name, ANYTHING) if name is not None else None
        if name is None:
            yield risk("variable.unknown", Risk.OPAQUE, "sets a variable whose name is not known before it runs")
        elif effect is not None:
            yield effect


def _assigned(found: Found) -> Iterator[Effect]:
    for each in found.assigned:
        effect = assigned(each.node.name, each.value)
        if effect is not None:
            yield effect


def assigned(name: str, value: Field | None) -> Effect | None:
    """What comes of setting a variable, as `assigned_risk` has it."""
    from limpet.policy.variables import assigned_risk  # noqa: PLC0415 - most commands set none, and its tables are long

    return assigned_risk(name, value)
