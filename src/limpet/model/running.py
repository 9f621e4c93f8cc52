"""A command that is running now, as others may see it."""

from __future__ import annotations

import msgspec


class RunningCommand(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `Shell.running()`."""

    operation_id: str
    command: str
    description: str
    agent: str
    seconds: float
    """For how long it has been running."""
