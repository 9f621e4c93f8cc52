"""Where transactions and commits are, below the state directory; told without loading what deals with them."""

from __future__ import annotations

import os

from limpet.errors import TransactionError
from limpet.kernel.identity import as_suffix, is_alive, mine, of_suffix

TRANSACTIONS = "transactions"
COMMITS = "commits"


def is_used(state: str) -> bool:
    """Whether there is anything of either."""
    return any(_is_filled(os.path.join(state, folder)) for folder in (TRANSACTIONS, COMMITS))


def check_name(name: str) -> None:
    """Of a transaction or commit: it becomes that of a folder. Raises TransactionError."""
    if not name or name.startswith(".") or "/" in name or "\0" in name:
        raise TransactionError(f"{name!r} cannot be the name of a transaction or commit")


def unfinished_name(name: str) -> str:
    """What it is called while this process makes it, or takes it away. Raises OSError."""
    return f".{name}.{as_suffix(mine())}"


def is_abandoned(name: str) -> bool:
    """Whether the process that gave such a name is known to be gone."""
    owner = of_suffix(name)
    return owner is not None and is_alive(owner) is False


def _is_filled(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is not None
    except OSError:
        return False
