"""Output as it comes -> what may be shown on a person's terminal."""

from __future__ import annotations

from limpet.output.guard import Guard
from limpet.output.live import VisibleStream

__all__ = ["Guard", "VisibleStream"]
