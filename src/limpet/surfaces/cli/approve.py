"""`limpet approve`: a question -> yes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from limpet.approvals import Approvals, who_answers
from limpet.errors import QuestionError
from limpet.model.answer import Answer
from limpet.surfaces.cli.approvals import show

if TYPE_CHECKING:
    from collections.abc import Callable

_NOT_GIVEN = 1


@click.command("approve")
@click.argument("question", metavar="ID")
@click.option("--session", is_flag=True, help="Nor ask about such commands again, as long as whoever asked goes on.")
@click.option("--always", is_flag=True, help="Nor ask about such commands in this workspace ever again.")
@click.option("--yes", "-y", is_flag=True, help="Without showing it and asking whether it is the one that is meant.")
def command(question: str, *, session: bool, always: bool, yes: bool) -> int:
    """Let the command of question ID run, once.

    On a terminal it is shown first. `limpet approvals` lists all questions; the first answer counts. 1 when it was
    answered before, has expired, or nobody waits for it any more.
    """
    return give(question, lambda by: Answer(approved=True, session=session or always, always=always, by=by), yes=yes)


def give(name: str, answer: Callable[[str], Answer], *, yes: bool) -> int:
    """Answer a question, once the person at a terminal has seen it."""
    inbox = Approvals()
    try:
        by = who_answers()
        question = inbox.find(name)
        said = answer(by)
        if said.approved and not yes and all(os.isatty(fd) for fd in (0, 1)):
            click.echo(show(question), nl=False)
            if not click.confirm("limpet: may this run?"):
                click.echo("limpet: not answered; to refuse it: limpet deny " + question.short, err=True)
                return _NOT_GIVEN
        inbox.answer(question, said)
    except QuestionError as error:
        click.echo(f"limpet: {error}", err=True)
        return _NOT_GIVEN
    click.echo(f"limpet: {'approved' if said.approved else 'denied'} {question.short}", err=True)
    return 0
