"""Questions -> what a person reads before answering. Nothing in them can look like anything but what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.output.terminal import spelled
from limpet.render.decision import explain
from limpet.render.paint import shorten

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.model.question import Question

_MOST_VARIABLES = 8
_MOST_CHARACTERS = 60


def render(question: Question, *, width: int, color: bool) -> str:
    """The command with the reasons of the judge, and what else there is to know, each line indented."""
    told = about(cwd=question.cwd, env=question.env, description=question.description)
    lines = [*told, *_who(question)]
    return explain(question.command, question.decision, width=width, color=color) + "".join(
        f"  {line}\n" for line in lines
    )


def about(*, cwd: str, env: Mapping[str, str], description: str) -> list[str]:
    """Where it would run, with which variables, and what it is said to be for."""
    lines = [f"in {_shown(cwd)}"]
    if env:
        shown = [f"{_shown(name)}={shorten(_shown(value), _MOST_CHARACTERS)}" for name, value in env.items()]
        more = len(shown) - _MOST_VARIABLES
        lines.append(f"with {' '.join(shown[:_MOST_VARIABLES])}{f' and {more} more variables' if more > 0 else ''}")
    return lines + [f"said to be for: {_shown(description)}"] * bool(description)


def _who(question: Question) -> list[str]:
    origin = question.origin
    names = [_shown(name) for name in (origin.agent, origin.caller) if name]
    of = f" of {', '.join(names)}" if names else ""
    return [f"asked by {_shown(origin.surface)}{of} (process {question.asker.pid})"]


def _shown(text: str) -> str:
    return spelled(text).replace("\n", " ").replace("\t", " ")
