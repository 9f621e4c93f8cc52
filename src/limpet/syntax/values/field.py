"""Pieces of known and unknown text -> one argument, or an unknown number of them."""

from __future__ import annotations

import msgspec


class Unknown(msgspec.Struct, frozen=True, gc=False):
    """Any text, possibly none."""


class Child(Unknown, frozen=True, gc=False):
    """The number of a process that the shell itself has started in the background, or nothing: `$!`."""


class Pattern(msgspec.Struct, frozen=True, gc=False):
    """What a path has in this place when it matches a glob, or the glob itself when no path does."""

    text: str
    """The glob; a backslash stands before each character that is only itself."""


class Own(Pattern, frozen=True, gc=False):
    """The number of the shell itself: `$$`."""


Piece = str | Unknown | Pattern

UNKNOWN = Unknown()
CHILD = Child()
NUMBER = Pattern("[-0-9]*")
"""Some number, nobody knows which: digits, perhaps behind a minus sign. The glob says a little more than that."""
OWN = Own(NUMBER.text)
NUMBERS = (NUMBER, OWN)


class Field(msgspec.Struct, frozen=True, gc=False):
    """One argument, its pieces joined.

    With `many` it is zero or more arguments: put any text for each `Unknown` and cut inside that text as often as you
    like; and where there is a `Pattern`, repeat the whole for each path that matches. So the first argument begins with
    `prefix` and the last one ends with `suffix`, and there is at least one when either is not empty (save under
    `nullglob`, where a glob without matches vanishes).
    """

    pieces: tuple[Piece, ...] = ()
    many: bool = False

    def __post_init__(self) -> None:
        if len(self.pieces) == 1 and self.pieces[0]:
            return
        merged = _merge(self.pieces)
        if merged != self.pieces:
            msgspec.structs.force_setattr(self, "pieces", merged)

    @property
    def text(self) -> str | None:
        """The argument, when all of it is known."""
        pieces = self.pieces
        if self.many or len(pieces) > 1:
            return None
        only = pieces[0] if pieces else ""
        return only if isinstance(only, str) else None

    @property
    def prefix(self) -> str:
        """Known text that it begins with."""
        first = self.pieces[0] if self.pieces else ""
        return first if isinstance(first, str) else ""

    @property
    def suffix(self) -> str:
        """Known text that it ends with."""
        last = self.pieces[-1] if self.pieces else ""
        return last if isinstance(last, str) else ""

    @property
    def size(self) -> int:
        """How many characters are held."""
        return sum(len(piece) if isinstance(piece, str) else 1 for piece in self.pieces)


def known(text: str) -> Field:
    """One argument that is exactly this text."""
    return Field((text,))


def _merge(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    merged: list[Piece] = []
    texts: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            texts.append(piece)
            continue
        _flush(texts, merged)
        if isinstance(piece, Unknown) and merged and isinstance(merged[-1], Unknown):
            merged[-1] = UNKNOWN
        else:
            merged.append(piece)
    _flush(texts, merged)
    return tuple(merged)


def _flush(texts: list[str], merged: list[Piece]) -> None:
    text = "".join(texts)
    texts.clear()
    if text:
        merged.append(text)


ANYTHING = Field((UNKNOWN,))
ANY_NUMBER = Field((UNKNOWN,), many=True)
