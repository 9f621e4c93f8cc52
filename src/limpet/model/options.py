"""What a caller may ask for beside the command itself."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypedDict, Unpack

import msgspec

from limpet.model.limits import Limits
from limpet.model.terminal import Terminal


class PathLike(Protocol):
    """What `os.PathLike` is; this package does not import os."""

    def __fspath__(self) -> str: ...


class Inherit(enum.Enum):
    """Stands for the caller's own descriptor."""

    STDIN = "inherit"


class Open(enum.Enum):
    """Stands for input that is still to come."""

    STDIN = "open"


INHERIT = Inherit.STDIN
"""As `stdin`: the command reads the caller's own standard input."""
OPEN = Open.STDIN
"""As `stdin`: the command reads what is sent to it while it runs, until that is closed."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What may be asked for beside the command itself; what is not set is settled by the settings.

    Immutable: `options.but(timeout=5)` is a new one.
    """

    cwd: str | PathLike | None = None
    """Relative to the workspace, and inside it."""
    env: Mapping[str, str] | None = None
    """On top of the filtered environment."""
    empty_env: bool | None = None
    """Start from nothing instead of the filtered environment."""
    timeout: float | msgspec.UnsetType | None = msgspec.UNSET
    """Seconds; None for no limit."""
    stdin: str | bytes | Inherit | Open | None = None
    """None: nothing to read."""
    terminal: Terminal | bool | None = None
    """The command gets a terminal of its own, of this size, for input and output; True: of the usual size."""
    description: str = ""
    limits: Limits | None = None
    """What is not None here replaces the setting."""
    sandbox: str | None = None
    network: bool | Literal["on", "off"] | None = None
    require: tuple[str, ...] = ()
    """Guarantees without which it must not run."""
    profile: str | None = None
    transaction: bool | None = None
    """It runs in a transaction of its own: what it changes is dropped where it fails, and can be undone where not."""
    rollback_on: str | Sequence[int] | None = None
    """Exit codes with which what it changed is dropped: `nonzero`, `2-255` (the default), `1,5`, or numbers."""
    block: tuple[str, ...] = ()
    """Patterns of commands that are denied beside what the settings say."""
    max_output: int | None = None
    """Characters shown of each stream."""
    truncate: str | None = None
    """`middle`, `tail`, `head`, or the name of a preset window."""
    capture_output: bool = True
    """False: the command writes to the caller's own stdout and stderr."""
    agent: str | None = None
    caller: str | None = None

    def but(self, **changes: Unpack[RunOptions]) -> Options:
        """These options with some of them changed; variables of `env` come on top of those already there."""
        if changes.get("env") and self.env:
            changes["env"] = {**self.env, **(changes["env"] or {})}
        return msgspec.structs.replace(self, **changes)


class RunOptions(TypedDict, total=False):
    """The same as keyword arguments, for type checkers."""

    cwd: str | PathLike | None
    env: Mapping[str, str] | None
    empty_env: bool | None
    timeout: float | None
    stdin: str | bytes | Inherit | Open | None
    terminal: Terminal | bool | None
    description: str
    limits: Limits | None
    sandbox: str | None
    network: bool | Literal["on", "off"] | None
    require: tuple[str, ...]
    profile: str | None
    transaction: bool | None
    rollback_on: str | Sequence[int] | None
    block: tuple[str, ...]
    max_output: int | None
    truncate: str | None
    capture_output: bool
    agent: str | None
    caller: str | None
