"""The keepers that everything in this process shares."""

from __future__ import annotations

import atexit
import functools

from limpet.process.keepers import Keepers


@functools.cache
def keepers() -> Keepers:
    """Made at the first call, closed when the interpreter ends."""
    made = Keepers()
    atexit.register(made.close)
    return made
