"""What a command changed, and what was said on the command line -> what is kept of it."""

from __future__ import annotations

import fnmatch
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from limpet.model.result import Outcome
from limpet.render import changes as shown
from limpet.surfaces.cli.asking import typed_line
from limpet.surfaces.cli.colors import wants_color
from limpet.transaction import failing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limpet.model.change import Change
    from limpet.model.result import Result

_QUESTION = "Keep it? [y] yes  [n] no  [d] show the difference  [PATTERN ...] only these paths: "
_NONE_FITS = "no changed path fits"


class Choice(NamedTuple):
    """What to keep."""

    keep: bool
    why: str = ""
    """It is not kept."""
    paths: list[str] | None = None
    """Only these; None: everything."""


async def choose(result: Result, given: dict[str, Any], difference: Callable[[], str]) -> Choice:
    """As the options say, or the person at the terminal."""
    assert result.changes is not None
    if given["discard"]:
        return Choice(keep=False, why="as asked")
    if given["commit"]:
        fine = went_well(result, given["rollback_on"])
        return _only(result.changes, given["only"]) if fine else Choice(keep=False, why=result.what_happened())
    if given["as_json"] or not all(os.isatty(fd) for fd in (0, 2)):
        return Choice(keep=False, why="nobody was there to be asked (--commit keeps it)")
    return await _asked(result.changes, given["only"], difference)


def went_well(result: Result, rollback_on: str | None) -> bool:
    """Whether it ended in a way that keeps what it changed."""
    if result.outcome is not Outcome.EXITED or result.exit_code is None:
        return False
    return not any(low <= result.exit_code <= high for low, high in failing(rollback_on))


async def _asked(changes: Sequence[Change], only: tuple[str, ...], difference: Callable[[], str]) -> Choice:
    while True:
        answer = await typed_line(_QUESTION)
        match answer.strip().lower():
            case "y" | "yes":
                return _only(changes, only)
            case "" | "n" | "no":
                return Choice(keep=False, why="as answered")
            case "d" | "diff":
                click.echo(shown.difference(difference(), color=wants_color(2)), err=True, nl=False)
            case _:
                return _only(changes, tuple(answer.split()))


def _only(changes: Sequence[Change], patterns: tuple[str, ...]) -> Choice:
    if not patterns:
        return Choice(keep=True)
    paths = sorted({path for change in changes for path in change.paths if _fits(path, patterns)})
    return Choice(keep=bool(paths), why=f"{_NONE_FITS} {' '.join(patterns)}", paths=paths)


def _fits(path: str, patterns: tuple[str, ...]) -> bool:
    wanted = [os.path.normpath(pattern) for pattern in patterns]
    return any(one == "." or fnmatch.fnmatchcase(path, one) or path.startswith(one + "/") for one in wanted)
