"""The id of a run or a task -> what it printed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.config import state_dir
from limpet.engine import stored
from limpet.engine.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping


class StoredLog(stored.StoredLog):
    """The stored output of the run or task with this id. Raises StoreError when there is none."""

    def __init__(self, run: str, environ: Mapping[str, str] | None = None) -> None:
        super().__init__(run, Store(state_dir(os.environ if environ is None else environ)).path(run))
