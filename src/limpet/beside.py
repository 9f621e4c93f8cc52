"""Work beside this process: in a child that may fail, or in a process that stays and is asked again."""

from __future__ import annotations

from limpet.process.aside import Waiting, become, detach, within

__all__ = ["Waiting", "become", "detach", "within"]
