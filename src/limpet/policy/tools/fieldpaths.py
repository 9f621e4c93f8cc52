"""Arguments that name paths -> other paths made of them, as far as they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.effect import Effect, Kind
from limpet.syntax.values.field import UNKNOWN, Field, Pattern, Piece, Unknown, known

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = known(".")
SOME = "**/*"
"""Some paths below a folder, nobody knows which, but not simply all that is in it."""
ALL = "*"
"""All that is in a folder."""


def begin(field: Field, start: str) -> Field:
    """The same with another known beginning; what is not known stays, wherever it stands."""
    rest = field.pieces[1:] if field.prefix else field.pieces
    return Field((start, *rest), field.many)


def below(folder: Field, glob: str = SOME) -> Field:
    """Paths below a folder that match a glob."""
    return Field((*_with_slash(folder), Pattern(glob)), folder.many)


def child(folder: Field, name: Field) -> Field:
    """What has that name in a folder."""
    return Field((*_with_slash(folder), *name.pieces), folder.many or name.many)


def join(folder: Field | None, path: Field) -> Field:
    """A path as it is meant in a folder."""
    if folder is None or path.prefix.startswith("/") or isinstance(next(iter(path.pieces), None), Unknown):
        return path
    return child(folder, path)


def beside(path: Field, suffix: str) -> Field:
    """The file whose name is longer by a suffix."""
    return Field((*path.pieces, suffix), path.many)


def base_name(path: Field) -> Field:
    """The last name of a path."""
    pieces: list[Piece] = []
    for piece in reversed(_without_slash(path)):
        if isinstance(piece, Unknown):
            pieces.append(UNKNOWN)
            break
        text = piece if isinstance(piece, str) else piece.text
        last = text.rpartition("/")[2]
        pieces.append(last if isinstance(piece, str) else Pattern(last))
        if last != text:
            break
    name = Field(tuple(reversed(pieces)), path.many)
    return HERE if name.text in ("", "..") else name


def read_tree(folder: Field) -> Effect:
    """Reads a file, or a folder with all that is in it."""
    return Effect(Kind.READ, folder, recursive=True)


def is_remote(path: Field) -> bool:
    """Whether it is `host:path`: a colon stands before the first slash."""
    for piece in path.pieces:
        if isinstance(piece, str):
            colon, slash = piece.find(":"), piece.find("/")
            if max(colon, slash) >= 0:
                return colon >= 0 and (slash < 0 or colon < slash)
    return False


def is_address(path: Field) -> bool:
    """Whether it is `scheme://…` of the network."""
    return path.prefix.lower().startswith(("http://", "https://", "ftp://", "ftps://"))


def is_broad(field: Field) -> bool:
    """Whether an argument that nobody knows may turn into several, among them options."""
    return field.many and any(isinstance(piece, Unknown) for piece in field.pieces)


def has_unclear_option(arguments: Sequence[Field], values: str = "") -> bool:
    """Whether a word begins like an option and nobody knows which; `values` are the letters that take a value."""
    for field in arguments:
        if field.text == "--":
            return False
        start = field.prefix
        if field.text is None and start.startswith("-") and _is_unclear(start, values):
            return True
    return False


def _is_unclear(start: str, values: str) -> bool:
    if start.startswith("--"):
        return "=" not in start
    return not any(letter in values for letter in start[1:])


def _with_slash(folder: Field) -> tuple[Piece, ...]:
    if not folder.pieces:
        return ("./",)
    return folder.pieces if folder.suffix.endswith("/") else (*folder.pieces, "/")


def _without_slash(path: Field) -> tuple[Piece, ...]:
    if not path.suffix.endswith("/"):
        return path.pieces
    return (*path.pieces[:-1], path.suffix.rstrip("/"))
