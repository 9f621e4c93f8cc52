"""Where transactions and commits are, below the state directory; told without loading what deals with them."""

from __future__ import annotations

import os

TRANSACTIONS = "transactions"
COMMITS = "commits"


def is_used(state: str) -> bool:
    """Whether there is anything of either."""
    return any(_is_filled(os.path.join(state, folder)) for folder in (TRANSACTIONS, COMMITS))


def _is_filled(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is not None
    except OSError:
        return False
