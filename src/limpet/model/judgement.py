"""What a program that runs commands by itself was told about one of them."""

from __future__ import annotations

import msgspec

from limpet.model.decision import Decision, Verdict
from limpet.model.request import Origin


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing is run here, so there is neither a request nor a result."""

    id: str
    command: str
    workspace: str
    cwd: str
    description: str
    origin: Origin
    decision: Decision | None
    """None: there was none, so the answer was no."""
    told: Verdict
    """A question that the program cannot ask is a no."""
    reason: str
    """As the program was told; empty for an allow."""
