"""The commands that were found in a script -> the filter for what they print together, if there is one."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from limpet.output.sift.tables import PRINTERS, SILENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.model.decision import FoundCommand

_LONGEST_NAME = 3


class Patterns(NamedTuple):
    """What to leave out, and what is known to matter."""

    name: str
    noise: re.Pattern[str]
    known: re.Pattern[str]


def patterns_for(commands: Iterable[FoundCommand]) -> Patterns | None:
    """None unless all that can print is known: what one program calls progress is the content of another's file."""
    names: set[str] = set()
    for command in commands:
        name = _printer(command)
        if name is None:
            return None
        names.add(name)
    return _joined(tuple(sorted(names - {""})))


def _printer(command: FoundCommand) -> str | None:
    """Whose output it prints; empty when it prints none."""
    words = [word for word in command.argv[:_LONGEST_NAME] if word is not None]
    if len(words) < min(len(command.argv), _LONGEST_NAME) or not words:
        return None
    words[0] = words[0].rpartition("/")[2]
    found = next((_programs()[name] for name in _prefixes(words) if name in _programs()), None)
    return "" if found is None and words[0] in SILENT else found


def _prefixes(words: list[str]) -> list[str]:
    return [" ".join(words[:count]) for count in range(len(words), 0, -1)]


@functools.cache
def _programs() -> dict[str, str]:
    return {program: printer.name for printer in PRINTERS for program in printer.programs}


@functools.cache
def _joined(names: tuple[str, ...]) -> Patterns | None:
    printers = [printer for printer in PRINTERS if printer.name in names]
    if not printers:
        return None
    noise = [pattern for printer in printers for pattern in printer.noise]
    known = [pattern for printer in printers for pattern in printer.known]
    return Patterns("+".join(names), _any_of(noise), _any_of(known))


def _any_of(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.ASCII)
