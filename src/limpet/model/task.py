"""A background task, as others see it."""

from __future__ import annotations

import enum

import msgspec

from limpet.model.result import Outcome


class TaskState(enum.StrEnum):
    """Where a task has come to."""

    STARTING = "starting"
    RUNNING = "running"
    WAITING = "waiting"
    """For input that has not come."""
    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMED_OUT = "timed_out"
    LIMITED = "limited"
    STOPPED = "stopped"
    """Somebody asked for its end."""
    LOST = "lost"
    """The process that held it is gone and has left no result; what was printed is kept."""
    NOT_STARTED = "not_started"
    """Its command could not be started."""

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it."""
        return self not in _GOING_ON


class TaskInput(enum.StrEnum):
    """What a task can be sent."""

    NONE = "none"
    PIPE = "pipe"
    """Text, until it is closed."""
    TERMINAL = "terminal"
    """Text and keys; it draws on a screen."""


_GOING_ON = (TaskState.STARTING, TaskState.RUNNING, TaskState.WAITING)

STATE_OF = {
    Outcome.EXITED: TaskState.EXITED,
    Outcome.SIGNALLED: TaskState.SIGNALLED,
    Outcome.TIMED_OUT: TaskState.TIMED_OUT,
    Outcome.LIMITED: TaskState.LIMITED,
    Outcome.CANCELLED: TaskState.STOPPED,
}
"""What the outcome of its command makes of a task; any other means that it never started."""


class TaskStatus(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to know of a task, but for its output. Times are seconds since 1970."""

    task_id: str
    status: TaskState
    command: str = ""
    """With secrets blanked out, as in the record."""
    description: str = ""
    exit_code: int | None = None
    """None if it did not exit by itself, or not yet."""
    signal: str | None = None
    pid: int | None = None
    """Of the command's shell."""
    holder: int | None = None
    """Of the process that watches over it."""
    created_at: float = 0.0
    started_at: float | None = None
    finished_at: float | None = None
    duration_ms: int | None = None
    """So far, or from start to end."""
    timeout: float | None = None
    agent: str = ""
    caller: str = ""
    surface: str = ""
    workspace: str = ""
    cwd: str = ""
    output_file: str = ""
    output_bytes: int = 0
    """Printed so far."""
    input: TaskInput = TaskInput.NONE
    prompt: str = ""
    """The last line it printed, where it waits for input."""
    error: str | None = None
    """What limpet has to say about how it ended."""

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status.over

    @property
    def ok(self) -> bool:
        """Whether it exited with status 0."""
        return self.status is TaskState.EXITED and self.exit_code == 0

    def what_happened(self) -> str:
        """Where it has come to, in a few words."""
        if self.status is TaskState.EXITED:
            return "ok" if self.exit_code == 0 else f"exit {self.exit_code}"
        if self.status is TaskState.SIGNALLED:
            return f"killed by {self.signal}"
        return self.status.value.replace("_", " ")


class TaskOutput(msgspec.Struct, frozen=True, kw_only=True):
    """A part of what a task printed."""

    text: str
    next_offset: int
    """Where to read on: the offset behind the last byte there was."""
    dropped_bytes: int = 0
    """Bytes that were asked for and are gone: a task keeps the newest."""
