"""Words -> the arguments, values and targets that bash makes of them, as far as that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.tree import Double, Literal, Parameter, Part, Substitution, Word
from limpet.syntax.values.braces import expand_braces
from limpet.syntax.values.field import ANY_NUMBER, ANYTHING, Field
from limpet.syntax.values.globs import assemble
from limpet.syntax.values.reader import Reader
from limpet.syntax.values.runs import Run, Runs
from limpet.syntax.values.scope import BLANKS
from limpet.syntax.values.split import MOST, split
from limpet.syntax.values.tilde import Tildes

if TYPE_CHECKING:
    from limpet.syntax.values.scope import Scope

_ASSIGNED = late(r"[A-Za-z_][A-Za-z0-9_]*(?:\+?=|\[)")


def fields(word: Word, scope: Scope, tildes: Tildes = Tildes.ARGUMENT, *, declares: bool = False) -> tuple[Field, ...]:
    """The arguments that a word becomes; elements of an array are read with `Tildes.START`.

    `declares`: it is an argument of `export`, `declare` or their kin, for whom `x=$y` is neither cut nor looked up.
    """
    words = expand_braces(word)
    if words is None or (words != [word] and not _may_expand(words, scope)):
        _settle(word, scope)
        return (ANY_NUMBER,)
    # Bash looks for assignments before it expands braces.
    tildes = tildes if words == [word] else Tildes.START
    if declares and words == [word] and _is_assigned(word):
        return (text(word, scope, Tildes.ARGUMENT),)
    found = [field for each in words for field in _split_fields(each, scope, tildes)]
    return tuple(found) if len(found) <= MOST else (ANY_NUMBER,)


def text(word: Word, scope: Scope, tildes: Tildes = Tildes.START) -> Field:
    """The one text that a word becomes where nothing is split and no file is looked up.

    Such are words of `case`, assigned values and here-strings (with `Tildes.VALUE`), and bodies of heredocs (with
    `Tildes.NOWHERE`).
    """
    return Reader(scope).text(word, tildes)


def target(word: Word, scope: Scope) -> Field:
    """What a redirection opens: bash wants exactly one argument and refuses others, but one file may match a glob."""
    found = fields(word, scope)
    if len(found) != 1:
        return ANYTHING
    return Field(found[0].pieces)


def _split_fields(word: Word, scope: Scope, tildes: Tildes) -> list[Field]:
    reader = Reader(scope)
    runs = reader.runs(word, tildes)
    separators = scope.separators
    if reader.met_list and separators != BLANKS and not _is_plain_list(word, runs):
        return [ANY_NUMBER]  # where lists and unusual separators meet, bash has rules for each case
    arguments = split(runs, separators)
    if arguments is None or not scope.spend(16 * len(arguments) - 16):
        return [ANY_NUMBER]
    return [assemble(argument) for argument in arguments]


def _is_plain_list(word: Word, runs: Runs) -> bool:
    """`"a$@b"`: quoted, and nothing done to it."""
    inside = [inner for part in word.parts for inner in (part.parts if isinstance(part, Double) else (part,))]
    bare = all(isinstance(part, Literal) or (isinstance(part, Parameter) and not part.operator) for part in inside)
    return bare and not any(isinstance(run, Run) and run.splits for run in runs)


def _may_expand(words: list[Word], scope: Scope) -> bool:
    return scope.ordinary and scope.spend(sum(64 + _size(word) for word in words))


def _size(word: Word) -> int:
    return sum(len(part.text) if isinstance(part, Literal) else 1 for part in word.parts)


def _settle(word: Word, scope: Scope) -> None:
    """What the word assigns, it assigns nobody knows how often."""
    if not is_idle(word):
        scope.forget_all()


def is_idle(word: Word) -> bool:
    """Whether expanding the word surely assigns nothing."""
    return all(_is_idle(part) for part in word.parts)


def _is_idle(part: Part) -> bool:
    if isinstance(part, Double):
        return all(_is_idle(inner) for inner in part.parts)
    if isinstance(part, Parameter):
        return not part.operator and part.subscript is None
    return isinstance(part, Substitution) or (isinstance(part, Literal) and "$" not in part.text)


def _is_assigned(word: Word) -> bool:
    first = word.parts[0] if word.parts else None
    return isinstance(first, Literal) and not first.quoted and _ASSIGNED.match(first.text) is not None
