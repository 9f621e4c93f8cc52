"""What an agent asked, and what it is told: the nouns that every agent's module uses."""

from __future__ import annotations

import enum
import os
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from limpet.errors import limpetError
from limpet.model.decision import Decision, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]


class MisunderstoodError(limpetError):
    """The call is not what this agent is known to send."""


class OnAllow(enum.StrEnum):
    """What becomes of a command that limpet allows."""

    APPROVE = "approve"
    PASS = "pass"  # noqa: S105 - a word like any other


class OnAsk(enum.StrEnum):
    """What becomes of a command that a person should see first."""

    ASK = "ask"
    DENY = "deny"


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on the hook's command line."""

    agent: str
    wrap: bool = False
    workspace: str | None = None
    on_allow: OnAllow = OnAllow.APPROVE
    on_ask: OnAsk | None = None
    """None: as suits the agent."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that is about to run shell text."""

    command: str
    cwd: str
    """Absolute: where it will run."""
    project: str | None = None
    """The folder the agent was started for, where it says so."""
    arguments: Json = {}
    """All that the tool was given; `command` is one of them."""
    key: str = "command"
    readable: bool = True
    """Whether it is for bash."""
    attended: bool = True
    """Whether there is somebody to ask."""
    only_reads: bool = False
    """The agent is not to change anything now."""

    def rewritten(self, command: str) -> Json:
        """The tool's arguments with another command."""
        return {**self.arguments, self.key: command}


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What the agent is told, before it is put into its words."""

    verdict: Verdict
    text: str
    """For the model and the person: why, and what to do instead."""
    arguments: Json | None = None
    """What the tool gets instead of what it was given."""
    approve: bool = True
    """An allow answers the agent's own question, too."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What goes into the record."""

    agent: str
    command: str
    workspace: str
    cwd: str
    description: str
    decision: Decision | None
    told: Verdict
    reason: str


class Agent(Protocol):
    """The module of one agent."""

    REWRITES: bool
    """Whether it honours another command than the one it asked about."""
    ASKS: OnAsk | None
    """What it makes of a question when nobody says otherwise; None when it cannot ask at all."""

    def read(self, event: Json, environ: Mapping[str, str]) -> Call | None:
        """The call; None for a tool that runs no shell text. Raises MisunderstoodError."""

    def word(self, reply: Reply) -> Json | None:
        """The answer as this agent reads it; None says nothing."""


def text_of(event: Json, key: str) -> str:
    """A text that must be there."""
    value = event.get(key)
    if not isinstance(value, str):
        raise MisunderstoodError(f"`{key}` must be a text, not {_told(value)}")
    return value


def table_of(event: Json, key: str) -> Json:
    """An object that must be there."""
    value = event.get(key)
    if not isinstance(value, dict):
        raise MisunderstoodError(f"`{key}` must be an object, not {_told(value)}")
    return value


def folder_of(event: Json, key: str = "cwd") -> str:
    """A folder that must be there, and absolute."""
    value = text_of(event, key)
    if not os.path.isabs(value):
        raise MisunderstoodError(f"`{key}` must be an absolute path, not {value!a}")
    return value


def inside(cwd: str, arguments: Json, key: str) -> str:
    """The folder that a tool was told to run in, else `cwd`."""
    value = arguments.get(key)
    return cwd if value in (None, "") else os.path.join(cwd, text_of(arguments, key))


def expect(event: Json, key: str, *names: str) -> None:
    """The event must be one of those."""
    if event.get(key) not in names:
        raise MisunderstoodError(
            f"it was called for the event {_told(event.get(key))}, and answers only {', '.join(names)}"
        )


def _told(value: object) -> str:
    if value is None:
        return "nothing"
    return ascii(value)[:80] if isinstance(value, str) else f"a {type(value).__name__}"
