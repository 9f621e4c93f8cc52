"""limpet itself, called by a command -> never an answer to a question that was put to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import risk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect

_LOOKS = frozenset({
    "approvals", "check", "completion", "doctor", "log", "logs", "tasks", "--help", "--version", "-h", "",
})  # fmt: skip


def limpet(command: Command) -> Iterator[Effect]:
    """`limpet approve` is for people; what only looks needs nobody; all else is a command that runs others."""
    verb = command.texts[0] if command.texts else ""
    if verb == "approve":
        yield risk(
            "floor.approve", Risk.PRIVILEGE, "answers a question that was put to a person", deny=True,
            suggestion="ask the user to answer it in a terminal of their own",
        )  # fmt: skip
    elif verb not in _LOOKS:
        yield risk("limpet.runs", Risk.UNKNOWN, "has limpet do something that cannot be judged from here")


TOOLS = {"limpet": limpet}
