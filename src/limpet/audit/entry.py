"""One row of the audit log, as a value."""

from __future__ import annotations

import enum

import msgspec


class Kind(enum.StrEnum):
    """When a row was written."""

    PREPARED = "prepared"
    """Before anything started."""
    FINISHED = "finished"
    JUDGED = "judged"
    """A hook was asked, and what was then run, if anything, is not known."""


class ResultKind(enum.StrEnum):
    """How a run ended, in the few words that a log is searched by."""

    SUCCESS = "success"
    ERROR = "error"
    BLOCKED = "blocked"
    TIMEOUT = "timeout"
    ROLLBACK = "rollback"
    CANCELLED = "cancelled"
    LIMITED = "limited"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What was written down. Free text has its secrets removed; fields of the end are None in a `prepared` row.

    The fields are the columns of the table, in order, and that order is part of what the hash covers.
    """

    id: int
    time: float
    """Seconds since 1970, by the clock of the process that wrote it."""
    operation_id: str
    kind: str
    tool: str
    command: str
    cwd: str
    description: str
    surface: str
    agent: str
    caller: str
    verdict: str
    rule: str
    """The rule that decided; empty when none did."""
    approved_by: str
    result: str | None
    outcome: str | None
    reason: str
    """Why it was not run, or what limpet has to say about how it ended."""
    duration_ms: int | None
    error_category: str | None
    error_domain: str | None
    error_phase: str | None
    exit_code: int | None
    signal: str | None
    truncated: bool | None
    output_file: str | None
    pid: int
    """The process that wrote the row, not the command's."""
    hash: str


COLUMNS = Entry.__struct_fields__
"""In the order of the table; the hash stands last and covers all the others."""
