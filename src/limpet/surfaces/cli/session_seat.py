"""`limpet session run` at a terminal: a person talks to a command of a named session that has a terminal, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.named.client import Visitor
from limpet.surfaces.cli.interactive import announce, conclude
from limpet.surfaces.cli.seat import Seat

if TYPE_CHECKING:
    from limpet import CancelToken
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.named.client import Named, Way
    from limpet.named.talk import Piece, Run
    from limpet.protocols import Approver


async def converse(
    named: Named, name: str, wanted: Run, cancel: CancelToken, ask: Approver | None, *, follow_size: bool
) -> Result:
    """Lend the terminal that we are on to the command; one key ends it whatever it does."""
    there = _Conversation(cancel, follow_size=follow_size)
    try:
        visitor = Visitor(ask=ask, opened=there.opened, printed=there.printed)
        result = await named.run(name, wanted, cancel=cancel, visitor=visitor)
    finally:
        there.seat.give_back()
    conclude(result, there.seat)
    return result


class _Conversation:
    """A seat at our terminal, and the way from there to the command once it has begun."""

    def __init__(self, cancel: CancelToken, *, follow_size: bool) -> None:
        self._way: Way | None = None
        resized = self._resized if follow_size else None
        self.seat = Seat(self._typed, resized, cancel.cancel, lambda: cancel.cancelled)

    def opened(self, request: Request, way: Way) -> None:
        announce(request)
        self._way = way
        self.seat.take()

    async def printed(self, piece: Piece) -> None:
        await self.seat.draw(piece.text)

    def _typed(self, data: bytes) -> None:
        if self._way is not None:
            self._way.send(data)

    def _resized(self, rows: int, columns: int) -> None:
        if self._way is not None:
            self._way.resize(rows, columns)
