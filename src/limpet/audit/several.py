"""One event -> several recorders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.errors import AuditError

if TYPE_CHECKING:
    from limpet.model.event import Event
    from limpet.protocols import Recorder


class SeveralRecorders:
    """Tells each recorder in turn. One that fails does not keep an event from the others; its error is raised last."""

    def __init__(self, *recorders: Recorder) -> None:
        self._recorders = recorders

    async def record(self, event: Event) -> None:
        """Raises the first AuditError of any of them."""
        failures: list[AuditError] = []
        for recorder in self._recorders:
            try:
                await recorder.record(event)
            except AuditError as error:
                failures.append(error)
        if failures:
            raise failures[0]

    def close(self) -> None:
        """All of them let go."""
        for recorder in self._recorders:
            recorder.close()
