"""What somebody said who was asked."""

from __future__ import annotations

import msgspec


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a command may run; whatever else was said is for the session and for the model."""

    approved: bool
    session: bool = False
    """Not to be asked again in this session."""
    always: bool = False
    """Not to be asked again at all."""
    reason: str = ""
    """Why not; safe to show."""


NO = Answer(approved=False)
