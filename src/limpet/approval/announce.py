"""A question that waits in the inbox -> a line on stderr that says how to answer it."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from limpet.model.answer import NOBODY, Answer
from limpet.model.question import SHORT

if TYPE_CHECKING:
    from limpet.model.decision import Decision
    from limpet.model.request import Request


class Announce:
    """Answers nothing by itself: `inbox+announce`."""

    async def __call__(self, request: Request, decision: Decision) -> Answer:  # noqa: ARG002 - as all who are asked
        """Say it, in one piece: others may write there, too."""
        words = f"limpet: waiting for an answer: limpet approve {request.id[-SHORT:]}\n"
        with contextlib.suppress(OSError):  # nobody reads it; `limpet approvals` has it all the same
            os.write(2, words.encode())
        return NOBODY
