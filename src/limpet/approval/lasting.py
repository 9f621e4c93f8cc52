"""Answers that hold longer than for one command -> rules of the session, and of the file for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.approval.remembered import Remembered, covered

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.answer import Answer
    from limpet.policy.rules import Rule


class Lasting:
    """What can be remembered: for the session with `remembered`, for good with `keep`, which says where it did."""

    def __init__(
        self, remembered: Remembered | None = None, keep: Callable[[tuple[Rule, ...]], str] | None = None
    ) -> None:
        self._remembered = remembered
        self._keep = keep

    def offered(self, rules: tuple[Rule, ...]) -> dict[str, str]:
        """What can be chosen beside once and no, with what it would cover."""
        there = (("session", self._remembered), ("always", self._keep))
        return {name: covered(rules) for name, holder in there if rules and holder is not None}

    def remember(self, answer: Answer, rules: tuple[Rule, ...]) -> None:
        """For the session."""
        if self._remembered is not None and answer.approved and (answer.session or answer.always):
            self._remembered.remember(rules)

    def keep(self, answer: Answer, rules: tuple[Rule, ...]) -> str:
        """For good, where that is wanted: where it was kept, or why not."""
        return self._keep(rules) if answer.approved and answer.always and self._keep is not None else ""
