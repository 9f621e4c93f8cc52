"""Somebody who is asked -> the same, with who answered last known afterwards."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from limpet.model.answer import Answer

if TYPE_CHECKING:
    from limpet.model.decision import Decision
    from limpet.model.request import Request
    from limpet.protocols import Approver


class Heard:
    """Asks whom it was given."""

    def __init__(self, approver: Approver) -> None:
        self._approver = approver
        self.name = str(getattr(approver, "name", type(approver).__name__))
        """Who answered, or is going to."""

    async def __call__(self, request: Request, decision: Decision) -> bool | Answer:
        """What they say."""
        said: object = self._approver(request, decision)
        if isinstance(said, Awaitable):  # a plain function has its answer already
            said = await said
        if isinstance(said, Answer) and said.by:
            self.name = said.by
        return said if isinstance(said, Answer) else said is True
