"""Arithmetic -> the texts that are evaluated with it: what its variables hold, and what stands in their subscripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.tree import Arithmetic, Double, Literal, Parameter, Word
from limpet.syntax.values.field import Field
from limpet.syntax.values.resolve import text
from limpet.syntax.values.tilde import Tildes
from limpet.syntax.walk.found import Again
from limpet.syntax.walk.names import HARMLESS, is_number, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import Part
    from limpet.syntax.walk.state import State

LIVE = late(r"[$`\\]")
"""What may be expanded when text is expanded once more."""
_MOST_NAMES = 24
_ASSIGNED = late(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]*(?:[-+*/%&^|]|<<|>>)?=(?!=)|([A-Za-z_][A-Za-z0-9_]*)(?:\+\+|--)")
_PLAIN_ASSIGNED = late(r"(?<![A-Za-z0-9_#@])[A-Za-z_][A-Za-z0-9_]*[ \t]*=(?!=)")
"""A variable that is assigned without being read."""
_CONDITIONAL = late(r"[?\[]|&&|\|\|")


class Evaluated:
    """What evaluating one expression evaluates besides; each name is looked into once."""

    def __init__(self, by: str, span: tuple[int, int], state: State) -> None:
        self.by = by
        self.span = span
        self._state = state
        self._seen: set[str] = set()

    def again(self, text: str | None) -> Again:
        """The finding."""
        return Again("arithmetic", self.by, text, *self.span)

    def in_text(self, text: str | None) -> Iterator[Again]:
        """What an expression evaluates whose text is known, or None."""
        if text is None:
            yield self.again(None)
        elif not HARMLESS.fullmatch(text):
            if LIVE.search(text):
                yield self.again(text)
                yield self.again(None)  # what its expansions become is evaluated in turn
            for name in names_in(text):
                self._assigns(name)
            for name in names_in(_PLAIN_ASSIGNED.sub("", text)):
                yield from self._in_name(name)

    def _assigns(self, name: str) -> None:
        self._state.point.touch(name)
        self._state.faulty |= self._state.point.is_frozen(name)

    def _in_name(self, name: str) -> Iterator[Again]:
        if name in self._seen or self._state.point.is_number(name):
            return
        self._seen.add(name)
        value = self._state.scope.get(name)
        known = value.text if isinstance(value, Field) and len(self._seen) <= _MOST_NAMES else None
        yield from self.in_text(known)

    def in_expression(self, word: Word) -> Iterator[Again]:
        """What an expression evaluates as it stands in the script."""
        for part in word.parts:
            yield from self._in_part(part)

    def _in_part(self, part: Part) -> Iterator[Again]:
        if isinstance(part, Literal):
            yield from self.in_text(part.text)
        elif isinstance(part, Double):
            for inner in part.parts:
                yield from self._in_part(inner)
        elif isinstance(part, Arithmetic):
            yield from self.in_expression(part.expression)
        elif isinstance(part, Parameter):
            yield from self._in_parameter(part)
        else:
            yield self.again(None)

    def _in_parameter(self, part: Parameter) -> Iterator[Again]:
        word = Word(part.start, part.end, (part,))
        plain = not part.operator and part.subscript is None and not part.indirect
        if is_number(word) or (plain and self._state.point.is_number(part.name)):
            return
        yield from self.in_text(text(word, self._state.scope.copy(), Tildes.NOWHERE).text)


def in_expression(word: Word, by: str, state: State) -> tuple[Again, ...]:
    """What an expression that stands in the script evaluates besides itself."""
    if len(word.parts) == 1 and isinstance(word.parts[0], Literal) and word.parts[0].text in ("@", "*"):
        return ()
    return _without_copies(Evaluated(by, state.span(word), state).in_expression(word))


def in_text(value: str | None, by: str, span: tuple[int, int], state: State) -> tuple[Again, ...]:
    """What an expression evaluates that is given as text."""
    return _without_copies(Evaluated(by, span, state).in_text(value))


def _without_copies(found: Iterator[Again]) -> tuple[Again, ...]:
    return tuple(dict.fromkeys(found))


def mark_numbers(expression: str, state: State) -> None:
    """What an expression surely assigns is a number from here on."""
    if not _CONDITIONAL.search(expression):
        for before, after in _ASSIGNED.findall(expression):
            state.point.mark(before or after, number=True)


def shown(word: Word) -> str:
    """What is written out of an expression."""
    return "".join(part.text for part in word.parts if isinstance(part, Literal))
