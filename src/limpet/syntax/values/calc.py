"""An arithmetic expression whose text is known -> its value, with what it assigns put into the scope.

A value of None is not known. Whatever cannot be read makes each variable that it names unknown.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.values.field import Field, known
from limpet.syntax.values.numerals import number, tokens
from limpet.syntax.values.operators import RANKS, apply, apply_unary
from limpet.syntax.values.scope import Unset

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.values.numerals import Token
    from limpet.syntax.values.scope import Scope

_DEEPEST = 12
_NAME = late(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNS = frozenset(("=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="))
_LOGIC = frozenset(("&&", "||"))


class _Run(Enum):
    """Whether what is read happens."""

    YES = "it does"
    MAYBE = "that depends on what is not known"
    NO = "it does not"


class _GivesUpError(Exception):
    """The expression cannot be read, or bash fails on it, or it takes too much work."""


def calculate(text: str, scope: Scope) -> int | None:
    """The value of the expression."""
    return _calculate(text, scope, 0, _Run.YES)


def forget_names(text: str, scope: Scope) -> None:
    """Each variable that the text could assign is unknown."""
    for name in set(_NAME.findall(text)):
        scope.forget(name)


def _calculate(text: str, scope: Scope, depth: int, run: _Run) -> int | None:
    found = tokens(text) if scope.spend(len(text) + 8) and depth < _DEEPEST else None
    if found is not None:
        try:
            return _Expression(found, scope, depth, run).read()
        except _GivesUpError:
            pass
    forget_names(text, scope)
    scope.evaluates = True
    return None


class _Place:
    """A variable, or an element of an array, that is read and assigned."""

    def __init__(self, name: str, scope: Scope) -> None:
        self.name = name
        self.subscript: int | None = None
        self.is_element = False
        self._scope = scope

    def read(self) -> str | None:
        """The text that it holds; none is as good as `0`."""
        value = self._scope.get(self.name)
        if isinstance(value, MappingProxyType):
            index = self.subscript if self.is_element else 0
            index = index + 1 + max(value, default=-1) if index is not None and index < 0 else index
            value = None if index is None or index < 0 else value.get(index, Field())
        elif self.is_element and self.subscript != 0:
            return None
        if isinstance(value, Unset):
            return ""
        return value.text if value is not None else None

    def write(self, value: int | None, run: _Run) -> None:
        if run is _Run.MAYBE or (value is None and run is _Run.YES):
            self._scope.forget(self.name)
        elif run is _Run.YES and self.is_element:
            self._scope.assign_element(self.name, self.subscript, known(str(value)))
        elif run is _Run.YES:
            self._scope.assign(self.name, known(str(value)))


class _Expression:
    def __init__(self, found: list[Token], scope: Scope, depth: int, run: _Run) -> None:
        self._tokens = found
        self._at = 0
        self._scope = scope
        self._depth = depth
        self._run = run

    def read(self) -> int | None:
        if len(self._tokens) == 1:
            return 0
        value = self._sequence()
        if self._kind != "end":
            raise _GivesUpError
        return value

    @property
    def _kind(self) -> str:
        return self._tokens[self._at][0]

    @property
    def _sign(self) -> str:
        kind, text = self._tokens[self._at]
        return text if kind == "sign" else ""

    def _take(self) -> str:
        text = self._tokens[self._at][1]
        self._at += self._kind != "end"
        return text

    def _expect(self, sign: str) -> None:
        if self._sign != sign:
            raise _GivesUpError
        self._take()

    def _sequence(self) -> int | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _GivesUpError
        value = self._assignment()
        while self._sign == ",":
            self._take()
            value = self._assignment()
        self._depth -= 1
        return value

    def _assignment(self) -> int | None:
        if self._kind != "name":
            return self._choice(self._binary(1, self._unary()))
        place = self._place()
        sign = self._sign
        if sign not in _ASSIGNS:
            return self._choice(self._binary(1, self._value_of(place)))
        self._take()
        before = self._get(place) if sign != "=" else None
        value = self._deeper_assignment()
        if sign != "=":
            value = self._apply(sign[:-1], before, value)
        place.write(value, self._run)
        return value

    def _deeper_assignment(self) -> int | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _GivesUpError
        value = self._assignment()
        self._depth -= 1
        return value

    def _choice(self, condition: int | None) -> int | None:
        if self._sign != "?":
            return condition
        self._take()
        first = self._branch(self._when(condition, wanted=True), self._sequence)
        self._expect(":")
        second = self._branch(self._when(condition, wanted=False), self._deeper_choice)
        if condition is None:
            return None
        return first if condition else second

    def _deeper_choice(self) -> int | None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _GivesUpError
        value = self._choice(self._binary(1, self._unary()))
        self._depth -= 1
        return value

    def _when(self, condition: int | None, *, wanted: bool) -> _Run:
        if self._run is _Run.NO or (condition is not None and bool(condition) != wanted):
            return _Run.NO
        return _Run.MAYBE if condition is None else self._run

    def _branch(self, run: _Run, read: Callable[[], int | None]) -> int | None:
        before, self._run = self._run, run
        value = read()
        self._run = before
        return value

    def _binary(self, rank: int, left: int | None) -> int | None:
        while RANKS.get(self._sign, 0) >= rank:
            sign = self._take()
            if sign in _LOGIC:
                left = self._logic(sign, left)
                continue
            # Powers group from the right, all others from the left.
            right = self._right(RANKS[sign] + (sign != "**"))
            left = self._apply(sign, left, right)
        return left

    def _right(self, rank: int) -> int | None:
        self._depth += rank == RANKS["**"]
        if self._depth > _DEEPEST:
            raise _GivesUpError
        value = self._binary(rank, self._unary())
        self._depth -= rank == RANKS["**"]
        return value

    def _logic(self, sign: str, left: int | None) -> int | None:
        is_or = sign == "||"
        run = self._when(left, wanted=not is_or)
        right = self._branch(run, lambda: self._right(RANKS[sign] + 1))
        if left is not None and bool(left) == is_or:
            return int(is_or)
        if right is not None and bool(right) == is_or:
            return int(is_or)
        return None if left is None or right is None else int(not is_or)

    def _apply(self, sign: str, left: int | None, right: int | None) -> int | None:
        if left is None or right is None:
            return None
        value = apply(sign, left, right)
        if value is None and self._run is not _Run.NO:
            raise _GivesUpError
        return value

    def _unary(self) -> int | None:
        signs: list[str] = []
        while self._sign and self._sign in "-+~!":
            signs.append(self._take())
        value = self._primary()
        for sign in reversed(signs):
            value = None if value is None else apply_unary(sign, value)
        return value

    def _primary(self) -> int | None:
        if self._kind == "number":
            value = number(self._take())
            if value is None:
                raise _GivesUpError
            return value
        if self._kind == "name":
            return self._value_of(self._place())
        if self._kind == "before":
            return self._step(self._take(), None)
        self._expect("(")
        value = self._sequence()
        self._expect(")")
        return value

    def _place(self) -> _Place:
        if self._kind != "name":
            raise _GivesUpError
        place = _Place(self._take(), self._scope)
        if self._sign == "[":
            self._take()
            # What is not known to be an array of numbers may be one of keys, and then a key is not computed.
            unsure = self._run is _Run.YES and self._scope.get(place.name) is None
            place.subscript = self._branch(_Run.MAYBE if unsure else self._run, self._sequence)
            place.is_element = True
            self._expect("]")
        return place

    def _value_of(self, place: _Place) -> int | None:
        return self._step(self._take(), place) if self._kind == "after" else self._get(place)

    def _step(self, sign: str, place: _Place | None) -> int | None:
        """`x++` gives what was there before, `++x` what is there after."""
        target = place or self._place()
        before = self._get(target)
        after = None if before is None else apply(sign[0], before, 1)
        target.write(after, self._run)
        return after if place is None else before

    def _get(self, place: _Place) -> int | None:
        if self._run is _Run.NO:
            return None
        text = place.read()
        if text is None:
            self._scope.evaluates = True
            return None
        return _calculate(text, self._scope, self._depth, self._run)
