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

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Piece", "StoredLog", "follow", "is_task", "matching", "tail_of"]


class StoredLog(stored.StoredLog):
    """The stored output of the run or task with this id. Raises StoreError when there is none."""

    def __init__(self, run: str, environ: Mapping[str, str] | None = None) -> None:
        super().__init__(run, Store(state_dir(os.environ if environ is None else environ)).path(run))
