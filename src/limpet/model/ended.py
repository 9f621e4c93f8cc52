"""What a launcher says when a run is over."""

from __future__ import annotations

import enum

import msgspec

from limpet.model.limits import Usage


class Ending(enum.StrEnum):
    """Who ended it."""

    ITSELF = "itself"
    TIMEOUT = "timeout"
    STOPPED = "stopped"
    LIMIT = "limit"
    LOST = "lost"
    """The process that watched over it was killed; the rest of the tree was ended."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the whole tree once nothing of it is alive."""

    ending: Ending
    exit_code: int | None = None
    signal: int | None = None
    usage: Usage
    left_behind: tuple[str, ...] = ()
    """Processes still there when the shell had exited, as `name (pid)`; they were ended."""
    survivors: tuple[str, ...] = ()
    """Processes that could not be ended."""
    limit: str = ""
    """Name of the limit that was broken."""
    enforced: tuple[str, ...] = ()
    """Names of the limits that were really in force."""
    note: str = ""
    """What else a person should know of it."""
