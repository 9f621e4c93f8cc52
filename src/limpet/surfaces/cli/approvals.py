"""`limpet approvals`: the questions that wait for an answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
import msgspec

from limpet.approvals import Approvals
from limpet.model.codec import to_json
from limpet.render.question import render
from limpet.surfaces.cli.colors import wants_color, width

if TYPE_CHECKING:
    from limpet.model.question import Question

_MINUTES = 120.0
"""Seconds from which on minutes say it better."""


@click.command("approvals")
@click.option("--jsonl", "--json", "as_jsonl", is_flag=True, help="A question a line, as JSON.")
def command(*, as_jsonl: bool) -> int:
    """Show what waits for an answer, oldest first: `limpet approve ID`, or `limpet deny ID REASON`."""
    questions = Approvals().questions()
    for question, waits in questions:
        click.echo(_as_json(question, waits=waits) if as_jsonl else _told(question, waits=waits), nl=as_jsonl)
    if not questions and not as_jsonl:
        click.echo("limpet: nothing waits for an answer", err=True)
    return 0


def show(question: Question) -> str:
    """The question as a person sees it here."""
    return render(question, width=width(1), color=wants_color(1))


def _as_json(question: Question, *, waits: bool) -> str:
    fields = msgspec.to_builtins(question)
    return to_json({**fields, "short": question.short, "status": "waiting" if waits else "gone"})


def _told(question: Question, *, waits: bool) -> str:
    now = time.time()
    asked, left = _span(now - question.asked_at), _span(question.expires_at - now)
    state = f"asked {asked} ago, open for {left}" if waits else f"asked {asked} ago; whoever asked is gone"
    choices = "".join(f"  --{name}: {covered}\n" for name, covered in question.offered.items()) if waits else ""
    return f"{question.short}  {state}\n{show(question)}{choices}\n"


def _span(seconds: float) -> str:
    seconds = max(seconds, 0.0)
    return f"{seconds:.0f} s" if seconds < _MINUTES else f"{seconds / 60:.0f} min"
