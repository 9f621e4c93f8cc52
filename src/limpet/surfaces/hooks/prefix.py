"""What Claude Code gives to its shell prefix -> the command that the model wrote, and where to tell its folder."""

from __future__ import annotations

import re
import shlex

import msgspec

_TOLD = re.compile(r" && pwd -P >\|? (?P<place>\S+)\Z")
_EVAL = re.compile(r"(?:\A|&& )(?:\\?builtin )?eval (?=['\"$])")
_NO_INPUT: tuple[list[str], ...] = (["<", "/dev/null"], ["</dev/null"], [])


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One call of the prefix."""

    command: str
    place: str | None = None
    """The file where the folder is to be written in which the command ended."""


def unwrapped(text: str) -> Line:
    """The command within; the whole text where it is not of the known form, so that all of it is judged.

    Before the command, Claude Code loads the aliases of the user's shell. What is contained goes without them.
    """
    told, begin = _TOLD.search(text), _EVAL.search(text)
    if told is None or begin is None:
        return Line(command=text)
    try:
        words = shlex.split(text[begin.end() : told.start()])
        places = shlex.split(told["place"])
    except ValueError:
        return Line(command=text)
    if not words or words[1:] not in _NO_INPUT or len(places) != 1:
        return Line(command=text)
    return Line(command=words[0], place=places[0])


def is_the_agents_own(environ: dict[str, str]) -> bool:
    """Whether Claude Code runs something for itself, such as a hook of the user's, and not for the model."""
    return environ.get("CLAUDECODE") == "1" and environ.get("AI_AGENT", "").endswith("_harness")
