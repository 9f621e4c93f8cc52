"""A question that waits for a person."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from limpet.model.decision import Decision
from limpet.model.request import Origin

SHORT = 6
"""Characters of an id that are shown: those at its end."""


class Asker(msgspec.Struct, frozen=True, kw_only=True):
    """The process that waits for the answer, told apart from a later one with the same number."""

    pid: int
    started: int
    boot: str
    space: str
    """The pid namespace in which `pid` means something."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """May this run? Times are seconds since 1970."""

    id: str
    """That of the run it is about."""
    command: str
    cwd: str
    workspace: str
    decision: Decision
    env: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Variables that the command is given on top of the usual ones."""
    description: str = ""
    origin: Origin = Origin()
    asked_at: float
    expires_at: float
    asker: Asker
    offered: Mapping[str, str] = msgspec.field(default_factory=dict)
    """`session` and `always`, where they can be chosen, with what they would cover."""

    @property
    def short(self) -> str:
        """What a person types."""
        return self.id[-SHORT:]
