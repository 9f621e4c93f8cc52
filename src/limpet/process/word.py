"""What the first process tells: its keeper, and the client."""

from __future__ import annotations

import struct
from typing import NamedTuple

WORD = struct.Struct("=i?ddQ")


class Word(NamedTuple):
    """Of the shell, once it has been started."""

    status: int
    """Its wait status; -1 while it runs."""
    empty: bool
    """Nothing is left but the first process itself, which ends now."""
    user: float = 0.0
    system: float = 0.0
    rss: int = 0
    """What everything that has ended has used, in seconds and bytes."""
