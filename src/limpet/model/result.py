"""The answer to a request."""

from __future__ import annotations

import enum

import msgspec

from limpet import errors
from limpet.model.change import Change, Undone
from limpet.model.decision import Decision
from limpet.model.filtered import Filtered
from limpet.model.guarantees import Guarantees
from limpet.model.limits import Usage


class Outcome(enum.StrEnum):
    """How it ended: set by whoever knows, never guessed from printed text."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMED_OUT = "timed_out"
    LIMITED = "limited"
    CANCELLED = "cancelled"
    DENIED = "denied"
    NEEDS_APPROVAL = "needs_approval"
    NOT_STARTED = "not_started"
    RUNNING = "running"
    """It has not ended: it goes on as the background task `task_id`."""


class Captured(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown of one stream."""

    text: str = ""
    total_bytes: int = 0
    omitted_chars: int = 0
    """Left out of `text`; the stored output has everything up to its disk limit."""

    @property
    def truncated(self) -> bool:
        """Whether anything is missing from `text`."""
        return self.omitted_chars > 0


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """Everything there is to know about a finished run. Denied, timed out and exit 3 are results too."""

    command: str
    outcome: Outcome
    ok: bool
    exit_code: int | None = None
    """None if it did not exit by itself."""
    signal: str | None = None
    """Name of the signal that ended it, such as `SIGKILL`."""
    stdout: str = ""
    stderr: str = ""
    output: str = ""
    """Both streams, interleaved in the order they were read."""
    timed_out: bool = False
    cancelled: bool = False
    truncated: bool = False
    duration_ms: int = 0
    operation_id: str = ""
    tool: str = "bash"
    cwd: str = ""
    output_file: str | None = None
    """Everything it printed, as raw bytes; None when it printed nothing."""
    stdout_bytes: int = 0
    stderr_bytes: int = 0
    filtered: Filtered | None = None
    """What a filter left out of what is shown."""
    task_id: str | None = None
    decision: Decision | None = None
    guarantees: Guarantees | None = None
    usage: Usage | None = None
    withheld_env: tuple[str, ...] = ()
    """Names of variables that were not passed on."""
    changes: tuple[Change, ...] | None = None
    """What it changed in the workspace; None when it ran in no transaction."""
    commit_id: str | None = None
    """By which what was taken over can be undone."""
    rolled_back: Undone | None = None
    """What it changed was dropped: paths that are again what they were, and paths that are gone again."""
    hint: str | None = None
    """A labelled guess at what to do about a failure."""
    error: str | None = None
    """What limpet has to say: why it was not run, what it ended, what could not be kept."""

    @property
    def decision_refused(self) -> bool:
        """Whether policy, or a missing approval, kept it from running."""
        return self.outcome in (Outcome.DENIED, Outcome.NEEDS_APPROVAL)

    def check(self) -> Result:
        """Raise unless it succeeded; else the result itself."""
        if self.ok:
            return self
        raise self._exception()

    def _exception(self) -> errors.CommandError:
        kinds = {
            Outcome.DENIED: errors.CommandDeniedError,
            Outcome.NEEDS_APPROVAL: errors.CommandDeniedError,
            Outcome.TIMED_OUT: errors.CommandTimedOutError,
            Outcome.CANCELLED: errors.CommandCancelledError,
        }
        kind = kinds.get(self.outcome, errors.CommandFailedError)
        return kind(self.summary(), self)

    def summary(self) -> str:
        """One line: what happened, and the last of what it complained about."""
        last = next((line for line in reversed(self.stderr.splitlines()) if line.strip()), "")
        happened, said = self.what_happened(), self.error or last
        return said if said.casefold().startswith(happened) else ": ".join(part for part in (happened, said) if part)

    def what_happened(self) -> str:
        """The outcome in a few words."""
        if self.outcome is Outcome.EXITED:
            fine = "ok" if self.rolled_back is None else "not kept"
            return fine if self.exit_code == 0 else f"exit {self.exit_code}"
        if self.outcome is Outcome.SIGNALLED:
            return f"killed by {self.signal}"
        if self.outcome is Outcome.TIMED_OUT:
            return f"timed out after {self.duration_ms / 1000:.1f} s"
        return self.outcome.value.replace("_", " ")
