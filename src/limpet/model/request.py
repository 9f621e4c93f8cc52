"""An admitted request."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from limpet.model.confinement import Steps
from limpet.model.limits import Limits
from limpet.model.session import ShellFacts
from limpet.model.terminal import Terminal
from limpet.model.transaction import Transacted
from limpet.model.window import Window


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Who asked."""

    surface: str = "python"
    agent: str = ""
    caller: str = ""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """An admitted request: every default filled in, every value checked."""

    id: str
    command: str
    workspace: str
    cwd: str
    env: Mapping[str, str] = msgspec.field(default_factory=dict)
    """On top of the filtered environment."""
    empty_env: bool = False
    stdin: bytes | None = None
    inherit_stdin: bool = False
    open_stdin: bool = False
    """What it reads is sent to it while it runs."""
    terminal: Terminal | None = None
    """It has a terminal of its own: one stream of output, and input that is sent to it."""
    timeout: float | None
    limits: Limits
    sandbox: str = "auto"
    network: bool = False
    require: tuple[str, ...] = ()
    profile: str = "workspace"
    block: tuple[str, ...] = ()
    """Patterns of commands that are denied in this request."""
    transaction: Transacted | None = None
    """What it changes can be dropped."""
    layer: Steps | None = None
    """Of the transaction, once it is open: what stands in the command's view in place of the workspace."""
    window: Window
    capture_output: bool = True
    description: str = ""
    origin: Origin = Origin()
    live: bool = False
    """For a shell that lives on: one of a session."""
    facts: ShellFacts | None = None
    """What the judge has to know of it."""

    def kind(self) -> Request:
        """What it has in common with requests that differ in nothing but the command."""
        return msgspec.structs.replace(self, id="", command="", description="", facts=None)
