"""What happens on the road, as values: audit, live display and capture all listen to these."""

from __future__ import annotations

import msgspec

from limpet.model import change
from limpet.model.decision import Decision
from limpet.model.plan import Plan
from limpet.model.request import Request
from limpet.model.result import Result


class Decided(msgspec.Struct, frozen=True, kw_only=True, tag="decided"):
    """The verdict is known."""

    request: Request
    decision: Decision


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag="asked"):
    """Somebody is being asked."""

    request: Request
    decision: Decision


class Answered(msgspec.Struct, frozen=True, kw_only=True, tag="answered"):
    """They answered."""

    request: Request
    approved: bool
    by: str


class Prepared(msgspec.Struct, frozen=True, kw_only=True, tag="prepared"):
    """About to start; whoever records this does so before anything runs."""

    request: Request
    decision: Decision
    plan: Plan


class Started(msgspec.Struct, frozen=True, kw_only=True, tag="started"):
    """The process exists."""

    request: Request
    pid: int


class Output(msgspec.Struct, frozen=True, kw_only=True, tag="output"):
    """A piece of output. Pieces are joined, and the oldest skipped, for a reader that lags behind."""

    stream: str
    """`stdout` or `stderr`."""
    data: bytes
    text: str
    """`data` decoded; a character split between two pieces is whole in the second."""
    skipped_bytes: int = 0
    """Bytes of this stream that were dropped before this piece; the stored output has them."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True, tag="waiting"):
    """The command waits for input, or does so no longer."""

    request: Request
    waiting: bool
    prompt: str = ""
    """The last line it printed, where it waits."""


class Committed(msgspec.Struct, frozen=True, kw_only=True, tag="committed"):
    """What the command changed was taken over into the workspace."""

    request: Request
    commit: change.Committed


class RolledBack(msgspec.Struct, frozen=True, kw_only=True, tag="rolled_back"):
    """What the command changed was dropped: the workspace is as it was."""

    request: Request
    undone: change.Undone
    why: str


class Finished(msgspec.Struct, frozen=True, kw_only=True, tag="finished"):
    """The run is over: nothing of it is alive."""

    request: Request
    result: Result


Event = Decided | Asked | Answered | Prepared | Started | Output | Waiting | Committed | RolledBack | Finished
