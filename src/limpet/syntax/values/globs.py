"""The runs of one argument -> that argument, with what bash would look up among the files as a pattern."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.values.field import UNKNOWN, Field, Pattern, Piece, Unknown

if TYPE_CHECKING:
    from limpet.syntax.values.runs import Run

_MAGIC = late(r"[*?\[\]()\\]")
_OPENERS = "@!+"
_ESCAPED = frozenset("*?[]()|\\!^-@+")

_Cell = tuple[Piece, bool]
"""One character, or a piece that is not known, and whether it has its special meaning."""


def assemble(runs: list[Run]) -> Field:
    """The argument. Unquoted text that is not known could hold a glob, and then takes its neighbours into it."""
    many = any(run.many for run in runs)
    if not any(_is_magic(run) for run in runs):
        return Field(tuple(run.piece for run in runs), many=many)
    cells = [cell for run in runs for cell in _cells(run)]
    marks = _marks(cells)
    if not marks or not _is_glob(cells):
        return Field(tuple(piece for piece, _ in cells), many=many)
    first, last = marks[0], marks[-1] + 1
    before, after = (tuple(piece for piece, _ in side) for side in (cells[:first], cells[last:]))
    return Field((*before, *_middle(cells[first:last]), *after), many=True)


def _is_magic(run: Run) -> bool:
    if run.quoted:
        return False
    return not isinstance(run.piece, str) or _MAGIC.search(run.piece) is not None


def _cells(run: Run) -> list[_Cell]:
    if isinstance(run.piece, str):
        return [(char, not run.quoted) for char in run.piece]
    return [(run.piece, not run.quoted)]


def _is_glob(cells: list[_Cell]) -> bool:
    """Whether bash could look among the files: a bracket counts only when it is closed."""
    bracket = False
    for at, (piece, live) in enumerate(cells):
        if not live:
            continue
        if piece in ("*", "?", "\\", UNKNOWN) or (bracket and piece == "]") or _opens(cells, at):
            return True
        bracket = bracket or piece == "["
    return False


def _marks(cells: list[_Cell]) -> list[int]:
    return [at for at, (piece, live) in enumerate(cells) if live and _is_mark(cells, at, piece)]


def _is_mark(cells: list[_Cell], at: int, piece: Piece) -> bool:
    return not isinstance(piece, str) or piece in "*?[]()\\" or _opens(cells, at)


def _opens(cells: list[_Cell], at: int) -> bool:
    """Whether this and what follows may be an extended glob such as `@(a|b)`."""
    piece = cells[at][0]
    if not isinstance(piece, str) or piece not in _OPENERS or at + 1 == len(cells):
        return False
    following, live = cells[at + 1]
    return live and (following == "(" or isinstance(following, Unknown))


def _middle(cells: list[_Cell]) -> list[Piece]:
    """From the first character of the glob to its last one."""
    holes = any(not isinstance(piece, str) for piece, _ in cells)
    live = {piece for piece, live in cells if live}
    if "\\" in live or (holes and (UNKNOWN in live or live & {"[", "]", "(", ")"})):
        return [UNKNOWN]
    pieces: list[Piece] = []
    for known, group in groupby(cells, key=lambda cell: isinstance(cell[0], str)):
        if known:
            pieces.append(Pattern("".join(_escape(str(piece), live=is_live) for piece, is_live in group)))
        else:
            pieces.extend(piece for piece, _ in group)
    return pieces


def _escape(char: str, *, live: bool) -> str:
    return f"\\{char}" if not live and char in _ESCAPED else char
