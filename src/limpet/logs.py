"""The id of a run or a task -> what it printed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.config import state_dir
from limpet.engine import stored
from limpet.engine.following import Piece, follow
from limpet.engine.ids import is_task
from limpet.engine.store import Store
from limpet.engine.stored import matching, tail_of
from limpet.render.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Piece", "StoredLog", "follow", "is_task", "matching", "tail_of"]


class StoredLog(stored.StoredLog):
    """The stored output of the run or task with this id. Raises StoreError when there is none."""

    def __init__(self, run: str, environ: Mapping[str, str] | None = None) -> None:
        super().__init__(run, Store(state_dir(os.environ if environ is None else environ)).path(run))

    def part(self, *, since: int = 0, tail: int | None = None, grep: str | None = None) -> tuple[str, int]:
        """What is wanted of it, as a terminal would show it, and the offset of its end."""
        end = self.size
        if grep is not None:
            lines = list(self.grep(grep, since=since))
            data = b"".join(lines if tail is None else lines[-tail:] if tail else [])
        elif tail is not None:
            data = self.tail(tail, since=since)
        else:
            data = b"".join(self.read(since=since))
        return plain(data), end
