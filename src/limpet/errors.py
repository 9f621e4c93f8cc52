"""The exceptions: raised when limpet could not do its job, never because a command failed.

limpetError
├── InvalidRequestError      blank command, bad environment, cwd or timeout; nothing was spawned
├── ConfigError              a settings file, variable or argument; names where it stands and what to do
├── SandboxUnavailableError  the wish cannot be met on this host; names what is missing
├── LaunchError              the command could not be started (no bash, no processes left, ...)
├── SessionEndedError        the session has exited, or was closed; nothing was started
├── AuditError               it could not be recorded, so it was not run
├── StoreError               stored output that cannot be written, found or read
├── QuestionError            a question that cannot be asked, or an answer that nobody would hear
├── ScreenUnavailableError   the screen of a terminal as text needs an extra that is not installed
├── TransactionError         a transaction, commit or undo that cannot be; the workspace is as it was
│   ├── ConflictError        somebody else changed the same paths meanwhile; carries the conflicts
│   └── NoOverlayError       the kernel would not keep changes apart there; copies can be taken instead
└── CommandError             only from `Result.check()` or `check=True`; carries the Result
    ├── CommandDeniedError
    ├── CommandTimedOutError
    ├── CommandCancelledError
    └── CommandFailedError
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.model.change import Conflict
    from limpet.model.result import Result


class limpetError(Exception):  # noqa: N801 - the product's name is written in lower case
    """Every exception that limpet raises on purpose."""


class InvalidRequestError(limpetError, ValueError):
    """The request makes no sense as it stands; nothing was started."""

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class ConfigError(limpetError, ValueError):
    """A setting is wrong. The message opens with where it stands: `file:line:` or `$VARIABLE:`."""

    def __init__(self, message: str, *, source: str = "", line: int | None = None) -> None:
        place = f"{source}:{line}: " if source and line else f"{source}: " if source else ""
        super().__init__(place + message)
        self.source = source
        self.line = line


class SandboxUnavailableError(limpetError):
    """What was required cannot be guaranteed here."""

    def __init__(self, message: str, *, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.missing = missing


class LaunchError(limpetError):
    """The command could not be started, or its keeper was lost; `errno` is the kernel's reason when there is one."""

    def __init__(self, message: str, *, errno: int | None = None) -> None:
        super().__init__(message)
        self.errno = errno


class SessionEndedError(limpetError):
    """The session is over, so the command was not run; `shell.session(restart=True)` would have gone on."""


class ScreenUnavailableError(limpetError):
    """The screen of a terminal cannot be read as text: the extra that draws it is not installed."""


class AuditError(limpetError):
    """The record could not be written or read."""


class StoreError(limpetError):
    """Stored output cannot be written, found or read."""


class QuestionError(limpetError):
    """A question that cannot be asked or answered: nobody would hear of it."""


class TransactionError(limpetError):
    """It cannot be opened, committed or undone; nothing of the workspace has changed."""


class NoOverlayError(TransactionError):
    """The kernel cannot keep what changes in this workspace apart from it; copies of the workspace would do."""


class ConflictError(TransactionError):
    """Somebody else changed the same paths meanwhile; nothing was overwritten."""

    def __init__(self, message: str, conflicts: tuple[Conflict, ...]) -> None:
        super().__init__(message)
        self.conflicts = conflicts


class CommandError(limpetError):
    """A command did not succeed, and the caller asked for that to be an exception."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result

    @property
    def exit_code(self) -> int | None:
        """The command's own exit code; None if it did not exit."""
        return self.result.exit_code

    @property
    def stderr(self) -> str:
        """What the command wrote to stderr."""
        return self.result.stderr


class CommandDeniedError(CommandError):
    """Policy refused it, or nobody approved it."""


class CommandTimedOutError(CommandError):
    """The time limit was reached."""


class CommandCancelledError(CommandError):
    """The caller ended it."""


class CommandFailedError(CommandError):
    """It ran and did not succeed: exit code, signal or resource limit."""
