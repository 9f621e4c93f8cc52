"""A transaction, as far as the road and the sandbox have to know of it."""

from __future__ import annotations

import msgspec

Codes = tuple[tuple[int, int], ...]
"""Exit codes, as ranges with both ends in them."""
FAILED: Codes = ((2, 255),)
"""1 is how many programs say no, such as grep, diff and test: that alone is no reason to take anything back."""


class Transacted(msgspec.Struct, frozen=True, kw_only=True):
    """The command runs in a transaction."""

    name: str = ""
    """Of one that is open, and is settled by who opened it. Empty: one of its own, settled when it has run."""
    rollback_on: Codes = FAILED
    """For one of its own: with these exit codes, or none at all, what it changed is dropped."""
    goes_on: bool = False
    """A shell of it remembers what it has seen: what others have changed since then is a conflict."""
