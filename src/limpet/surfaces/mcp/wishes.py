"""What was said on the command line about the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from limpet.model.options import RunOptions


class Wishes(NamedTuple):
    """How to serve."""

    workspace: str
    fixed: bool
    """Whether the workspace was named; else a client's own root comes first."""
    patience: float
    """Seconds after which a call comes back, whether the command is over or not."""
    options: RunOptions
    structured: bool = False
    """Whether answers also carry data, which some clients show to the model instead of the text."""
