"""`NAME=value` before a command, as `env` and `sudo` take it -> what is assigned, and what that brings about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.policy.variables import assigned_risk
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.effect import Effect

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def split_assignments(
    fields: tuple[Field, ...],
) -> tuple[tuple[tuple[str, Field], ...], tuple[Field, ...]]:
    """`A=1 B=2 cmd …` -> what is assigned, and the rest."""
    assigned: list[tuple[str, Field]] = []
    for index, field in enumerate(fields):
        if not _ASSIGNMENT.match(field.prefix):
            return tuple(assigned), fields[index:]
        name, _, value = field.prefix.partition("=")
        assigned.append((name, Field((value, *field.pieces[1:]))))
    return tuple(assigned), ()


def assignment_risks(assigned: tuple[tuple[str, Field], ...]) -> Iterator[Effect]:
    """What the variables do that are set for a command."""
    for name, value in assigned:
        effect = assigned_risk(name, value)
        if effect is not None:
            yield effect
