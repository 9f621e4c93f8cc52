"""Something that speaks against a command, before a profile says how much it matters."""

from __future__ import annotations

import msgspec

from limpet.model.decision import Risk


class Finding(msgspec.Struct, frozen=True, gc=False):
    """One such thing."""

    rule: str
    risk: Risk
    message: str
    span: tuple[int, int]
    suggestion: str = ""
    deny: bool = False
    """Never allowed, whatever the profile: the floor."""
    command: int = -1
    """Which of the commands that were found it is about; -1 for its redirections and variables, and for the text."""
