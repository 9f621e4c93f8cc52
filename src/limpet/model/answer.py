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
    by: str = ""
    """Who said so, for the record; empty: whoever was asked."""


NO = Answer(approved=False)
NOBODY = Answer(approved=False, by="nobody")
"""There was nobody to ask, or none who answered in time."""
