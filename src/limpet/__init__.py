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
    from limpet.calls import run, sequence, start, stream
    from limpet.deciding import check
    from limpet.engine.cancel import CancelToken
    from limpet.engine.sequence import Blocks
    from limpet.engine.stream import Stream
    from limpet.errors import (
        AuditError,
        CommandCancelledError,
        CommandDeniedError,
        CommandError,
        CommandFailedError,
        CommandTimedOutError,
        ConfigError,
        ConflictError,
        InvalidRequestError,
        LaunchError,
        QuestionError,
        SandboxUnavailableError,
        ScreenUnavailableError,
        SessionEndedError,
        StoreError,
        TransactionError,
        limpetError,
    )
    from limpet.model.answer import Answer
    from limpet.model.change import Change, Changes
    from limpet.model.decision import Decision, Reason, Risk, Verdict
    from limpet.model.event import (
        Answered,
        Asked,
        Committed,
        Decided,
        Event,
        Finished,
        Output,
        Prepared,
        RolledBack,
        Started,
        Waiting,
    )
    from limpet.model.guarantees import Guarantees
    from limpet.model.limits import Limits, Usage
    from limpet.model.options import INHERIT, OPEN, Options
    from limpet.model.result import Outcome, Result
    from limpet.model.session import SessionState
    from limpet.model.task import TaskOutput, TaskState, TaskStatus
    from limpet.model.terminal import Terminal
    from limpet.opening import open  # noqa: A004 - `limpet.open` is what it is called
    from limpet.render.screen import Screen
    from limpet.sessions import Session
    from limpet.shell import Shell
    from limpet.syntax.fences import fences
    from limpet.syntax.quote import join, quote
    from limpet.tasks.patience import Patience
    from limpet.tasks.task import Task
    from limpet.tool import BashTool
    from limpet.transaction import Transaction
    from limpet.undoing import committed, recover, undo

_HOMES = {
    "calls": ("run", "sequence", "start", "stream"),
    "deciding": ("check",),
    "engine.cancel": ("CancelToken",),
    "engine.sequence": ("Blocks",),
    "engine.stream": ("Stream",),
    "errors": (
        "AuditError", "CommandCancelledError", "CommandDeniedError", "CommandError", "CommandFailedError",
        "CommandTimedOutError", "ConfigError", "ConflictError", "InvalidRequestError", "LaunchError", "QuestionError",
        "SandboxUnavailableError", "ScreenUnavailableError", "SessionEndedError", "StoreError", "TransactionError",
        "limpetError",
    ),
    "model.answer": ("Answer",),
    "model.decision": ("Decision", "Reason", "Risk", "Verdict"),
    "model.change": ("Change", "Changes"),
    "model.event": (
        "Answered", "Asked", "Committed", "Decided", "Event", "Finished", "Output", "Prepared", "RolledBack", "Started",
        "Waiting",
    ),
    "model.guarantees": ("Guarantees",),
    "model.limits": ("Limits", "Usage"),
    "model.options": ("INHERIT", "OPEN", "Options"),
    "model.result": ("Outcome", "Result"),
    "model.session": ("SessionState",),
    "model.task": ("TaskOutput", "TaskState", "TaskStatus"),
    "model.terminal": ("Terminal",),
    "opening": ("open",),
    "render.screen": ("Screen",),
    "sessions": ("Session",),
    "shell": ("Shell",),
    "syntax.fences": ("fences",),
    "syntax.quote": ("join", "quote"),
    "tasks.patience": ("Patience",),
    "tasks.task": ("Task",),
    "tool": ("BashTool",),
    "transaction": ("Transaction",),
    "undoing": ("committed", "recover", "undo"),
}  # fmt: skip

__version__ = "0.1.0"

__all__ = [
    "INHERIT", "OPEN", "Answer", "Answered", "Asked", "AuditError", "BashTool", "Blocks", "CancelToken", "Change",
    "Changes", "CommandCancelledError", "CommandDeniedError", "CommandError", "CommandFailedError",
    "CommandTimedOutError", "Committed", "ConfigError", "ConflictError", "Decided", "Decision", "Event", "Finished",
    "Guarantees", "InvalidRequestError", "LaunchError", "Limits", "Options", "Outcome", "Output", "Patience",
    "Prepared",
    "QuestionError", "Reason", "Result", "Risk", "RolledBack", "SandboxUnavailableError", "Screen",
    "ScreenUnavailableError", "Session", "SessionEndedError", "SessionState", "Shell", "Started", "StoreError",
    "Stream", "Task", "TaskOutput", "TaskState", "TaskStatus", "Terminal", "Transaction", "TransactionError", "Usage",
    "Verdict", "Waiting", "check", "committed", "fences", "join", "limpetError", "open", "quote", "recover", "run",
    "sequence", "start", "stream", "sync", "undo",
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
