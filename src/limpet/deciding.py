"""A command -> the decision about it, without running anything and without an event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.engine.judge import unjudged
from limpet.model.limits import Limits
from limpet.model.request import Request
from limpet.model.window import PRESETS

if TYPE_CHECKING:
    from limpet.model.decision import Decision


def check(command: str, *, workspace: str = ".", cwd: str | None = None, profile: str = "workspace") -> Decision:
    """What would be decided about `command`. Neither folder has to exist."""
    request = Request(
        id="",
        command=command,
        workspace=workspace,
        cwd=workspace if cwd is None else cwd,
        timeout=None,
        limits=Limits(),
        profile=profile,
        window=PRESETS["standard"],
    )
    return unjudged(request)
