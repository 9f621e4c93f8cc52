"""Work beside this process: in a child that may fail, or in a process that stays and is asked again."""

from __future__ import annotations

from limpet.process.aside import detach, serve, within

__all__ = ["detach", "serve", "within"]
