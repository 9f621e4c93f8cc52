"""`limpet deny`: a question -> no, and why."""

from __future__ import annotations

import click

from limpet.model.answer import Answer
from limpet.surfaces.cli.approve import give


@click.command("deny", context_settings={"ignore_unknown_options": True})
@click.argument("question", metavar="ID")
@click.argument("reason", nargs=-1, metavar="[REASON]...")
def command(question: str, reason: tuple[str, ...]) -> int:
    """Do not let the command of question ID run. REASON is told to the model."""
    return give(question, lambda by: Answer(approved=False, reason=" ".join(reason), by=by), yes=True)
