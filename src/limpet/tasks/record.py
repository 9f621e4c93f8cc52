"""What is on disk of a task: JSON files that are whole whenever they are there, or are told to be damaged."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, TypeVar

import msgspec

from limpet.kernel.identity import Identity
from limpet.model.request import Origin
from limpet.model.result import Outcome
from limpet.model.task import TaskInput, TaskState
from limpet.model.window import Window

if TYPE_CHECKING:
    from typing import Any

T = TypeVar("T")
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Written before the task is started, and never again."""

    task_id: str
    command: str
    """With secrets blanked out."""
    description: str
    workspace: str
    cwd: str
    origin: Origin
    created_at: float
    timeout: float | None
    ladder: float
    """Seconds that its end may take once it is asked for."""
    window: Window
    """How much of the output a reader is shown; and so are the next two how."""
    clean: bool
    redact: bool
    input: TaskInput = TaskInput.NONE


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where it stands while it goes on; replaced by its holder."""

    holder: Identity
    state: TaskState
    pid: int | None = None
    started_at: float | None = None
    prompt: str = ""
    """The last line it printed, where it waits for input; with secrets blanked out."""
    key: str = ""
    """What has to be said by who wants to send it input; empty where it takes none."""
    rows: int = 0
    columns: int = 0
    """Of its terminal, where it has one."""


class End(msgspec.Struct, frozen=True, kw_only=True):
    """How it ended: written once, by whoever knows first. Small enough for the space that was set aside for it."""

    state: TaskState
    outcome: Outcome
    finished_at: float
    exit_code: int | None = None
    signal: str | None = None
    duration_ms: int | None = None
    error: str | None = None


def read(path: str, kind: type[T]) -> T | None:
    """What the file says; None when it is not there or does not make sense."""
    try:
        with open(path, "rb", opener=at_once) as file:
            return msgspec.convert(json.loads(file.read()), kind)
    except (OSError, ValueError, RecursionError):  # what cannot be decoded or converted is a ValueError, too
        return None


def at_once(path: str, flags: int) -> int:
    """Open what should be a file; a pipe that somebody put in its place would keep us waiting."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)


def encode(value: object) -> bytes:
    """As JSON. File names that are not UTF-8 come back as they were."""
    return json.dumps(_builtins(value)).encode("ascii")


def replace(path: str, value: object) -> None:
    """Write, or write anew: a reader sees one or the other. Raises OSError."""
    temporary = _written(path, encode(value))
    try:
        os.replace(temporary, path)
    except OSError:
        _unlink(temporary)
        raise


def create_once(path: str, value: object) -> bool:
    """Write it if nobody has; whether it was us. Raises OSError."""
    temporary = _written(path, encode(value))
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        _unlink(temporary)
    return True


def _written(path: str, data: bytes) -> str:
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    fd = os.open(temporary, _NEW, 0o600)
    try:
        with open(fd, "wb") as file:
            file.write(data)
    except OSError:
        _unlink(temporary)
        raise
    return temporary


def _unlink(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _builtins(value: object) -> Any:
    return msgspec.to_builtins(value)
