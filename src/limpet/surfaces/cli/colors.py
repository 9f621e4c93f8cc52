"""A stream and the environment -> whether to paint."""

from __future__ import annotations

import os
from typing import TextIO


def wants_color(stream: TextIO) -> bool:
    """Only on a terminal that can, and never against the user's word."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
