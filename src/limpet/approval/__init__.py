"""Who answers when policy asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.answer import NOBODY

if TYPE_CHECKING:
    from limpet.model.decision import Decision
    from limpet.model.request import Request


class DenyAll:
    """Nobody is there to answer: what would be asked does not run."""

    name = NOBODY.by

    async def __call__(self, request: Request, decision: Decision) -> bool:  # noqa: ARG002 - the answer is always the same
        """No."""
        return False


class ApproveAll:
    """The caller has approved whatever would be asked."""

    async def __call__(self, request: Request, decision: Decision) -> bool:  # noqa: ARG002 - the answer is always the same
        """Yes."""
        return True


class AnsweredBefore:
    """Somebody was asked elsewhere, and has approved."""

    def __init__(self, name: str) -> None:
        self.name = name
        """Who that was."""

    async def __call__(self, request: Request, decision: Decision) -> bool:  # noqa: ARG002 - the answer was given
        """Yes."""
        return True
