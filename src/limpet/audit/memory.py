"""Events -> a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.model.event import Event


class MemoryRecorder:
    """Keeps every event as it came, secrets and all: for tests, and for programs that keep records of their own."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def record(self, event: Event) -> None:
        """Never fails."""
        self.events.append(event)
