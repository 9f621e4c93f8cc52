"""What was decided about a command, and why."""

from __future__ import annotations

import enum

import msgspec


class Verdict(enum.StrEnum):
    """Ordered (as words, too), so that the strictest of several is their maximum."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Risk(enum.StrEnum):
    """What could go wrong."""

    DESTROYS = "destroys"
    ESCAPES = "escapes"
    PRIVILEGE = "privilege"
    SECRETS = "secrets"
    NETWORK = "network"
    PERSISTS = "persists"
    PUBLISHES = "publishes"
    OPAQUE = "opaque"
    UNKNOWN = "unknown"


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that spoke for or against."""

    rule: str
    verdict: Verdict
    message: str
    risk: Risk = Risk.UNKNOWN
    suggestion: str = ""
    span: tuple[int, int] | None = None
    """First and past-the-last character of the words that decided."""


class FoundCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A simple command, wherever it was found."""

    argv: tuple[str | None, ...]
    """A word that cannot be known is None."""
    span: tuple[int, int]
    via: tuple[str, ...] = ()
    """What it was found through, outermost first: `sudo`, `bash -c`, `$(…)`."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one command line."""

    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    commands: tuple[FoundCommand, ...] = ()
    effects: tuple[str, ...] = ()
    read_only: bool = False
    opaque: bool = False
    containment: str = "none"
    """How the command would be contained, as far as judging took it into account."""
