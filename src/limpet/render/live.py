"""Output as it comes -> text that may be shown on a person's terminal."""

from __future__ import annotations

from limpet.output.live import VisibleStream

__all__ = ["VisibleStream"]
