"""What held for one run: said by whoever enforced it, never assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable


class Guarantees(msgspec.Struct, frozen=True, kw_only=True):
    """The promises that were in force while this command ran."""

    level: str
    """`native`, `bubblewrap`, `container`, `landlock` or `bare`."""
    backend: str
    """The same, or the program that runs the container."""
    files_written_only_in: tuple[str, ...] | None = None
    """None: it could write wherever the user can."""
    secrets_hidden: bool = False
    network: str = "open"
    """`open`, `off` or `filtered`."""
    tree_owned: bool = True
    """Every process it started is known and ended with it."""
    limits: tuple[str, ...] = ()
    """Names of the limits that were really enforced."""
    undo: bool = False
    notes: tuple[str, ...] = ()
    """What is not there, in words."""

    def holds(self, name: str) -> bool:
        """Whether the guarantee called `name` was in force."""
        return _TESTS[name](self)


_TESTS: dict[str, Callable[[Guarantees], bool]] = {
    "files": lambda g: g.files_written_only_in is not None,
    "secrets": lambda g: g.secrets_hidden,
    "network": lambda g: g.network != "open",
    "tree": lambda g: g.tree_owned,
    "limits": lambda g: bool(g.limits),
    "undo": lambda g: g.undo,
    "sandbox": lambda g: g.level != "bare",
}

GUARANTEE_NAMES = tuple(_TESTS)
"""What `--require` may name."""
