"""Values -> runs of text that remember how they were quoted, which decides what is cut and what is a glob."""

from __future__ import annotations

import msgspec

from limpet.syntax.values.field import NUMBER, NUMBERS, UNKNOWN, Field, Pattern, Piece


class Run(msgspec.Struct, frozen=True, gc=False):
    """Text that has one kind of quoting."""

    piece: Piece
    quoted: bool
    splits: bool = False
    """Whether separators in it end an argument: it came from an expansion that was not quoted."""
    many: bool = False
    """Quoted, and yet any number of arguments: `"$@"`."""


class Break(msgspec.Struct, frozen=True, gc=False):
    """Here one argument ends and the next one begins."""


Runs = list[Run | Break]

BREAK = Break()
NOTHING = Run("", quoted=False)
"""What `"$@"` is without positional parameters: it undoes the quotes that it stands in."""


def unknown_run(*, quoted: bool, many: bool = False) -> Run:
    """Text that is not known; what is not quoted may be any number of arguments anyway."""
    return Run(UNKNOWN, quoted=quoted, splits=not quoted, many=many)


def number_run(*, quoted: bool) -> Run:
    """A number that is not known: one argument, unless its digits are separators."""
    return Run(NUMBER, quoted=quoted, splits=not quoted)


def text_run(text: str, *, quoted: bool) -> Run:
    """A known result of an expansion."""
    return Run(text, quoted=quoted, splits=not quoted)


def field_runs(value: Field, *, quoted: bool) -> Runs:
    """A value in the place of its name."""
    if value.many and any(isinstance(piece, Pattern) for piece in value.pieces):
        return [unknown_run(quoted=quoted, many=True)]  # one run cannot say which of the paths its neighbours join
    runs: Runs = []
    for piece in value.pieces:
        # A path that matched may hold separators and globs of its own.
        shown = UNKNOWN if isinstance(piece, Pattern) and piece not in NUMBERS and not quoted else piece
        runs.append(Run(shown, quoted=quoted, splits=not quoted, many=value.many and piece == UNKNOWN))
    return runs


def is_several(runs: Runs) -> bool:
    """Whether even quoted it may be more or fewer than one argument."""
    return any(isinstance(run, Break) or run.many or run == NOTHING for run in runs)


def flatten(runs: Runs, separators: str | None) -> Field:
    """The runs as one text, where nothing is cut and nothing is a glob."""
    gap: Piece = " " if separators == " \t\n" else UNKNOWN
    return Field(tuple(gap if isinstance(run, Break) else run.piece for run in runs))
