"""The inbox of open questions, for whoever answers them."""

from __future__ import annotations

import getpass
import os
from typing import TYPE_CHECKING

import msgspec

from limpet.approval.box import Box, waits
from limpet.config import state_dir
from limpet.errors import InvalidRequestError, QuestionError
from limpet.kernel.identity import ancestors, argv_of
from limpet.output.terminal import spelled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.model.answer import Answer
    from limpet.model.question import Question

_KEEPER = "from limpet.process."
"""Stands in the command line of every process that limpet puts between itself and a command."""
_LONGEST_REASON = 500


class Approvals:
    """The questions of this user, whichever process asked them."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._box = Box(state_dir(os.environ if environ is None else environ))

    def questions(self) -> list[tuple[Question, bool]]:
        """Each that is open, oldest first, with whether anybody still waits for the answer."""
        return [(question, waits(question)) for question in self._box.questions()]

    def find(self, name: str) -> Question:
        """The one with this id, or with an id that ends so. Raises QuestionError."""
        return self._box.find(name)

    def answer(self, question: Question, answer: Answer) -> None:
        """Give the answer, unless somebody else was quicker. Raises QuestionError when nobody would hear it."""
        if not waits(question):
            raise QuestionError(f"whoever asked {question.short} (process {question.asker.pid}) is gone")
        for name in ("session", "always"):
            if getattr(answer, name) and name not in question.offered:
                raise InvalidRequestError(
                    f"{question.short} can only be approved once: such commands are asked about each time"
                )
        reason = spelled(answer.reason).replace("\n", " ")[:_LONGEST_REASON]
        if not self._box.give(question.id, msgspec.structs.replace(answer, reason=reason)):
            raise QuestionError(f"{question.short} was answered already, or has expired")


def who_answers() -> str:
    """How the record names the person at this terminal. Raises QuestionError in a command that limpet runs itself."""
    for pid in ancestors():
        if any(_KEEPER in word for word in argv_of(pid)):
            raise QuestionError("a command that limpet runs cannot answer questions: do it in a terminal of your own")
    return f"inbox: {_user()} on {_terminal()}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def _terminal() -> str:
    for fd in range(3):
        try:
            return os.ttyname(fd)
        except OSError:
            continue
    return "no terminal"
