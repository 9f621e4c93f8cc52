"""A value of which some is not known, and what `${x%…}` or `${x#…}` cuts off its ends -> what is left of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.values.field import UNKNOWN, Field, Pattern, Piece

if TYPE_CHECKING:
    from limpet.syntax.values.match import Matcher

_WILD = late(r"\*\*|[\[(\\]")
"""What makes it hard to say where a path that matches has its slashes."""


def carve(operator: str, value: Field, pattern: Matcher, *, hides_dots: bool) -> Field | None:
    """What is left; None when that cannot be told. `hides_dots`: no star matches a dot that a name begins with."""
    if value.many or operator not in ("#", "##", "%", "%%"):
        return None
    if pattern.literal is not None:
        return _cut_text(operator, value, pattern.literal, hides_dots=hides_dots)
    edge = pattern.edge(from_end=operator[0] == "%")
    if edge is None:
        return None
    return _cut_end(operator, value, edge, hides_dots) if operator[0] == "%" else _cut_start(operator, value, edge)


def _cut_text(operator: str, value: Field, text: str, *, hides_dots: bool) -> Field | None:
    """`${x%.c}`, of what surely ends, or begins, like that."""
    if operator[0] == "#":
        return Field((value.prefix[len(text) :], *value.pieces[1:])) if value.prefix.startswith(text) else None
    if not text or not value.suffix.endswith(text):
        return None
    left = (*value.pieces[:-1], value.suffix[: -len(text)])
    return _sure(left, text, hides_dots=hides_dots)


def _sure(pieces: tuple[Piece, ...], cut: str, *, hides_dots: bool) -> Field:
    """What is left, where it may be that nothing is left of a name: then nobody can say where it leads."""
    left = Field(pieces)
    last = left.pieces[-1] if left.pieces else ""
    if not isinstance(last, Pattern) or cut.startswith("/"):
        return left
    folder, slash, name = last.text.rpartition("/")
    if not _is_empty_name(left, slash, name):
        return left
    before = left.pieces[-2] if len(left.pieces) > 1 else ""
    if cut.startswith(".") and hides_dots and name == "*" and (slash or isinstance(before, str)):
        return Field((*left.pieces[:-1], Pattern(f"{folder}{slash}?*")))
    return Field((*left.pieces[:-1], UNKNOWN))


def _is_empty_name(left: Field, slash: str, name: str) -> bool:
    """Whether the last name may be empty: it is nothing but stars, or hard to tell."""
    before = left.pieces[-2] if len(left.pieces) > 1 else ""
    if slash and any(_WILD.search(each.text) for each in left.pieces if isinstance(each, Pattern)):
        return True
    begins = bool(slash) or not isinstance(before, str) or before[-1:] in ("", "/")
    return begins and not name.strip("*")


def _cut_end(operator: str, value: Field, edge: str, hides_dots: bool) -> Field | None:  # noqa: FBT001 - passed on
    """`${x%.*}`, `${x%/*}`: from the last such character on; doubled, from the first one."""
    place = _find(value, edge, last=operator == "%")
    if place is None:
        return None
    index, at = place
    if index < 0:
        return value
    piece = value.pieces[index]
    left = (*value.pieces[:index], _part(piece, 0, at))
    return Field(left) if edge == "/" else _sure(left, edge, hides_dots=hides_dots)


def _cut_start(operator: str, value: Field, edge: str) -> Field | None:
    """`${x##*/}`, `${x#*.}`: up to the first such character; doubled, to the last one."""
    place = _find(value, edge, last=operator == "##")
    if place is None:
        return None
    index, at = place
    if index < 0:
        return value
    piece = value.pieces[index]
    return Field((_part(piece, at + 1, None), *value.pieces[index + 1 :]))


def _part(piece: Piece, start: int, end: int | None) -> Piece:
    if isinstance(piece, str):
        return piece[start:end]
    text = piece.text[start:end] if isinstance(piece, Pattern) else ""
    return Pattern(text) if text else ""


def _find(value: Field, char: str, *, last: bool) -> tuple[int, int] | None:
    """Which piece has the last such character, or the first, and where in it; -1 when none has. None: nobody knows."""
    order = range(len(value.pieces))
    for index in reversed(order) if last else order:
        text = _shown(value.pieces[index], char)
        if text is None:
            return None
        at = text.rfind(char) if last else text.find(char)
        if at >= 0:
            return index, at
    return -1, 0


def _shown(piece: Piece, char: str) -> str | None:
    """A text that has the character where the piece will have it."""
    if isinstance(piece, str):
        return piece
    if not isinstance(piece, Pattern) or char != "/" or _WILD.search(piece.text):
        return None
    return piece.text
