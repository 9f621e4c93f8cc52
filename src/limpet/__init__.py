"""limpet runs the shell commands of AI agents: judged, contained, reversible, observed.

    result = await limpet.run("pytest -q", timeout=120)
    async with limpet.open(workspace=".") as shell: ...
    limpet.check("rm -rf build")

`limpet.sync` has the same names, blocking. What is listed here is the API; everything else may change.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; importing `typing` would take longer than all the rest
if TYPE_CHECKING:
    from limpet import sync
    from limpet.calls import run, sequence, stream
    from limpet.deciding import check
    from limpet.engine.cancel import CancelToken
    from limpet.engine.sequence import Blocks
    from limpet.errors import (
        AuditError,
        CommandCancelledError,
        CommandDeniedError,
        CommandError,
        CommandFailedError,
        CommandTimedOutError,
        ConfigError,
        InvalidRequestError,
        LaunchError,
        SandboxUnavailableError,
        SessionEndedError,
        StoreError,
        limpetError,
    )
    from limpet.model.answer import Answer
    from limpet.model.decision import Decision, Reason, Risk, Verdict
    from limpet.model.event import Answered, Asked, Decided, Event, Finished, Output, Prepared, Started
    from limpet.model.guarantees import Guarantees
    from limpet.model.limits import Limits, Usage
    from limpet.model.options import INHERIT, Options
    from limpet.model.result import Outcome, Result
    from limpet.model.session import SessionState
    from limpet.sessions import Session
    from limpet.shell import Shell, Stream, open  # noqa: A004 - `limpet.open` is what it is called
    from limpet.syntax.fences import fences
    from limpet.syntax.quote import join, quote
    from limpet.tool import BashTool

_HOMES = {
    "calls": ("run", "sequence", "stream"),
    "deciding": ("check",),
    "engine.cancel": ("CancelToken",),
    "engine.sequence": ("Blocks",),
    "errors": (
        "AuditError", "CommandCancelledError", "CommandDeniedError", "CommandError", "CommandFailedError",
        "CommandTimedOutError", "ConfigError", "InvalidRequestError", "LaunchError", "SandboxUnavailableError",
        "SessionEndedError", "StoreError", "limpetError",
    ),
    "model.answer": ("Answer",),
    "model.decision": ("Decision", "Reason", "Risk", "Verdict"),
    "model.event": ("Answered", "Asked", "Decided", "Event", "Finished", "Output", "Prepared", "Started"),
    "model.guarantees": ("Guarantees",),
    "model.limits": ("Limits", "Usage"),
    "model.options": ("INHERIT", "Options"),
    "model.result": ("Outcome", "Result"),
    "model.session": ("SessionState",),
    "sessions": ("Session",),
    "shell": ("Shell", "Stream", "open"),
    "syntax.fences": ("fences",),
    "syntax.quote": ("join", "quote"),
    "tool": ("BashTool",),
}  # fmt: skip

__version__ = "0.1.0"

__all__ = [
    "INHERIT", "Answer", "Answered", "Asked", "AuditError", "BashTool", "Blocks", "CancelToken",
    "CommandCancelledError", "CommandDeniedError", "CommandError", "CommandFailedError", "CommandTimedOutError",
    "ConfigError", "Decided", "Decision", "Event", "Finished", "Guarantees", "InvalidRequestError", "LaunchError",
    "Limits", "Options", "Outcome", "Output", "Prepared", "Reason", "Result", "Risk", "SandboxUnavailableError",
    "Session", "SessionEndedError", "SessionState", "Shell", "Started", "StoreError", "Stream", "Usage", "Verdict",
    "check", "fences", "join", "limpetError",
    "open", "quote", "run", "sequence", "stream", "sync",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: importing limpet costs next to nothing."""
    import importlib  # noqa: PLC0415 - as above

    if name == "sync":
        return importlib.import_module("limpet.sync")
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(importlib.import_module(f"limpet.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'limpet' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
