"""What a tool gives back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class ToolAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What goes back to the model and to the program around it."""

    text: str
    """For the model."""
    data: Mapping[str, Any]
    """For programs."""
    is_error: bool
    """The call itself was wrong or refused; a command that failed is not an error of the tool."""
