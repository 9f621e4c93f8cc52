"""Runs of text -> one list of runs for each argument, cut at the separators in `$IFS`."""

from __future__ import annotations

import re

from limpet.syntax.late import late
from limpet.syntax.values.field import CHILD, NUMBERS, UNKNOWN, Piece
from limpet.syntax.values.runs import Break, Run, Runs

_BLANKS = " \t\n"
_USUAL_CUT = late(r"[ \t\n]")
_UNCUT = (*NUMBERS, CHILD)
_OF_NUMBERS = late(r"[0-9-]")


MOST = 1024


def split(runs: Runs, separators: str | None) -> list[list[Run]] | None:
    """Each argument's runs, in order; None when there are too many of them."""
    splitter = _Splitter(separators)
    for run in runs:
        if len(splitter.arguments) > MOST:
            return None
        if isinstance(run, Break):
            splitter.end()
        else:
            splitter.take(run)
    splitter.end()
    return splitter.arguments if len(splitter.arguments) <= MOST else None


def _cut_at(separators: str | None) -> re.Pattern[str] | None:
    return re.compile("[" + re.escape(separators) + "]") if separators else None


class _Splitter:
    def __init__(self, separators: str | None) -> None:
        self.arguments: list[list[Run]] = []
        self._current: list[Run] = []
        self._after_blank = False  # a blank has ended an argument, and a separator that follows belongs to that blank
        self._separators = separators
        self._cut = _USUAL_CUT if separators == _BLANKS else _cut_at(separators)

    def take(self, run: Run) -> None:
        if run.piece in _UNCUT and run.splits:
            self._current.append(self._number(run.piece))
        elif not isinstance(run.piece, str):
            self._current.append(run)
        elif not run.splits or self._separators == "":
            self._keep(run)
        elif self._cut is None:
            self._keep(Run(UNKNOWN if run.piece else "", quoted=False, splits=True))
        else:
            self._cut_up(run.piece, self._cut)

    def _number(self, piece: Piece) -> Run:
        """A number is no glob; nor is it cut, unless its digits are separators. That of a child may be missing."""
        whole = self._separators is not None and not _OF_NUMBERS.search(self._separators)
        return Run(piece, quoted=True, many=piece == CHILD) if whole else Run(UNKNOWN, quoted=False, splits=True)

    def end(self) -> None:
        if self._current:
            self.arguments.append(self._current)
            self._current = []
        self._after_blank = False

    def _cut_up(self, text: str, cut: re.Pattern[str]) -> None:
        start = 0
        for found in cut.finditer(text):
            self._keep(Run(text[start : found.start()], quoted=False, splits=True))
            self._separate(found[0])
            start = found.end()
            if len(self.arguments) > MOST:
                return
        self._keep(Run(text[start:], quoted=False, splits=True))

    def _separate(self, char: str) -> None:
        if self._current:
            self.end()
            self._after_blank = char in _BLANKS
        elif char not in _BLANKS:
            if not self._after_blank:
                self.arguments.append([])
            self._after_blank = False

    def _keep(self, run: Run) -> None:
        if run.piece or run.quoted:
            self._current.append(run)
            self._after_blank = False
