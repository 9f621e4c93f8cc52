"""Exactly what will be executed."""

from __future__ import annotations

import msgspec

from limpet.model.confinement import Confinement
from limpet.model.guarantees import Guarantees
from limpet.model.limits import Limits
from limpet.model.terminal import Terminal


class Ladder(msgspec.Struct, frozen=True, kw_only=True):
    """The steps by which a run is ended, in seconds."""

    grace: float
    """Between SIGTERM and SIGKILL."""
    drain: float
    """What is left of the tree may go on this long after the shell itself has exited."""
    kill_wait: float
    """How long to wait for the kernel after SIGKILL before saying that something survived."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a launcher needs, and nothing it has to decide."""

    executable: str
    argv: tuple[str, ...]
    """Of the shell; it takes the command from descriptor `script_fd`."""
    script: bytes = b""
    """The command."""
    script_fd: int = 9
    short: bool = True
    """The command fits in a pipe; else it is handed over in an anonymous file."""
    ready: int = 0
    """How many shells like this one to keep started for the next commands."""
    once: bool = False
    """What is put around this command is for no other."""
    env: dict[str, str]
    cwd: str
    stdin: bytes | None = None
    """None: /dev/null."""
    umask: int = 0o022
    """Of a live shell, which may run already, it is settled when that is started."""
    inherit_stdin: bool = False
    open_stdin: bool = False
    """What it reads is sent to it while it runs."""
    terminal: Terminal | None = None
    """Descriptors 0, 1 and 2 are a terminal of its own."""
    inherit_output: bool = False
    """The command writes to the caller's own stdout and stderr; nothing is captured."""
    announce: bool = False
    """Somebody wants to know the pid as soon as there is one."""
    timeout: float | None = None
    ladder: Ladder
    confinement: Confinement | None = None
    """None: nothing is between the command and what the user may do."""
    limits: Limits
    guarantees: Guarantees
